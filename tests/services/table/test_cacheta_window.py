"""The window of Cacheta at a table: one clock for all who are asked, robots asked besides people, and seats that are out."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
import pytest

from libs.eventlog.testing import NOON, Given, given
from libs.rules.cacheta.moves import AnnounceNaBoa, JumpQueue, PassJump
from services.table.clocks import is_abandoned
from services.table.commands import (
    LeaveTable,
    MakeMove,
    OpenTable,
    RunOutClock,
    TableCommand,
    player_actor,
    robot_actor,
)
from services.table.decider import TABLE
from services.table.events import ClockStarted, PlayedAutomatically, SeatTaken, TableEvent
from services.table.state import TableState

SECRET = bytes(range(32))
TABLE_ID = "11111111-1111-4111-8111-111111111111"
PEOPLE = tuple(SeatTaken(name) for name in ("ana", "bia", "caio", "davi"))
ROBOT = SeatTaken(robot="simple")

Table = Given[TableState, TableCommand, TableEvent]


def opened(*seats: SeatTaken) -> Table:
    body = OpenTable(TABLE_ID, "cacheta", {}, seats, ("",) * 4)
    return given(TABLE).when(body, actor="service:test", secret=SECRET).accepted()


def moved(table: Table, seat: int, move: object, at: datetime = NOON) -> Table:
    taken = table.state.seats[seat].taken
    actor = robot_actor(seat) if taken.robot else player_actor(taken.player_id)
    return table.when(MakeMove(move), at=at, actor=actor, secret=SECRET).accepted()


def automatic(table: Table, seat: int) -> Table:
    state = table.state
    return moved(table, seat, state.game.automatic_move(state.game_state, seat))


def with_window(*seats: SeatTaken) -> tuple[Table, list[int]]:
    """Everybody is na boa, and the first player has discarded; with the seats that are asked, the next player first."""
    table = opened(*seats)
    for seat in range(4):
        table = moved(table, seat, AnnounceNaBoa(1))
    starter = table.state.game_state.to_play
    table = automatic(automatic(table, starter), starter)
    return table, list(table.state.game_state.may_claim)


def run_out(table: Table) -> Table:
    clock = table.state.clock
    assert clock is not None
    return table.when(
        RunOutClock(clock.turn), at=clock.due_at, actor="system:deadline", secret=SECRET
    ).accepted()


def test_c09_the_window_has_one_clock_of_five_seconds_whoever_answers() -> None:
    table, asked = with_window(*PEOPLE)
    clock = table.state.clock
    assert clock is not None
    assert list(clock.seats) == asked
    assert clock.due_at - clock.started_at == timedelta(seconds=5)
    after = moved(table, asked[1], PassJump(1, 1), NOON + timedelta(seconds=3)).state.clock
    assert after is not None
    assert (after.started_at, after.due_at) == (clock.started_at, clock.due_at)
    assert list(after.seats) == [asked[0], asked[2]]


def test_c09_when_the_time_is_up_all_who_are_silent_have_passed_at_once() -> None:
    table, asked = with_window(*PEOPLE)
    table = moved(table, asked[0], PassJump(1, 1))
    closed = run_out(table)
    played = [event for event in closed.events if isinstance(event, PlayedAutomatically)]
    # A missed claim is no automatic play (G-06).
    assert [(event.seat, event.in_a_row) for event in played] == [(asked[1], 0), (asked[2], 0)]
    assert closed.state.game_state.turn == 2
    clock = closed.state.clock
    assert clock is not None
    assert clock.seats == (asked[0],)
    assert clock.due_at - clock.started_at == timedelta(seconds=30)


def test_g10_the_next_players_draw_clock_starts_when_the_last_one_has_answered() -> None:
    table, asked = with_window(*PEOPLE)
    for seat in asked:
        table = moved(table, seat, PassJump(1, 1), NOON + timedelta(seconds=2))
    clock = table.state.clock
    assert clock is not None
    assert (clock.seats, clock.started_at) == ((asked[0],), NOON + timedelta(seconds=2))


def test_b074_a_claim_after_the_time_is_stale_even_if_the_clock_has_not_been_told() -> None:
    table, asked = with_window(*PEOPLE)
    late = NOON + timedelta(seconds=5, milliseconds=1)
    actor = player_actor(table.state.seats[asked[2]].taken.player_id)
    table.when(MakeMove(JumpQueue(1, 1)), at=late, actor=actor, secret=SECRET).then_rejected("STALE")


def test_c09_robots_are_asked_one_after_another_although_people_are_asked_too() -> None:
    table, asked = with_window(PEOPLE[0], ROBOT, ROBOT, ROBOT)
    robots = [seat for seat in asked if seat != 0]
    clock = table.state.clock
    assert clock is not None
    due_at = clock.due_at
    for seat in robots:
        clock = table.state.clock
        assert clock is not None
        assert (clock.robot_seat, clock.due_at) == (seat, due_at)
        table = moved(table, seat, PassJump(1, 1))


def test_c09_the_wait_is_cut_to_two_seconds_when_only_absent_players_are_left() -> None:
    table, asked = with_window(*PEOPLE)
    for seat in asked[1:]:
        actor = player_actor(table.state.seats[seat].taken.player_id)
        table = table.when(LeaveTable(), actor=actor, secret=SECRET).accepted()
    after = moved(table, asked[0], PassJump(1, 1), NOON + timedelta(seconds=1))
    clock = after.state.clock
    assert clock is not None
    assert clock.is_short
    assert clock.due_at == NOON + timedelta(seconds=3)
    assert any(isinstance(event, ClockStarted) for event in after.events)


def fallen(table: Table, *seats: int) -> TableState:
    """The table with these seats out of the match."""
    state = table.state
    points = tuple(0 if seat in seats else 10 for seat in range(4))
    return msgspec.structs.replace(state, game_state=msgspec.structs.replace(state.game_state, points=points))


def test_c12_who_is_out_of_the_match_cannot_abandon_it() -> None:
    table = opened(*PEOPLE)
    out = next(seat for seat in range(4) if seat != table.state.game_state.to_play)
    state = fallen(table, out)
    given_state = Given(TABLE, (), state)
    actor = player_actor(state.seats[out].taken.player_id)
    given_state.when(LeaveTable(), actor=actor, secret=SECRET).then_rejected("OUT_OF_THE_MATCH")


def test_c12_who_is_out_ends_a_match_of_robots_alone_by_leaving_and_has_not_abandoned_it() -> None:
    table = opened(PEOPLE[0], ROBOT, ROBOT, ROBOT)
    table = Given(TABLE, (), fallen(table, 0))
    left = table.when(LeaveTable(), actor=player_actor("ana"), secret=SECRET).accepted()
    ended = left.state.ended
    assert ended is not None
    assert (ended.reason, ended.winners, ended.abandoned_seats) == ("abandoned", (), ())


@pytest.mark.parametrize(
    ("absent", "out", "abandoned"),
    [((), (0,), False), ((), (0, 1, 2), False), ((1, 2, 3), (0,), True), ((1, 2), (0,), False)],
)
def test_g06_a_table_is_abandoned_when_all_whom_the_match_needs_are_absent(
    absent: tuple[int, ...], out: tuple[int, ...], abandoned: bool
) -> None:
    state = fallen(opened(*PEOPLE), *out)
    seats = [msgspec.structs.replace(seat, absent=index in absent) for index, seat in enumerate(state.seats)]
    assert is_abandoned(msgspec.structs.replace(state, seats=tuple(seats))) is abandoned
