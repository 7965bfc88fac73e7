"""`carteado arena`: two robots against each other over many matches, each deal played twice with the seats swapped.

Deal d of seed S is dealt from the secret SHA-256("S/d"), and its robots draw from Python's Mersenne Twister seeded with the
text "S/d" (both counted from 1), so the same command gives the same outcome on every machine, whatever the number of
processes. Who sits where `halves` says. A match counts for a robot by the share of its winning seats; a draw counts one
half for each.
"""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Annotated, NamedTuple, NoReturn, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from libs.cli.halves import owners
from libs.cli.play import MAX_MOVES, PlayRequestError, Setup, set_up
from libs.rules.game import Rejection, Seat
from libs.rules.registry import robots
from libs.rules.robots import AnyRobot
from libs.rules.shuffle import Draws

T = TypeVar("T")

_Z_95 = 1.959964
_STOPS = (signal.SIGINT, signal.SIGTERM)


class Contest(msgspec.Struct, frozen=True):
    """What is measured, in words that another process can read: two robots at a preset."""

    preset: str
    robots: tuple[str, str]
    seed: int = 1
    players: int | None = None
    switches: tuple[str, ...] = ()


class Tally(msgspec.Struct, frozen=True):
    """What became of some matches for the first robot, and the time that both robots thought."""

    matches: int = 0
    won: float = 0.0
    draws: int = 0
    moves: tuple[int, int] = (0, 0)
    thought_s: tuple[float, float] = (0.0, 0.0)
    longest_s: tuple[float, float] = (0.0, 0.0)

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(
            self.matches + other.matches,
            self.won + other.won,
            self.draws + other.draws,
            (self.moves[0] + other.moves[0], self.moves[1] + other.moves[1]),
            (self.thought_s[0] + other.thought_s[0], self.thought_s[1] + other.thought_s[1]),
            (
                max(self.longest_s[0], other.longest_s[0]),
                max(self.longest_s[1], other.longest_s[1]),
            ),
        )


def wilson(won: float, matches: int) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share of so many matches.

    >>> low, high = wilson(90, 100)
    >>> round(low, 3), round(high, 3)
    (0.826, 0.945)
    """
    share, z2 = won / matches, _Z_95**2
    centre = share + z2 / (2 * matches)
    spread = _Z_95 * math.sqrt(share * (1 - share) / matches + z2 / (4 * matches**2))
    return (centre - spread) / (1 + z2 / matches), (centre + spread) / (1 + z2 / matches)


def prepared(contest: Contest) -> tuple[Setup, tuple[AnyRobot, AnyRobot]]:
    """The game and the two robots; raises PlayRequestError for what cannot be measured."""
    setup = set_up(contest.preset, contest.players, contest.switches, contest.robots[0])
    known = robots(contest.preset)
    for name in contest.robots:
        if name not in known:
            raise PlayRequestError(f"there is no robot {name!r}; there are: {', '.join(known)}")
    first, second = (known[name] for name in contest.robots)
    return setup, (first, second)


def play_deal(setup: Setup, pair: tuple[AnyRobot, AnyRobot], seed: int, deal: int) -> Tally:
    """Plays a deal twice: once as its halves say, once with the robots swapped."""
    return _play(setup, pair, f"{seed}/{deal}", 0).plus(_play(setup, pair, f"{seed}/{deal}", 1))


def _play(setup: Setup, pair: tuple[AnyRobot, AnyRobot], name: str, swapped: int) -> Tally:
    game, players = setup.game, len(setup.robots)
    draws = Draws(hashlib.sha256(name.encode()).digest(), name)
    chance = random.Random(name)  # noqa: S311 -- repeatable on purpose; nothing is at stake
    owner = owners(game, players, name, swapped)
    moves, thought_s, longest_s = [0, 0], [0.0, 0.0], [0.0, 0.0]
    state = game.initial(setup.rules, players)
    for event in game.start(state, draws):
        state = game.evolve(state, event)
    while (awaited := game.awaited(state)) is not None:
        seat = awaited.seats[0]
        who = owner[seat]
        view = game.view(state, seat)
        began_s = time.perf_counter()
        move = pair[who](view, chance)
        took_s = time.perf_counter() - began_s
        moves[who] += 1
        thought_s[who] += took_s
        longest_s[who] = max(longest_s[who], took_s)
        if sum(moves) > MAX_MOVES:
            raise RuntimeError(f"match {name} of {game.preset} has not ended after {MAX_MOVES} moves")
        decision = game.decide(state, seat, move, draws)
        assert not isinstance(decision, Rejection), f"a robot's move is refused in {name}: {move}: {decision}"
        for event in decision:
            state = game.evolve(state, event)
    result = game.result(state)
    winners = () if result is None else result.winners
    winning = [owner[seat] for seat in range(players) if game.side_of(Seat(seat)) in winners]
    is_draw = not winning or len(set(winning)) == 2
    won = 0.5 if not winning else winning.count(0) / len(winning)
    return Tally(1, won, int(is_draw), _pair(moves), _pair(thought_s), _pair(longest_s))


def _pair(both: Sequence[T]) -> tuple[T, T]:
    return both[0], both[1]


def contested(contest: Contest, deals: int, processes: int) -> Iterator[Tally]:
    """The tallies of the deals as they are played; a process each when there is more than one.

    Closing the iterator ends the processes.
    """
    if processes == 1:
        setup, pair = prepared(contest)
        for deal in range(1, deals + 1):
            yield play_deal(setup, pair, contest.seed, deal)
        return
    with _workers(contest, deals, processes) as workers:
        running = {worker.tallies: worker for worker in workers}
        while running:
            for tallies in wait(list(running)):
                assert isinstance(tallies, Connection)
                try:
                    yield tallies.recv()
                except EOFError:
                    _ended_well(running.pop(tallies).process)


class _Worker(NamedTuple):
    """A process that plays its share of the deals, and where it says how each ended. Nothing is shared between
    workers: a queue's lock that one of them holds when it is killed would keep the others, and the end, waiting."""

    process: SpawnProcess
    tallies: Connection


@contextmanager
def _workers(contest: Contest, deals: int, processes: int) -> Iterator[list[_Worker]]:
    """The workers. A signal that comes while they are made waits until somebody holds them who can end them."""
    # Not forked: a fork would copy whatever threads and signal handlers the caller has. What keeps count of what is
    # shared is started before, as its own start would let the signals through.
    context = multiprocessing.get_context("spawn")
    resource_tracker.ensure_running()
    workers: list[_Worker] = []
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        for first in range(1, processes + 1):
            tallies, telling = context.Pipe(duplex=False)
            share = range(first, deals + 1, processes)
            process = context.Process(target=_play_share, args=(contest, share, telling), daemon=True)
            process.start()
            telling.close()
            workers.append(_Worker(process, tallies))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
        yield workers
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.tallies.close()


def _play_share(contest: Contest, share: range, telling: Connection) -> None:
    """A worker's work. Ctrl-C goes to the whole group: the parent is the one to end it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    setup, pair = prepared(contest)
    for deal in share:
        telling.send(play_deal(setup, pair, contest.seed, deal))


def _ended_well(process: SpawnProcess) -> None:
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f"a process of the arena ended with {process.exitcode}; what it said stands above")


def arena(
    name: Annotated[str, typer.Argument(help="the game's public name, such as truco-paulista")],
    robot_names: Annotated[
        str, typer.Option("--robots", metavar="A,B", help="the two robots")
    ] = "strong,simple",
    matches: Annotated[int, typer.Option(help="how many matches; an even number")] = 1000,
    seed: Annotated[int, typer.Option(help="the same seed gives the same outcome everywhere")] = 1,
    players: Annotated[int | None, typer.Option(help="how many play; by default the game's first")] = None,
    switches: Annotated[
        list[str] | None, typer.Option("--set", metavar="SWITCH=VALUE", help="sets a switch of the rule set")
    ] = None,
    processes: Annotated[int | None, typer.Option(help="how many processes; by default one a core")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the outcome as one JSON object")] = False,
) -> None:
    """Two robots play many matches against each other; each deal is played twice, with the seats swapped.

    Where more than two sides play, each robot has one half of the seats, drawn anew for each deal. Shows the first robot's share of the matches with its 95 % interval, and how long both thought.
    """
    names = tuple(word.strip() for word in robot_names.split(","))
    if len(names) != 2:
        _refuse(f"--robots takes two robots, such as strong,simple, not {robot_names!r}")
    if matches < 2 or matches % 2:
        _refuse(f"--matches must be an even number, as each deal is played twice, not {matches}")
    count = processes or os.cpu_count() or 1
    if count < 1:
        _refuse(f"--processes must be at least 1, not {processes}")
    contest = Contest(name, (names[0], names[1]), seed, players, tuple(switches or ()))
    try:
        prepared(contest)
    except PlayRequestError as error:
        _refuse(str(error))
    try:
        with _terminated_like_interrupted():
            tally = _with_progress(contest, matches // 2, min(count, matches // 2))
    except KeyboardInterrupt:
        typer.echo("carteado arena: stopped", err=True)
        raise typer.Exit(130) from None
    _show(contest, tally, as_json)


def _refuse(reason: str) -> NoReturn:
    typer.echo(f"carteado arena: {reason}", err=True)
    raise typer.Exit(2)


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM ends the workers too."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _with_progress(contest: Contest, deals: int, processes: int) -> Tally:
    tally = Tally()
    with Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task("deals", total=deals)
        for found in contested(contest, deals, processes):
            tally = tally.plus(found)
            progress.advance(task)
    return tally


def _show(contest: Contest, tally: Tally, as_json: bool) -> None:
    low, high = wilson(tally.won, tally.matches)
    average_ms = [
        1000 * spent / max(made, 1) for spent, made in zip(tally.thought_s, tally.moves, strict=True)
    ]
    longest_ms = [1000 * spent for spent in tally.longest_s]
    if as_json:
        told = {
            "name": contest.preset,
            "robots": contest.robots,
            "seed": contest.seed,
            "matches": tally.matches,
            "won": tally.won,
            "draws": tally.draws,
            "low": low,
            "high": high,
            "average_ms": average_ms,
            "longest_ms": longest_ms,
        }
        typer.echo(msgspec.json.encode(told).decode())
        return
    first, second = contest.robots
    typer.echo(f"{contest.preset}, seed {contest.seed}: {first} against {second}, {tally.matches} matches")
    typer.echo(
        f"{first} won {tally.won:g} ({tally.draws} draws): {tally.won / tally.matches:.1%}, 95 % interval {low:.1%} to {high:.1%}"
    )
    for robot, average, longest in zip(contest.robots, average_ms, longest_ms, strict=True):
        typer.echo(f"{robot} thought {average:.2f} ms a move on average, {longest:.1f} ms at worst")
