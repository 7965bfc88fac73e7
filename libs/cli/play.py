"""`carteado play`: robots against robots on the rules alone, with no server, log or clock.

The same command gives the same matches on every machine: match i of seed S is dealt from the secret SHA-256("S/i"),
and its robots draw from Python's Mersenne Twister seeded with the text "S/i" (both counted from 1).
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from libs.rules.canonical import state_hash
from libs.rules.family import AnyGame
from libs.rules.game import InvalidRuleSetError, Rejection, Seat
from libs.rules.registry import UnknownGameError, game, robots
from libs.rules.robots import AnyRobot
from libs.rules.shuffle import Draws

MAX_MOVES = 100_000
"""A match that goes on for longer is a fault of the rules: even a Truco of random moves ends within some hundreds."""

_ROWS = 20
_PROGRESS_FROM = 20


class PlayedMatch(msgspec.Struct, frozen=True):
    """One match as `--json` writes it; `winner` is the winning side, null when there is none or more than one."""

    name: str
    players: int
    seed: int
    match: int
    winner: int | None
    score: tuple[int, ...]
    moves: int
    state_hash: str


class PlayRequestError(ValueError):
    """The command cannot be carried out as it was given; the message says why in one line."""


class Setup(msgspec.Struct, frozen=True):
    """What is played: a game, its rule set, and a robot for each seat."""

    game: AnyGame
    rules: object
    robots: tuple[AnyRobot, ...]
    robot_names: tuple[str, ...]


def set_up(name: str, players: int | None, switches: Sequence[str], robot_names: str) -> Setup:
    """Reads the command's words. Robots are given round the table, over and over. Raises PlayRequestError."""
    try:
        played = game(name)
        rules = played.rule_set(_switches(switches))
    except (UnknownGameError, InvalidRuleSetError) as error:
        raise PlayRequestError(str(error)) from error
    counts = ", ".join(map(str, played.player_counts))
    if players is None:
        players = played.player_counts[0]
    if players not in played.player_counts:
        raise PlayRequestError(f"{name} is played by {counts}, not by {players}")
    known = robots(name)
    names = [word.strip() for word in robot_names.split(",")]
    for word in names:
        if word not in known:
            raise PlayRequestError(f"there is no robot {word!r}; there are: {', '.join(known)}")
    if players % len(names):
        raise PlayRequestError(f"{len(names)} robots cannot be dealt evenly round {players} seats")
    by_seat = tuple(names[seat % len(names)] for seat in range(players))
    return Setup(played, rules, tuple(known[word] for word in by_seat), by_seat)


def _switches(words: Sequence[str]) -> Mapping[str, str]:
    switches: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise PlayRequestError(f"--set takes switch=value, not {word!r}")
        if name in switches:
            raise PlayRequestError(f"switch {name} is set twice")
        switches[name] = value
    return switches


def play_match(setup: Setup, seed: int, match: int) -> PlayedMatch:
    """Plays match number `match` of the seed to its end."""
    played, players = setup.game, len(setup.robots)
    name = f"{seed}/{match}"
    draws = Draws(hashlib.sha256(name.encode()).digest(), name)
    chance = random.Random(name)  # noqa: S311 -- repeatable on purpose; nothing is at stake
    state = played.initial(setup.rules, players)
    for event in played.start(state, draws):
        state = played.evolve(state, event)
    moves = 0
    while (awaited := played.awaited(state)) is not None:
        if moves == MAX_MOVES:
            raise RuntimeError(f"match {name} of {played.preset} has not ended after {MAX_MOVES} moves")
        seat = awaited.seats[0]
        move = setup.robots[seat](played.view(state, seat), chance)
        decision = played.decide(state, seat, move, draws)
        assert not isinstance(decision, Rejection), f"a robot's move is refused in {name}: {move}: {decision}"
        for event in decision:
            state = played.evolve(state, event)
        moves += 1
    result = played.result(state)
    if result is None:
        raise RuntimeError(f"match {name} of {played.preset} waits for nobody and has no result")
    winner = result.winners[0] if len(result.winners) == 1 else None
    return PlayedMatch(
        name=played.preset,
        players=players,
        seed=seed,
        match=match,
        winner=winner,
        score=result.score,
        moves=moves,
        state_hash=state_hash(played.facts(state)).hex(),
    )


def play(
    name: Annotated[str, typer.Argument(help="the game's public name, such as truco-paulista")],
    players: Annotated[int | None, typer.Option(help="how many play; by default the game's first")] = None,
    switches: Annotated[
        list[str] | None, typer.Option("--set", metavar="SWITCH=VALUE", help="sets a switch of the rule set")
    ] = None,
    matches: Annotated[int, typer.Option(help="how many matches")] = 1,
    seed: Annotated[int, typer.Option(help="the same seed gives the same matches everywhere")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object a match, a line each")] = False,
    robot_names: Annotated[
        str, typer.Option("--robots", metavar="A,B…", help="robots by seat, repeated round the table")
    ] = "simple",
) -> None:
    """Plays matches of robots against robots on the rules alone.

    Needs no server and stores nothing. With --json each line holds name, players, seed, match, winner (the side),
    score, moves and state_hash.
    """
    if matches < 1:
        _refuse(f"--matches must be at least 1, not {matches}")
    try:
        setup = set_up(name, players, switches or (), robot_names)
    except PlayRequestError as error:
        _refuse(str(error))
    results = _with_progress(setup, seed, matches)
    if as_json:
        for result in results:
            typer.echo(msgspec.json.encode(result).decode())
    else:
        _show(setup, list(results))


def _refuse(reason: str) -> NoReturn:
    typer.echo(f"carteado play: {reason}", err=True)
    raise typer.Exit(2)


def _with_progress(setup: Setup, seed: int, matches: int) -> Iterator[PlayedMatch]:
    """The matches as they are played, with a bar on a terminal when there are many."""
    is_shown = matches >= _PROGRESS_FROM and sys.stderr.isatty()
    with Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not is_shown,
    ) as progress:
        task = progress.add_task("matches", total=matches)
        for match in range(1, matches + 1):
            yield play_match(setup, seed, match)
            progress.advance(task)


def _show(setup: Setup, results: Sequence[PlayedMatch]) -> None:
    console = Console()
    played = setup.game
    table = Table(title=f"{played.preset}, seed {results[0].seed}", title_justify="left")
    for heading in ("match", "winner", "score", "moves", "state hash"):
        table.add_column(heading, justify="left" if heading == "state hash" else "right")
    for result in results[:_ROWS]:
        winner = "draw" if result.winner is None else f"side {result.winner}"
        score = " to ".join(map(str, result.score))
        table.add_row(str(result.match), winner, score, str(result.moves), result.state_hash[:16])
    console.print(table)
    if len(results) > _ROWS:
        console.print(f"and {len(results) - _ROWS} more; --json lists them all")
    members: dict[int, list[str]] = {}
    for seat, robot in enumerate(setup.robot_names):
        members.setdefault(played.side_of(Seat(seat)), []).append(f"{seat} {robot}")
    for side, names in sorted(members.items()):
        won = sum(result.winner == side for result in results)
        console.print(f"side {side} (seats {', '.join(names)}): {won} of {len(results)} won", highlight=False)
