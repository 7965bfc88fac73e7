"""The table's decider: seats, clocks, absence and the end, around a real game of Truco."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from carteado.table.v1 import events_pb2, view_pb2
from libs.eventlog.decider import Command, Rejection
from libs.eventlog.testing import NOON, Given, given
from libs.rules.shuffle import commitment
from libs.rules.truco.moves import AcceptRaise, Fold, PlayCard, Raise
from services.table.commands import (
    ClaimSeat,
    GiveTimeBack,
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
    ClockMoved,
    ClockStarted,
    PlayedAutomatically,
    SeatBecameAbsent,
    SeatClaimed,
    SeatReturned,
    SeatTaken,
    TableEnded,
    TableEvent,
    TableOpened,
)
from services.table.state import TableState

SECRET = bytes(range(32))
TABLE_ID = "11111111-1111-4111-8111-111111111111"
ANA, BIA, CAIO, DAVI = (player_actor(name) for name in ("ana", "bia", "caio", "davi"))
PEOPLE = (SeatTaken("ana"), SeatTaken("bia"), SeatTaken("caio"), SeatTaken("davi"))
ONE_PERSON = (
    SeatTaken("ana"),
    SeatTaken(robot="simple"),
    SeatTaken(robot="simple"),
    SeatTaken(robot="simple"),
)

Table = Given[TableState, TableCommand, TableEvent]


def opened(seats: tuple[SeatTaken, ...] = PEOPLE, preset: str = "truco-paulista") -> Table:
    body = OpenTable(TABLE_ID, preset, {}, seats, ("",) * len(seats))
    return given(TABLE).when(body, actor="service:test", secret=SECRET).accepted()


def actor_of(table: Table, seat: int) -> str:
    taken = table.state.seats[seat].taken
    return robot_actor(seat) if taken.robot else player_actor(taken.player_id)


def events_of(table: Table, body: TableCommand, actor: str, at: datetime) -> tuple[TableEvent, ...]:
    outcome = TABLE.decide(table.state, Command("id", actor, at, body, SECRET))
    assert not isinstance(outcome, Rejection), outcome
    return tuple(outcome)


def first_card(table: Table, seat: int) -> MakeMove:
    state = table.state
    move = state.game.automatic_move(state.game_state, seat)
    return MakeMove(move)


def act(table: Table, at: datetime = NOON) -> Table:
    """The awaited seat plays by itself."""
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    return table.when(first_card(table, seat), at=at, actor=actor_of(table, seat), secret=SECRET).accepted()


def time_out(table: Table) -> Table:
    clock = table.state.clock
    assert clock is not None
    return table.when(
        RunOutClock(clock.turn), at=clock.due_at, actor="system:deadline", secret=SECRET
    ).accepted()


def time_out_seat(table: Table, seat: int, times: int) -> Table:
    """Lets this seat's turns run out, and the others play, until it has missed so many."""
    missed = 0
    while missed < times:
        clock = table.state.clock
        assert clock is not None
        if clock.seats[0] == seat and not clock.is_answer:
            table, missed = time_out(table), missed + 1
        else:
            table = act(table, clock.started_at)
    return table


def test_an_opened_table_commits_to_its_secret_deals_and_starts_a_clock_of_20_seconds() -> None:
    opening, dealt, clock = opened().events[:1][0], opened().events[1], opened().events[-1]
    assert isinstance(opening, TableOpened)
    assert opening.commitment == commitment(SECRET).hex()
    assert opening.switches == dict(opened().state.switches)
    assert type(dealt).__name__ == "HandDealt"
    assert isinstance(clock, ClockStarted)
    assert clock.due_at - clock.started_at == timedelta(seconds=20)


@pytest.mark.parametrize(
    ("seats", "preset", "switches", "code"),
    [
        (PEOPLE, "poker", {}, "UNKNOWN_GAME"),
        (PEOPLE[:3], "truco-paulista", {}, "WRONG_PLAYER_COUNT"),
        (PEOPLE, "truco-paulista", {"no_such": "yes"}, "INVALID_RULE_SET"),
        (PEOPLE, "truco-paulista", {"cover": "sometimes"}, "INVALID_RULE_SET"),
        ((SeatTaken("ana"), *PEOPLE[:3]), "truco-paulista", {}, "PLAYER_SEATED_TWICE"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    seats: tuple[SeatTaken, ...], preset: str, switches: dict[str, str], code: str
) -> None:
    given(TABLE).when(OpenTable(TABLE_ID, preset, switches, seats, ()), secret=SECRET).then_rejected(code)


def test_a_table_is_opened_once() -> None:
    body = OpenTable(TABLE_ID, "truco-paulista", {}, PEOPLE, ())
    opened().when(body, secret=SECRET).then_rejected("TABLE_EXISTS")


def test_nothing_can_be_done_at_a_table_that_does_not_exist() -> None:
    given(TABLE).when(LeaveTable(), actor=ANA).then_rejected("TABLE_NOT_FOUND")


def test_the_next_clock_starts_with_each_play() -> None:
    table = opened()
    before = table.state.clock
    after = act(table, NOON + timedelta(seconds=3)).state.clock
    assert before is not None
    assert after is not None
    assert after.turn == before.turn + 1
    assert after.seats != before.seats
    assert after.due_at == NOON + timedelta(seconds=23)


def test_b124_only_who_sits_may_act_and_only_for_their_own_seat() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    move = first_card(table, seat)
    table.when(move, actor=player_actor("eva"), secret=SECRET).then_rejected("NOT_SEATED")
    table.when(move, actor=robot_actor(seat), secret=SECRET).then_rejected("NOT_SEATED")
    other = actor_of(table, (seat + 1) % 4)
    table.when(move, actor=other, secret=SECRET).then_rejected("NOT_YOUR_TURN")


def test_b074_a_command_at_the_due_time_is_in_time_and_one_after_it_is_stale() -> None:
    table = opened()
    clock = table.state.clock
    assert clock is not None
    seat = clock.seats[0]
    move, actor = first_card(table, seat), actor_of(table, seat)
    table.when(move, at=clock.due_at, actor=actor, secret=SECRET).accepted()
    late = clock.due_at + timedelta(milliseconds=1)
    table.when(move, at=late, actor=actor, secret=SECRET).then_rejected("STALE")


def test_b074_a_clock_that_fires_after_the_move_or_too_early_does_nothing() -> None:
    table = opened()
    clock = table.state.clock
    assert clock is not None
    early = clock.due_at - timedelta(milliseconds=1)
    table.when(RunOutClock(clock.turn), at=early, secret=SECRET).then_rejected("STALE")
    moved = act(table)
    moved.when(RunOutClock(clock.turn), at=clock.due_at, secret=SECRET).then_rejected("STALE")


def test_r22_b039_time_out_plays_the_last_card_as_dealt_open_and_counts() -> None:
    table = opened()
    clock = table.state.clock
    assert clock is not None
    seat = clock.seats[0]
    hand = table.state.game_state.hands[seat]
    played, card, *_ = events_of(table, RunOutClock(clock.turn), "system:deadline", clock.due_at)
    assert played == PlayedAutomatically(clock.turn, seat, in_a_row=1)
    assert (card.seat, card.card, card.covered) == (seat, hand[-1], False)


def test_g06_the_fourth_automatic_play_in_a_row_makes_absent_and_the_third_does_not() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    thrice = time_out_seat(table, seat, 3)
    assert not thrice.state.seats[seat].absent
    fourth = time_out_seat(thrice, seat, 1)
    assert fourth.state.seats[seat].absent
    assert SeatBecameAbsent(seat, left=False) in fourth.events


def test_g06_acting_between_two_time_outs_starts_the_count_anew() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    table = time_out_seat(table, seat, 3)
    while True:
        clock = table.state.clock
        assert clock is not None
        acting = clock.seats[0]
        table = act(table, clock.started_at)
        if acting == seat and not clock.is_answer:
            break
    assert SeatReturned(seat) in table.events
    assert not time_out_seat(table, seat, 3).state.seats[seat].absent


def test_g06_an_absent_seat_is_played_after_two_seconds_until_it_acts() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    table = time_out_seat(table, seat, 4)
    while table.state.clock is not None and table.state.clock.seats[0] != seat:
        table = act(table, table.state.clock.started_at)
    clock = table.state.clock
    assert clock is not None
    assert clock.due_at - clock.started_at == timedelta(seconds=2)
    back = act(table, clock.started_at)
    assert SeatReturned(seat) in back.events
    assert not back.state.seats[seat].absent


def test_g06_a_missed_answer_is_no_automatic_play_and_r14_the_side_runs() -> None:
    table = opened()
    assert table.state.clock is not None
    caller = table.state.clock.seats[0]
    called = table.when(
        MakeMove(Raise(hand=1, value=3)), actor=actor_of(table, caller), secret=SECRET
    ).accepted()
    clock = called.state.clock
    assert clock is not None
    assert clock.is_answer
    assert set(clock.seats) == {(caller + 1) % 4, (caller + 3) % 4}
    after = time_out(called)
    assert all(seat.automatic_in_a_row == 0 for seat in after.state.seats)
    assert after.state.game_state.score[caller % 2] == 1


def test_g10_the_acting_clock_restarts_in_full_after_an_answer() -> None:
    table = opened()
    assert table.state.clock is not None
    caller = table.state.clock.seats[0]
    called = table.when(
        MakeMove(Raise(1, 3)), at=NOON + timedelta(seconds=15), actor=actor_of(table, caller), secret=SECRET
    ).accepted()
    answered_at = NOON + timedelta(seconds=18)
    accepted = called.when(
        MakeMove(AcceptRaise(1, 3)), at=answered_at, actor=actor_of(called, (caller + 1) % 4), secret=SECRET
    ).accepted()
    clock = accepted.state.clock
    assert clock is not None
    assert clock.seats == (caller,)
    assert clock.due_at == answered_at + timedelta(seconds=20)


def test_b035_the_first_answer_binds_and_the_second_is_stale() -> None:
    table = opened()
    assert table.state.clock is not None
    caller = table.state.clock.seats[0]
    called = table.when(MakeMove(Raise(1, 3)), actor=actor_of(table, caller), secret=SECRET).accepted()
    first, second = (actor_of(called, (caller + step) % 4) for step in (1, 3))
    accepted = called.when(MakeMove(AcceptRaise(1, 3)), actor=first, secret=SECRET).accepted()
    accepted.when(MakeMove(Fold(1, 3)), actor=second, secret=SECRET).then_rejected("STALE")


def test_g09_leaving_makes_absent_at_once_and_shortens_a_running_clock() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    at = NOON + timedelta(seconds=5)
    left = table.when(LeaveTable(), at=at, actor=actor_of(table, seat), secret=SECRET).accepted()
    assert left.events[len(table.events)] == SeatBecameAbsent(seat, left=True)
    assert left.state.clock is not None
    assert left.state.clock.due_at == at + timedelta(seconds=2)
    left.when(LeaveTable(), at=at, actor=actor_of(table, seat), secret=SECRET).then_rejected("ALREADY_ABSENT")


def test_g09_leaving_out_of_turn_leaves_the_running_clock_alone() -> None:
    table = opened()
    clock = table.state.clock
    assert clock is not None
    other = (clock.seats[0] + 1) % 4
    table.when(LeaveTable(), actor=actor_of(table, other), secret=SECRET).then(
        SeatBecameAbsent(other, left=True)
    )


def test_g06_when_every_person_is_absent_the_match_ends_abandoned_without_a_winner() -> None:
    table = opened(ONE_PERSON)
    left = table.when(LeaveTable(), actor=ANA, secret=SECRET).accepted()
    ended = left.events[-1]
    assert isinstance(ended, TableEnded)
    assert (ended.reason, ended.winners, ended.abandoned_seats) == ("abandoned", (), (0,))
    assert ended.secret == SECRET.hex()
    left.when(LeaveTable(), actor=ANA, secret=SECRET).then_rejected("MATCH_OVER")


def test_g06_a_table_of_robots_alone_plays_to_its_end() -> None:
    table = opened((SeatTaken(robot="simple"),) * 4)
    for _ in range(5000):
        if table.state.ended is not None:
            break
        assert table.state.clock is not None
        table = act(table, table.state.clock.started_at)
    assert table.state.ended is not None
    assert table.state.ended.reason == "finished"
    assert TABLE.deadlines(table.state) == ()


def test_robots_collect_no_automatic_plays() -> None:
    table = opened(ONE_PERSON)
    while table.state.clock is not None and table.state.clock.seats[0] == 0:
        table = act(table)
    assert table.state.clock is not None
    robot = table.state.clock.seats[0]
    assert time_out(table).state.seats[robot].automatic_in_a_row == 0


def test_b076_an_outage_moves_the_running_clock_by_what_was_lost() -> None:
    table = opened()
    clock = table.state.clock
    assert clock is not None
    began, ended = NOON + timedelta(seconds=10), NOON + timedelta(seconds=15)
    moved = table.when(GiveTimeBack(began, ended), at=ended).then(
        ClockMoved(clock.turn, NOON + timedelta(seconds=25), began, ended)
    )
    assert moved.state.clock is not None
    assert moved.state.clock.due_at == NOON + timedelta(seconds=25)


def test_b076_an_outage_before_the_clock_or_after_its_end_moves_nothing() -> None:
    table = opened()
    before = GiveTimeBack(NOON - timedelta(seconds=9), NOON)
    table.when(before).then_rejected("STALE")
    after = GiveTimeBack(NOON + timedelta(seconds=21), NOON + timedelta(seconds=30))
    table.when(after).then_rejected("STALE")


def test_a_robots_turn_is_published_and_holds_no_card() -> None:
    table = opened(ONE_PERSON)
    while table.state.clock is not None and table.state.clock.seats[0] == 0:
        table = act(table)
    clock = table.events[-1]
    assert isinstance(clock, ClockStarted)
    message = TABLE.publish(clock, table.state, table.state)
    assert message is not None
    assert message.subject == "carteado.table.turn.v1"
    turn = events_pb2.RobotTurn.FromString(message.data)
    assert (turn.table_id, turn.seat, turn.turn, turn.strength) == (
        TABLE_ID,
        clock.seats[0],
        clock.turn,
        "simple",
    )


def test_a_present_person_answers_for_the_side_and_no_robot_is_asked() -> None:
    seats = (SeatTaken("ana"), SeatTaken("bia"), SeatTaken(robot="simple"), SeatTaken(robot="simple"))
    table = opened(seats)
    assert table.state.clock is not None
    caller = table.state.clock.seats[0]
    called = table.when(MakeMove(Raise(1, 3)), actor=actor_of(table, caller), secret=SECRET).accepted()
    clock = called.events[-1]
    assert isinstance(clock, ClockStarted)
    assert clock.robot_seat is None


def test_a_robot_whose_partner_leaves_is_asked_for_the_answer_in_what_is_left_of_the_time() -> None:
    table = opened((SeatTaken("ana"), SeatTaken("bia"), SeatTaken(robot="simple"), SeatTaken(robot="simple")))
    assert table.state.clock is not None
    caller = table.state.clock.seats[0]
    called = table.when(MakeMove(Raise(1, 3)), actor=actor_of(table, caller), secret=SECRET).accepted()
    asked = called.state.clock
    assert asked is not None
    person = next(seat for seat in asked.seats if seat < 2)
    left = called.when(
        LeaveTable(), at=NOON + timedelta(seconds=1), actor=actor_of(called, person), secret=SECRET
    ).accepted()
    clock = left.events[-1]
    assert isinstance(clock, ClockStarted)
    assert (clock.robot_seat, clock.due_at) == (person + 2, asked.due_at)
    assert TABLE.publish(clock, called.state, left.state) is not None


def test_the_end_is_published_with_seats_and_result_and_nothing_else_is() -> None:
    left = opened(ONE_PERSON).when(LeaveTable(), actor=ANA, secret=SECRET).accepted()
    message = TABLE.publish(left.events[-1], left.state, left.state)
    assert message is not None
    closed = events_pb2.TableClosed.FromString(message.data)
    assert closed.preset == "truco-paulista"
    assert [seat.player_id for seat in closed.seats] == ["ana", "", "", ""]
    assert closed.room == view_pb2.ROOM_LIVRE
    assert all(
        TABLE.publish(event, left.state, left.state) is None
        for event in left.events
        if not isinstance(event, ClockStarted | TableEnded)
    )


def test_b065_the_secret_is_in_no_view_before_the_end_and_in_every_view_after() -> None:
    table = opened(ONE_PERSON)
    viewers = (None, 0, 1, 2, 3)
    assert all(TABLE.view(table.state, viewer).secret == "" for viewer in viewers)
    left = table.when(LeaveTable(), actor=ANA, secret=SECRET).accepted()
    assert all(TABLE.view(left.state, viewer).secret == SECRET.hex() for viewer in viewers)


def test_b101_a_card_held_back_from_an_earlier_hand_is_stale() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    card = table.state.game_state.hands[seat][0]
    held_back = MakeMove(PlayCard(hand=1, trick=1, card=card))
    called = table.when(MakeMove(Raise(1, 3)), actor=actor_of(table, seat), secret=SECRET).accepted()
    folded = called.when(
        MakeMove(Fold(1, 3)), actor=actor_of(called, (seat + 1) % 4), secret=SECRET
    ).accepted()
    assert folded.state.game_state.hand == 2
    folded.when(held_back, actor=actor_of(folded, seat), secret=SECRET).then_rejected("STALE")


def test_g06_claiming_the_seat_ends_an_absence_but_gives_no_more_than_the_full_time() -> None:
    table = opened()
    clock = table.state.clock
    assert clock is not None
    seat = clock.seats[0]
    actor = actor_of(table, seat)
    for second in (3, 7, 11):
        at = NOON + timedelta(seconds=second)
        table = table.when(LeaveTable(), at=at, actor=actor, secret=SECRET).accepted()
        assert table.state.clock is not None
        assert table.state.clock.due_at == at + timedelta(seconds=2)
        back = at + timedelta(seconds=1)
        table = table.when(ClaimSeat(f"device-{second}"), at=back, actor=actor, secret=SECRET).accepted()
        assert SeatClaimed(seat, f"device-{second}") in table.events
        assert not table.state.seats[seat].absent
        assert table.state.clock is not None
        assert table.state.clock.due_at == clock.due_at


def test_claiming_a_seat_in_play_leaves_the_clock_alone() -> None:
    table = opened()
    assert table.state.clock is not None
    seat = table.state.clock.seats[0]
    table.when(ClaimSeat("device"), actor=actor_of(table, seat), secret=SECRET).then(
        SeatClaimed(seat, "device")
    )


def test_a_robots_seat_cannot_be_claimed() -> None:
    table = opened(ONE_PERSON)
    table.when(ClaimSeat("device"), actor=robot_actor(1), secret=SECRET).then_rejected("NOT_SEATED")
