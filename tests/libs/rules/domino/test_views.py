"""A view tells what its viewer may know, and nothing that depends on anything else."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from libs.rules.domino.events import RoundEnded
from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.view import DominoView, RoundDealtSeen
from libs.rules.game import Rejection, Seat
from tests.libs.rules.domino.situations import (
    hidden_tiles,
    hidden_twin,
    running_matches,
    thinkable_moves,
    viewers,
)
from tests.libs.rules.domino.tables import SEATS, ChanceMatch, Table, conserved


def as_bytes(value):
    return msgspec.json.encode(value)


@settings(max_examples=100)
@given(match=running_matches(), viewer=viewers(), seed=st.integers(0, 2**16))
def test_g11_states_that_differ_in_hidden_tiles_alone_give_equal_views_and_refusals(match, viewer, seed):
    state = match.state
    twin, _ = hidden_twin(state, viewer, random.Random(seed))
    conserved(twin)
    assert as_bytes(GAME.view(twin, viewer)) == as_bytes(GAME.view(state, viewer))
    if viewer is None:
        return
    for move in thinkable_moves(state):
        here = GAME.decide(state, viewer, move, match.draws)
        there = GAME.decide(twin, viewer, move, match.draws)
        if isinstance(here, Rejection):
            assert here == there, move
        else:
            assert not isinstance(there, Rejection), move


@settings(max_examples=60)
@given(match=running_matches(), viewer=viewers(), seed=st.integers(0, 2**16))
def test_g11_a_tile_that_somebody_plays_is_told_alike_in_both(match, viewer, seed):
    """The tile itself is told alike; who must pass after it, and what a round that it ends counts, the tiles decide."""
    state = match.state
    twin, _ = hidden_twin(state, viewer, random.Random(seed))
    seat = Seat(state.to_play)
    for item in GAME.legal_moves(state, seat):
        there = GAME.decide(twin, seat, item.move, match.draws)
        if isinstance(there, Rejection):
            continue
        here = GAME.decide(state, seat, item.move, match.draws)
        told = [
            replace(GAME.observe(events[0], state, state, viewer), next_seat=None) for events in (here, there)
        ]
        assert as_bytes(told[0]) == as_bytes(told[1])


def test_the_twins_do_differ():
    different = 0
    for number in range(40):
        match = ChanceMatch(f"twins-{number}")
        for _ in range(number % 20):
            match.step()
        twin, _ = hidden_twin(match.state, Seat(0), random.Random(number))
        different += twin != match.state
    assert different >= 35


@settings(max_examples=100)
@given(match=running_matches(), viewer=viewers())
def test_g11_no_hidden_tile_stands_anywhere_in_a_view(match, viewer):
    view = GAME.view(match.state, viewer)
    # The opening names the 6-6, which everybody knows of.
    text = as_bytes(replace(view, opening=None)).decode()
    for tile in hidden_tiles(match.state, viewer):
        assert f'"{tile}"' not in text


@settings(max_examples=50)
@given(match=running_matches(), viewer=viewers())
def test_every_view_goes_through_json_and_back(match, viewer):
    view = GAME.view(match.state, viewer)
    assert msgspec.json.decode(as_bytes(view), type=DominoView) == view


def test_a_seat_sees_its_own_tiles_in_dealt_order_and_the_others_as_counts():
    table = Table({0: "6-6 0-1 5-3"})
    table.play(0, "6-6")
    view = GAME.view(table.state, Seat(0))
    assert [hand.count for hand in view.hands] == [6, 7, 7, 7]
    assert view.hands[0].tiles == table.state.deal.tiles[0][1:]
    assert view.hands[0].tiles[:2] == ("0-1", "3-5")
    assert all(hand.tiles == () for hand in view.hands[1:])
    assert (view.round, view.turn, view.ends, view.seat, view.opening) == (1, 2, (6, 6), 0, "6-6")


def test_a_spectator_sees_no_hand_and_may_do_nothing():
    view = GAME.view(Table().state, None)
    assert all(hand.tiles == () and hand.count == 7 for hand in view.hands)
    assert (view.legal_moves, view.seat, view.ends) == ((), None, None)


def test_a_view_tells_what_was_played_and_who_passed():
    table = Table({0: "3-4 5-6", 1: "2-2 0-1", 2: "3-3", 3: "6-6"}, ends=(3, 6), to_play=0)
    events = table.play(0, "5-6", "right")
    view = GAME.view(table.state, None)
    assert [view.plays[-1], *view.passes] == events
    assert (view.to_play, view.ends) == (2, (3, 5))


def test_a_finished_match_shows_every_tile():
    match = ChanceMatch("shown").play()
    view = GAME.view(match.state, None)
    assert (view.phase, view.winner, view.to_play) == ("over", match.state.winner, None)
    assert sum(hand.count for hand in view.hands) == sum(len(hand.tiles) for hand in view.hands) > 0


def test_a_match_that_was_not_dealt_has_no_view():
    with pytest.raises(ValueError, match="first deal"):
        GAME.view(GAME.initial(GAME.rule_set({}), 4), None)


def test_g11_a_deal_is_told_without_its_tiles_and_a_round_that_is_over_with_its_pips_alone():
    match = ChanceMatch("told").play()
    for viewer in (None, *SEATS):
        assert GAME.observe(match.log[0], match.state, match.state, viewer) == RoundDealtSeen(
            1, match.log[0].starter, "6-6"
        )
    ended = next(event for event in match.log if isinstance(event, RoundEnded))
    assert GAME.observe(ended, match.state, match.state, None) == ended
    assert "-" not in as_bytes(ended).decode()
