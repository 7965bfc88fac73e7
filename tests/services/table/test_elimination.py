"""Elimination at the table: automatic plays counted by match, a robot that plays on, a walkover (rulings G-06 to G-09)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from carteado.table.v1 import events_pb2, view_pb2
from libs.eventlog.decider import Command, Rejection
from libs.eventlog.testing import NOON, Given, given
from services.table.commands import (
    ClaimSeat,
    LeaveTable,
    MakeMove,
    OpenTable,
    RunOutClock,
    TableCommand,
    player_actor,
    robot_actor,
)
from services.table.decider import TABLE
from services.table.events import (
    ClockStarted,
    PlayedAutomatically,
    SeatEliminated,
    SeatTaken,
    TableEnded,
    TableEvent,
)
from services.table.state import TableState

SECRET = bytes(range(32))
TABLE_ID = "11111111-1111-4111-8111-111111111111"
NAMES = ("ana", "bia", "caio", "davi")

Table = Given[TableState, TableCommand, TableEvent]


def opened(count: int = 4, people: int | None = None, **switches: str) -> Table:
    seats = tuple(
        SeatTaken(name) if index < (count if people is None else people) else SeatTaken(robot="simple")
        for index, name in enumerate(NAMES[:count])
    )
    body = OpenTable(TABLE_ID, "buraco-aberto", switches, seats, ("",) * count)
    return given(TABLE).when(body, actor="service:test", secret=SECRET).accepted()


def clock_of(table: Table):
    assert table.state.clock is not None
    return table.state.clock


def act(table: Table) -> Table:
    """The awaited seat draws or discards by itself."""
    clock = clock_of(table)
    seat = clock.seats[0]
    state = table.state
    mine = state.seats[seat]
    actor = robot_actor(seat) if mine.is_robot else player_actor(mine.taken.player_id)
    move = MakeMove(state.game.automatic_move(state.game_state, seat))
    return table.when(move, at=clock.started_at, actor=actor, secret=SECRET).accepted()


def time_out(table: Table) -> Table:
    clock = clock_of(table)
    return table.when(
        RunOutClock(clock.turn), at=clock.due_at, actor="system:deadline", secret=SECRET
    ).accepted()


def until(table: Table, seat: int, phase: str) -> Table:
    """The others play until this seat is to draw or to play."""
    while clock_of(table).seats[0] != seat or not clock_of(table).moment.endswith(phase):
        table = act(table)
    return table


def missing(table: Table, seat: int, plays: str) -> Table:
    """Lets phases of a seat's turns run out (`d` a draw, `p` a play) and plays the others (`.`) by hand."""
    for place, what in enumerate(plays):
        table = until(table, seat, ".draw" if place % 2 == 0 else ".play")
        table = act(table) if what == "." else time_out(table)
    return table


def tried(table: Table, body: TableCommand, actor: str, at: datetime = NOON) -> str:
    outcome = TABLE.decide(table.state, Command("id", actor, at, body, SECRET))
    return outcome.code if isinstance(outcome, Rejection) else "accepted"


def first_seat(table: Table) -> int:
    return clock_of(table).seats[0]


def test_b073_g07_a_draw_and_a_discard_count_one_each_over_the_match() -> None:
    table = opened()
    seat = first_seat(table)
    table = missing(table, seat, "dp..d.")
    assert table.state.seats[seat].automatic_plays == 3
    assert not table.state.seats[seat].eliminated, "the third never eliminates"
    table = missing(table, seat, "d")
    assert SeatEliminated(seat, "simple") in table.events
    assert table.state.seats[seat].eliminated
    # The play itself was applied first.
    names = [type(event).__name__ for event in table.events]
    last = len(names) - 1 - names[::-1].index("PlayedAutomatically")
    assert names[last : last + 3] == ["PlayedAutomatically", "StockDrawn", "SeatEliminated"]


def test_g07_two_whole_turns_missed_eliminate_at_the_discard_of_the_second() -> None:
    table = opened()
    seat = first_seat(table)
    table = missing(table, seat, "dpd")
    assert not table.state.seats[seat].eliminated
    table = time_out(until(table, seat, ".play"))
    assert table.state.seats[seat].eliminated


def test_g06_four_in_a_row_make_nobody_absent_where_there_is_a_limit() -> None:
    """G-06: absence is for games without a limit; here the clock stays whole until the elimination."""
    table = opened(auto_play_limit="9")
    seat = first_seat(table)
    table = missing(table, seat, "dpdpdp")
    assert not table.state.seats[seat].absent
    table = until(table, seat, ".draw")
    assert clock_of(table).due_at - clock_of(table).started_at == timedelta(seconds=30)


def test_g09_with_four_seats_a_robot_plays_on_and_the_player_may_not_return() -> None:
    table = missing(opened(), 0, "dpdp")
    player = player_actor("ana")
    assert tried(table, ClaimSeat("phone"), player) == "ELIMINATED"
    assert tried(table, LeaveTable(), player) == "ELIMINATED"
    table = until(table, 0, ".draw")
    clock = clock_of(table)
    assert clock.robot_seat == 0
    assert clock.due_at - clock.started_at == timedelta(seconds=30), "a robot has the whole time"
    move = MakeMove(table.state.game.automatic_move(table.state.game_state, 0))
    assert tried(table, move, player, clock.started_at) == "ELIMINATED"
    assert tried(table, move, robot_actor(0), clock.started_at) == "accepted"
    started = next(event for event in reversed(table.events) if isinstance(event, ClockStarted))
    message = TABLE.publish(started, table.state, table.state)
    assert message is not None
    turn = events_pb2.RobotTurn.FromString(message.data)
    assert (turn.seat, turn.strength) == (0, "simple")


def test_g09_the_robots_time_that_is_up_is_nobodys_automatic_play() -> None:
    table = until(missing(opened(), 0, "dpdp"), 0, ".draw")
    plays = table.state.seats[0].automatic_plays
    assert time_out(table).state.seats[0].automatic_plays == plays


@pytest.mark.parametrize("away", [0, 1])
def test_g09_with_two_seats_the_other_side_wins_at_once(away: int) -> None:
    table = missing(opened(2), away, "dpdp")
    ended = table.state.ended
    assert isinstance(ended, TableEnded)
    assert (ended.reason, ended.winners, ended.abandoned_seats) == ("walkover", (1 - away,), (away,))
    message = TABLE.publish(ended, table.state, table.state)
    assert message is not None
    closed = events_pb2.TableClosed.FromString(message.data)
    assert closed.result.reason == view_pb2.END_REASON_WALKOVER
    assert [seat.kind for seat in closed.seats] == [view_pb2.SEAT_KIND_PERSON] * 2


def test_g09_by_switch_the_others_win_with_four_seats_too_or_a_robot_plays_on_with_two() -> None:
    """G-09: `on_elimination` = forfeit, bot."""
    forfeit = missing(opened(on_elimination="forfeit"), 2, "dpdp")
    assert forfeit.state.ended is not None
    assert (forfeit.state.ended.reason, forfeit.state.ended.winners) == ("walkover", (1,))
    bot = missing(opened(2, on_elimination="bot"), 0, "dpdp")
    assert bot.state.ended is None
    assert bot.state.seats[0].stand_in == "simple"


def test_g09_who_leaves_on_purpose_is_eliminated_at_that_moment() -> None:
    table = opened()
    left = table.when(LeaveTable(), actor=player_actor("bia"), secret=SECRET).accepted()
    assert left.state.seats[1].eliminated
    assert left.state.seats[1].stand_in == "simple"
    two = opened(2).when(LeaveTable(), actor=player_actor("ana"), secret=SECRET).accepted()
    assert two.state.ended is not None
    assert (two.state.ended.reason, two.state.ended.winners) == ("walkover", (1,))


def test_g09_who_leaves_in_the_own_turn_leaves_the_robot_what_is_left_of_the_time() -> None:
    table = opened()
    seat = first_seat(table)
    before = clock_of(table)
    at = NOON + timedelta(seconds=4)
    left = table.when(LeaveTable(), at=at, actor=player_actor(NAMES[seat]), secret=SECRET).accepted()
    clock = clock_of(left)
    assert (clock.robot_seat, clock.due_at, clock.moment) == (seat, before.due_at, before.moment)


def test_g06_a_table_whose_people_are_all_eliminated_is_abandoned_without_a_walkover() -> None:
    """G-06 goes before G-09: no winner, and the account has abandoned the match."""
    for count in (2, 4):
        table = missing(opened(count, people=1), 0, "dpdp")
        assert table.state.ended is not None
        assert (table.state.ended.reason, table.state.ended.winners) == ("abandoned", ())
        assert table.state.ended.abandoned_seats == (0,)


def test_g09_a_match_that_a_robot_played_on_ends_by_its_points_and_was_abandoned_by_who_is_out() -> None:
    table = missing(opened(), 0, "dpdp")
    while table.state.ended is None:
        table = act(table)
    assert table.state.ended.reason == "finished"
    assert table.state.ended.abandoned_seats == (0,)
    assert len(table.state.ended.score) == 2


def test_g09_a_play_that_eliminates_and_ends_the_match_leaves_it_to_the_points_with_two_seats_too() -> None:
    table = opened(2, auto_play_limit="1")
    while True:
        deal = table.state.game_state
        if deal.phase == "draw" and len(deal.stock) == 1 and not deal.mortos:
            break
        table = act(table)
    seat = first_seat(table)
    table = time_out(table)
    assert table.state.seats[seat].eliminated
    ended = table.state.ended
    assert isinstance(ended, TableEnded)
    assert (ended.reason, ended.abandoned_seats) == ("finished", (seat,))
    assert ended.score == table.state.game_state.score
    assert ended.winners == table.state.game_state.winners


def test_g09_strangers_are_told_no_eliminated_players_name_of_a_finished_match() -> None:
    table = missing(opened(), 0, "dpdp")
    while table.state.ended is None:
        table = act(table)
    seen = TABLE.view(table.state, None)
    assert [seat.taken.player_id for seat in seen.seats] == [f"pseudonym-{index}" for index in range(4)]


def test_g07_the_count_does_not_depend_on_a_return() -> None:
    """A played turn between ends the row, and not the count."""
    table = missing(opened(), 0, "dp..")
    assert table.state.seats[0].automatic_in_a_row == 0
    assert table.state.seats[0].automatic_plays == 2
    played = [event for event in table.events if isinstance(event, PlayedAutomatically)]
    assert [event.in_a_row for event in played if event.seat == 0] == [1, 2]
