"""Dominó at the table: passes cost nobody time or strikes, and an absent seat is played at once (G-06, G-08; D-04)."""

from __future__ import annotations

from datetime import timedelta

from libs.rules.domino.events import RoundDealt, SeatPassed, TilePlayed
from services.table.events import ClockStarted, PlayedAutomatically, SeatBecameAbsent
from tests.services.table.test_decider import Table, act, opened, time_out, time_out_seat


def until_a_pass(table: Table) -> Table:
    """Everybody plays until a tile makes somebody pass."""
    for _ in range(200):
        table = act(table)
        if any(isinstance(event, SeatPassed) for event in table.events):
            return table
    raise AssertionError("a match without a pass")


def test_time_out_opens_the_first_round_with_the_6_6_and_counts() -> None:
    table = opened(preset="domino")
    dealt = next(event for event in table.events if isinstance(event, RoundDealt))
    clock = table.state.clock
    assert clock is not None
    assert clock.seats == (dealt.starter,)
    assert clock.due_at - clock.started_at == timedelta(seconds=20)
    events = time_out(table).events[-3:]
    assert events[0] == PlayedAutomatically(clock.turn, dealt.starter, 1)
    assert isinstance(events[1], TilePlayed)
    assert events[1].tile == "6-6"


def test_b048_a_pass_comes_with_the_tile_before_it_and_is_no_automatic_play() -> None:
    table = until_a_pass(opened(preset="domino"))
    passed = [event for event in table.events if isinstance(event, SeatPassed)][-1]
    assert not [event for event in table.events if isinstance(event, PlayedAutomatically)]
    assert all(seat.automatic_in_a_row == 0 for seat in table.state.seats)
    clock = table.state.clock
    assert clock is not None
    assert clock.seats == (passed.next_seat,)
    assert sum(isinstance(event, ClockStarted) for event in table.events) == 1 + sum(
        isinstance(event, TilePlayed) for event in table.events
    )


def test_g06_the_fourth_automatic_play_in_a_row_makes_absent_also_with_passes_between() -> None:
    table = opened(preset="domino")
    clock = table.state.clock
    assert clock is not None
    seat = clock.seats[0]
    thrice = time_out_seat(table, seat, 3)
    assert not thrice.state.seats[seat].absent
    fourth = time_out_seat(thrice, seat, 1)
    assert fourth.state.seats[seat].absent
    assert any(event == SeatBecameAbsent(seat, left=False) for event in fourth.events)
    while fourth.state.clock is not None and fourth.state.clock.seats != (seat,):
        fourth = act(fourth, fourth.state.clock.started_at)
    short = fourth.state.clock
    assert short is not None
    assert short.due_at - short.started_at == timedelta(seconds=2)
