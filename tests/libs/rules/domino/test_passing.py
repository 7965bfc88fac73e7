"""Passing is nobody's choice (D-04), and a block is seen at once (D-03)."""

import typing

import msgspec
import pytest

from libs.rules.domino import moves
from libs.rules.domino.events import MatchEnded, RoundEnded, SeatPassed, TilePlayed
from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.state import held_tiles
from libs.rules.domino.tiles import HALVES
from tests.libs.rules.domino.tables import SEATS, ChanceMatch, Table, only, passes


def test_b048_who_can_play_must_and_who_cannot_passes_at_once():
    """There is no move to pass with, and what does not fit is refused: who can play has no other way."""
    assert moves.DominoMove is moves.PlayTile
    assert not typing.get_args(moves.DominoMove)
    table = Table({0: "1-3 4-4", 1: "0-5 2-2", 2: "3-4", 3: "0-1"}, ends=(3, 5), to_play=1)
    assert table.choices(1) == [("0-5", "right")]
    assert table.refused(1, table.move("2-2", "left")) == "TILE_DOES_NOT_FIT"
    table = Table({0: "3-4 5-6", 1: "2-2 0-1", 2: "3-3", 3: "6-6"}, ends=(3, 6), to_play=0)
    events = table.play(0, "5-6", "right")
    assert [type(event) for event in events] == [TilePlayed, SeatPassed]
    assert passes(events) == [1]
    assert table.state.to_play == 2
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert (awaited.seats, awaited.seconds) == ((2,), 20)


def test_d04_several_seats_may_pass_in_a_row_and_the_turn_come_back():
    table = Table({0: "1-3 1-1 2-2", 1: "0-0", 2: "0-4", 3: "4-4"}, ends=(3, 1), to_play=0)
    events = table.play(0, "1-3", "left")
    assert passes(events) == [1, 2, 3]
    assert [event.next_seat for event in events] == [1, 2, 3, 0]
    assert table.state.to_play == 0
    assert table.choices(0) == [("1-1", "left"), ("1-1", "right")]


def test_d04_a_pass_is_what_the_rules_say_in_every_match():
    """By chance: who passed had nothing that fits, who plays has something, and nobody is left out."""
    passed = 0
    for number in range(30):
        match = ChanceMatch(f"passes-{number}")
        while not match.is_over:
            for event in match.step():
                if not isinstance(event, SeatPassed):
                    continue
                passed += 1
            state = match.state
            if state.ends is None or match.is_over:
                continue
            last = state.plays[-1]
            seats = [one.seat for one in state.passes if one.turn == state.turn]
            assert seats == [(last.seat + step) % 4 for step in range(1, len(seats) + 1)]
            assert state.to_play == (last.seat + len(seats) + 1) % 4
            for seat in seats:
                assert not fitting(state, seat)
            assert fitting(state, state.to_play)
    assert passed > 100


def fitting(state, seat):
    return [tile for tile in held_tiles(state, seat) if set(HALVES[tile]) & set(state.ends)]


def test_d03_a_block_ends_the_round_at_once_without_passes():
    table = Table({0: "2-4 0-1", 1: "5-6", 2: "0-0", 3: "5-5"}, ends=(2, 4), to_play=0)
    events = table.play(0, "2-4", "right")
    assert passes(events) == []
    assert only(events, RoundEnded).ending == "blocked"
    assert table.state.deal.round == 3


def test_d03_going_out_with_a_tile_that_blocks_is_going_out():
    table = Table({0: "2-4", 1: "5-6", 2: "0-1", 3: "0-0"}, ends=(2, 4), to_play=0)
    ended = only(table.play(0, "2-4", "right"), RoundEnded)
    assert (ended.ending, ended.winner_side, ended.points, ended.next_starter) == ("went_out", 0, 11, 0)


def test_d03_a_round_goes_on_while_one_hand_fits():
    table = Table({0: "2-4 0-1", 1: "5-6", 2: "0-0", 3: "2-5"}, ends=(2, 4), to_play=0)
    events = table.play(0, "2-4", "right")
    assert passes(events) == [1, 2]
    assert table.state.to_play == 3


@pytest.mark.parametrize("end", ["left", "right"])
def test_d10_a_tile_that_fits_both_ends_needs_a_choice(end):
    table = Table({0: "3-5 4-1", 1: "3-3 5-5", 2: "2-2", 3: "6-6"}, ends=(3, 5), to_play=0)
    assert table.choices(0) == [("3-5", "left"), ("3-5", "right")]
    assert table.refused(0, table.move("3-5")) == "END_REQUIRED"
    table.play(0, "3-5", end)
    assert table.state.ends == ((5, 5) if end == "left" else (3, 3))


def test_d10_equal_ends_need_a_choice_too():
    table = Table({0: "3-5 0-0", 1: "1-3", 2: "2-2", 3: "6-6"}, ends=(3, 3), to_play=0)
    assert table.refused(0, table.move("3-5")) == "END_REQUIRED"
    assert table.choices(0) == [("3-5", "left"), ("3-5", "right")]
    table.play(0, "3-5", "right")
    assert table.state.ends == (3, 5)


def test_b053_a_tile_for_both_ends_needs_a_side():
    hands = {0: "3-5 4-1 0-0", 1: "3-3 5-5", 2: "2-2", 3: "6-6"}
    table = Table(hands, ends=(3, 5), to_play=0)
    assert table.refused(0, table.move("3-5")) == "END_REQUIRED"
    for end in ("left", "right", None):
        refusal = "TILE_DOES_NOT_FIT" if end else "END_REQUIRED"
        assert table.refused(0, table.move("4-1", end)) == refusal
    table.play(0, "3-5", "left")
    assert table.state.ends == (5, 5)
    table = Table(hands, ends=(3, 5), to_play=0)
    table.play(0, "3-5", "right")
    assert table.state.ends == (3, 3)


def test_a_tile_names_its_end_even_where_it_fits_one_only():
    table = Table({0: "3-4 0-0", 1: "4-4", 2: "2-2", 3: "6-6"}, ends=(3, 5), to_play=0)
    assert table.refused(0, table.move("3-4")) == "END_REQUIRED"
    assert table.refused(0, table.move("3-4", "right")) == "TILE_DOES_NOT_FIT"
    table.play(0, "3-4", "left")
    assert table.state.ends == (4, 5)


def test_the_line_is_a_chain_in_every_match():
    """Each tile joins its end with the number that was open there."""
    for number in range(20):
        match = ChanceMatch(f"line-{number}").play()
        line: list[int] = []
        for event in match.log:
            if not isinstance(event, TilePlayed):
                continue
            low, high = HALVES[event.tile]
            if event.end is None:
                line = [low, high]
            elif event.end == "left":
                assert line[0] in (low, high)
                line.insert(0, low + high - line[0])
            else:
                assert line[-1] in (low, high)
                line.append(low + high - line[-1])
            assert event.ends == (line[0], line[-1])


def test_a_finished_match_awaits_nobody():
    match = ChanceMatch("end").play()
    assert isinstance(match.log[-1], MatchEnded)
    assert all(GAME.legal_moves(match.state, seat) == () for seat in SEATS)
    assert msgspec.json.encode(match.log[-1])
