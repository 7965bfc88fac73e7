"""A finished match is checked event by event: its secret, its draws, each label once, its result."""

import hashlib
import uuid
from collections.abc import Sequence

import msgspec
import pytest

from libs.eventlog.committed import Step
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.rules.game import Seat
from libs.rules.registry import GAMES
from libs.rules.shuffle import Draws
from libs.rules.truco.events import HandDealt, TrucoEvent
from libs.rules.truco.game import TRUCO_PAULISTA, Truco
from libs.rules.truco.rule_set import RuleSet
from libs.rules.truco.state import State
from services.table.commands import LeaveTable, MakeMove, OpenTable, player_actor, robot_actor
from services.table.decider import TABLE
from services.table.events import SeatTaken, TableEnded, TableEvent, TableOpened
from services.table.match_check import MatchCheck, Problem
from services.table.registry import REGISTRY
from services.table.state import TableState

Steps = list[Step[TableState, TableEvent]]


async def play(seats: Sequence[SeatTaken], entropy: Sequence[str] = ("", "", "", "")) -> Steps:
    """A whole match, by automatic moves; a person at seat 0 leaves after ten."""
    table_id = str(uuid.uuid4())
    secret = hashlib.sha256(table_id.encode()).digest()
    runtime = Runtime(TABLE, REGISTRY, MemoryStore(), secret_for=lambda _: secret)
    body = OpenTable(table_id, "truco-paulista", {}, tuple(seats), tuple(entropy))
    answer = await runtime.handle(table_id, body, command_id=str(uuid.uuid4()), actor="service:test")
    moves = 0
    while answer.after.ended is None:
        state = answer.after
        seat = Seat(state.clock.seats[0])
        actor = (
            robot_actor(seat)
            if state.seats[seat].is_robot
            else player_actor(state.seats[seat].taken.player_id)
        )
        wanted = MakeMove(state.game.automatic_move(state.game_state, seat))
        if moves == 10 and not state.seats[0].is_robot:
            actor, wanted = player_actor(state.seats[0].taken.player_id), LeaveTable()
        answer = await runtime.handle(table_id, wanted, command_id=str(uuid.uuid4()), actor=actor)
        moves += 1
    return [step for command in await runtime.history(table_id) for step in command.steps]


def problems(steps: Steps) -> list[Problem]:
    opened, ended = steps[0].event, steps[-1].event
    assert isinstance(opened, TableOpened)
    assert isinstance(ended, TableEnded)
    match = MatchCheck(opened, ended)
    return [problem for step in steps for problem in match.check(step)]


ROBOTS = (SeatTaken(robot="simple"),) * 4
PERSON = (SeatTaken(player_id="ana"), *ROBOTS[:3])


@pytest.mark.parametrize("seats", [ROBOTS, PERSON], ids=["finished", "abandoned"])
async def test_an_honest_match_has_no_problem(seats: Sequence[SeatTaken]) -> None:
    assert problems(await play(seats, ("ab" * 32, "", "cd" * 32, ""))) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda dealt: {"vira": next(c for c in ("4P", "5P") if c != dealt.vira)},
        lambda dealt: {"cards": dealt.cards[::-1]},
        lambda dealt: {"dealer": (dealt.dealer + 1) % 4},
        lambda dealt: {"leader": (dealt.leader + 1) % 4},
        lambda dealt: {"value": 3},
        lambda dealt: {"hand": dealt.hand + 1},
    ],
)
async def test_a_deal_that_the_secret_does_not_give_is_found(change: object) -> None:
    steps = await play(ROBOTS)
    place = max(index for index, step in enumerate(steps) if isinstance(step.event, HandDealt))
    dealt = steps[place].event
    steps[place] = msgspec.structs.replace(
        steps[place], event=msgspec.structs.replace(dealt, **change(dealt))
    )
    (problem,) = problems(steps)
    assert (problem.kind, problem.version) == ("draw", steps[place].version)


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({"secret": "00" * 32}, {"commitment", "draw"}),
        ({"winners": (0, 1)}, {"result"}),
        ({"score": (12, 12)}, {"result"}),
        ({"reason": "abandoned"}, {"result"}),
        ({"abandoned_seats": (3,)}, {"result"}),
    ],
)
async def test_an_end_that_the_match_did_not_come_to_is_found(
    change: dict[str, object], kinds: set[str]
) -> None:
    steps = await play(ROBOTS)
    steps[-1] = msgspec.structs.replace(steps[-1], event=msgspec.structs.replace(steps[-1].event, **change))
    assert {problem.kind for problem in problems(steps)} == kinds


async def test_entropy_that_was_not_listed_is_found() -> None:
    steps = await play(ROBOTS, ("ab" * 32, "", "", ""))
    opened = msgspec.structs.replace(steps[0].event, entropy=("", "", "", "ab" * 32))
    steps[0] = msgspec.structs.replace(steps[0], event=opened)
    assert {problem.kind for problem in problems(steps)} == {"draw"}


async def test_a_label_that_deals_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that deals every hand under one label would be fair hand by hand, and repeat its cards."""

    class Repeating(Truco):
        def is_fair(self, event: TrucoEvent, before: State, draws: Draws) -> bool:
            if isinstance(event, HandDealt):
                draws.shuffled("hand", range(40))
            return True

    monkeypatch.setitem(GAMES, TRUCO_PAULISTA.preset, Repeating(TRUCO_PAULISTA.preset, RuleSet(), (4,)))
    found = problems(await play(ROBOTS))
    assert found
    assert {problem.kind for problem in found} == {"label"}
