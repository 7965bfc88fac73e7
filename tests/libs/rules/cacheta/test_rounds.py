"""The end of rounds and of the match: points, falling, void rounds and starters (C-11, C-12, C-13)."""

import msgspec
import pytest

from libs.rules.cacheta.events import (
    CardDrawn,
    MatchEnded,
    RoundDealt,
    RoundEnded,
    RoundVoided,
    StockReshuffled,
)
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import AnnounceNaBoa, DrawStock
from libs.rules.game import Result
from tests.libs.rules.cacheta.tables import OUT_OF_NINE, SEATS, Table, conserved, only


def emptied(**switches):
    """A table whose stock has just been drawn empty: 67 turns, and seat 3 is to draw."""
    table = Table(**switches)
    for number in range(67):
        table.turn(number % 4)
    assert table.state.stock == ()
    assert table.state.to_play == 3
    return table


def won_by(seat, points, ten=False, **more):
    """The events with which this seat goes out at these points."""
    table = Table({seat: OUT_OF_NINE}, starter=seat, points=points, stock="5C" if ten else "9Ea", **more)
    table.draw(seat)
    return table, table.out(seat, None if ten else "9E")


@pytest.mark.parametrize("empty_stock", ["reshuffle", "void"])
def test_c11_a_draw_from_an_empty_stock_makes_it_anew_or_voids_the_round(empty_stock):
    table = emptied(empty_stock=empty_stock)
    discards = table.state.discards
    events = table.move(3, DrawStock(*table.at))
    if empty_stock == "void":
        assert only(events, RoundVoided) == RoundVoided(1, "empty_stock", 1)
        assert only(events, RoundDealt).starter == 1
        return
    anew = only(events, StockReshuffled)
    assert sorted(anew.stock) == sorted(discards[:-1])
    assert only(events, CardDrawn).card == anew.stock[0]
    assert table.state.discards == discards[-1:]
    assert len(table.state.stock) == 65
    conserved(table.state)


@pytest.mark.parametrize("discards", [(), ("9Ea",)])
def test_c11_where_a_reshuffle_gives_nothing_the_round_is_void(discards):
    """With four players it never comes to that: the pile is made so."""
    table = Table()
    table.state = msgspec.structs.replace(table.state, stock=(), discards=discards)
    assert only(table.draw(0), RoundVoided).reason == "empty_stock"
    assert table.state.points == (10, 10, 10, 10)


def test_c11_with_an_empty_stock_the_discard_may_still_be_taken():
    table = emptied(empty_stock="void")
    table.take(3)
    assert table.at[0] == 1


def test_c11_each_reshuffle_of_a_round_is_a_draw_of_its_own():
    table = emptied()
    for number in range(67, 199):
        table.turn(number % 4)
    assert table.state.reshuffles == 2
    conserved(table.state)


def test_c11_in_a_void_round_nobody_loses_and_announcements_end():
    table = emptied(empty_stock="void", points=(3, 10, 7, 10))
    table.move(2, AnnounceNaBoa(1))
    table.draw(3)
    assert table.state.points == (3, 10, 7, 10)
    assert table.state.announced == ()
    assert (table.state.round, table.state.starter, table.state.to_play) == (2, 1, 1)


@pytest.mark.parametrize(
    ("points", "winner"), [((3, 9, 7, 8), 1), ((9, 9, 7, 8), None), ((10, 10, 10, 10), None)]
)
def test_c11_three_void_rounds_in_a_row_end_the_match_and_a_tie_is_a_draw(points, winner):
    table = emptied(empty_stock="void", points=points, voids=2)
    ended = only(table.move(3, DrawStock(*table.at)), MatchEnded)
    assert (ended.winner, ended.points) == (winner, points)
    result = Result(() if winner is None else (winner,), points)
    assert GAME.result(table.state) == result
    assert GAME.awaited(table.state) is None


def test_c11_a_round_that_is_won_breaks_the_row_of_void_ones():
    table, events = won_by(0, (10, 10, 10, 10), voids=2)
    only(events, RoundDealt)
    assert table.state.voids == 0


def test_c12_everybody_begins_with_ten_points():
    assert Table().state.points == (10, 10, 10, 10)


def test_c12_points_stop_at_none_several_fall_together_and_the_winner_never_does():
    table, events = won_by(1, (1, 1, 2, 5), ten=True)
    ended = only(events, RoundEnded)
    assert ended.points == (0, 1, 0, 3)
    assert ended.fallen == (0, 2)
    assert [len(hand) for hand in table.state.hands] == [0, 9, 0, 9]
    for seat in (0, 2):
        assert table.refused(seat, AnnounceNaBoa(2)) == "OUT_OF_THE_MATCH"
        assert table.legal(seat) == {}
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.out == (0, 2)


def test_c12_the_last_one_left_wins():
    table, events = won_by(1, (1, 4, 0, 1))
    assert only(events, MatchEnded) == MatchEnded(1, (0, 4, 0, 0))
    assert GAME.result(table.state) == Result((1,), (0, 4, 0, 0))
    assert all(GAME.legal_moves(table.state, seat) == () for seat in SEATS)
    conserved(table.state)


def test_c12_the_turn_passes_over_who_has_fallen_also_in_the_queue():
    table = Table(points=(5, 0, 5, 5), stock="KO")
    table.announce(3)
    table.turn(0)
    assert table.state.may_claim == (2, 3)
    table.pass_jump(2)
    table.pass_jump(3)
    assert table.state.to_play == 2


def test_c12_two_who_are_left_play_on_in_turn():
    table = Table(points=(0, 4, 0, 1), starter=1)
    for seat in (1, 3, 1, 3):
        assert table.state.to_play == seat
        table.turn(seat)


@pytest.mark.parametrize(
    ("starter", "points", "following"),
    [(0, (10, 10, 10, 10), 1), (3, (10, 10, 10, 10), 0), (0, (5, 0, 0, 5), 3), (2, (0, 5, 5, 0), 1)],
)
def test_c13_the_next_survivor_clockwise_starts_the_next_round(starter, points, following):
    _, events = won_by(starter, points)
    assert only(events, RoundDealt).starter == following


def test_c13_it_is_counted_from_the_last_starters_seat_even_if_that_one_has_fallen():
    table = Table({1: OUT_OF_NINE}, starter=0, points=(1, 5, 5, 5), stock="8Oa 9Ea")
    table.turn(0)
    table.draw(1)
    events = table.out(1, "9E")
    assert only(events, RoundEnded).fallen == (0,)
    assert only(events, RoundDealt).starter == 1
