"""A view tells what its viewer may know, and nothing that depends on anything else."""

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.rules.game import Rejection, Seat
from libs.rules.mau_mau.cards import FACES
from libs.rules.mau_mau.events import CardsDealt, CardsDrawn, PenaltyTaken, PileShuffled
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.view import (
    CardsDealtSeen,
    CardsDrawnSeen,
    MauMauView,
    PenaltyTakenSeen,
    PileShuffledSeen,
)
from tests.libs.rules.mau_mau.situations import hidden_twin, running_matches, seats, thinkable_moves
from tests.libs.rules.mau_mau.tables import Table, conserved, only
from tests.libs.rules.proof.matches import ChanceMatch

viewers = st.sampled_from([None, *map(Seat, range(8))])


def seated(match, viewer):
    return None if viewer is None else Seat(viewer % match.players)


def as_bytes(value):
    return msgspec.json.encode(value)


@settings(max_examples=50)
@given(match=running_matches(), viewer=viewers, seed=st.integers(0, 2**16))
def test_g11_states_that_differ_in_hidden_cards_alone_give_equal_views_and_refusals(match, viewer, seed):
    viewer = seated(match, viewer)
    state = match.state
    twin = hidden_twin(state, viewer, random.Random(seed))
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


@settings(max_examples=40)
@given(match=running_matches(), viewer=viewers, seed=st.integers(0, 2**16))
def test_g11_what_others_draw_is_told_alike_whatever_it_is(match, viewer, seed):
    """By the rule of one card; how many are drawn until one is legal everybody sees."""
    viewer = seated(match, viewer)
    state = match.state
    if state.rules.draw_rule != "one":
        return
    twin = hidden_twin(state, viewer, random.Random(seed))
    for seat in seats(match):
        for item in GAME.legal_moves(state, seat):
            there = GAME.decide(twin, seat, item.move, match.draws)
            if isinstance(there, Rejection) or type(item.move).__name__ not in (
                "DrawCard",
                "TakePenalty",
                "Accuse",
            ):
                continue
            here = GAME.decide(state, seat, item.move, match.draws)
            told = [
                [
                    as_bytes(GAME.observe(event, state, state, viewer))
                    for event in events
                    if not mine(event, viewer)
                ]
                for events in (here, there)
            ]
            assert told[0] == told[1]


def mine(event, viewer):
    return isinstance(event, CardsDrawn | PenaltyTaken) and event.seat == viewer


def test_the_twins_do_differ():
    different = 0
    for number in range(30):
        match = ChanceMatch(GAME, 4 + number % 5, f"twins-{number}").play(number)
        twin = hidden_twin(match.state, Seat(0), random.Random(number))
        different += twin.stock != match.state.stock and twin.hands[1] != match.state.hands[1]
    assert different >= 25


@settings(max_examples=40)
@given(match=running_matches(), viewer=viewers)
def test_g11_no_card_stands_in_a_view_but_ones_own_and_the_top(match, viewer):
    viewer = seated(match, viewer)
    view = GAME.view(match.state, viewer)
    shown = set() if viewer is None else set(match.state.hands[viewer])
    text = as_bytes(view).decode()
    for card in FACES:
        if card not in shown and card != match.state.pile[-1]:
            assert f'"{card}"' not in text


@settings(max_examples=40)
@given(match=running_matches(), viewer=viewers)
def test_every_view_goes_through_json_and_back(match, viewer):
    view = GAME.view(match.state, seated(match, viewer))
    assert msgspec.json.decode(as_bytes(view), type=MauMauView) == view


def test_a_seat_sees_its_own_cards_in_arrival_order_and_the_others_as_counts():
    table = Table({0: "5O 2P 3C"}, stock="KE")
    table.draw(0)
    view = GAME.view(table.state, Seat(0))
    assert [(hand.seat, hand.count) for hand in view.hands] == [(0, 4), (1, 2), (2, 2), (3, 2)]
    assert view.hands[0].cards == ("5O", "2P", "3C", "KE")
    assert all(hand.cards == () for hand in view.hands[1:])
    assert (view.top, view.suit, view.to_play, view.has_drawn, view.turn) == ("4O", "O", 0, True, 10)
    assert (view.stock_count, view.pile_count) == (len(table.state.stock), 1)


def test_a_spectator_sees_no_hand_and_may_do_nothing():
    view = GAME.view(Table(call="true").state, None)
    assert all(hand.cards == () and hand.count == 2 for hand in view.hands)
    assert (view.legal_moves, view.seat) == ((), None)


def test_a_view_tells_the_direction_the_penalty_and_the_named_suit():
    table = Table({0: "QO 2P", 3: "7O 2P"})
    table.play(0, "QO")
    table.play(3, "7O")
    view = GAME.view(table.state, None)
    assert (view.step, view.penalty, view.to_play) == (-1, 2, 2)
    table = Table({0: "JC 2P"})
    table.play(0, "JC", "E")
    assert (GAME.view(table.state, None).top, GAME.view(table.state, None).suit) == ("JC", "E")


def test_a_finished_match_shows_every_hand():
    match = ChanceMatch(GAME, 5, "shown").play()
    view = GAME.view(match.state, None)
    assert view.is_over
    assert (view.winner, view.to_play) == (match.state.winner, None)
    assert [hand.cards for hand in view.hands] == list(match.state.hands)


def test_a_match_that_was_not_dealt_has_no_view():
    with pytest.raises(ValueError, match="first deal"):
        GAME.view(GAME.initial(GAME.rule_set({}), 4), None)


def test_g11_a_deal_is_told_without_its_cards():
    table = Table(turned="7P", dealer=1)
    deal = only(table.log, CardsDealt)
    for viewer in (None, *map(Seat, range(4))):
        told = GAME.observe(deal, table.state, table.state, viewer)
        assert told == CardsDealtSeen(1, "7P", 2, 1, 2)


def test_g11_who_draws_is_told_the_cards_and_the_others_how_many():
    drawn = CardsDrawn(3, 1, ("5C", "6C"), "turn")
    taken = PenaltyTaken(3, 1, ("5C", "6C"), 2)
    assert GAME.observe(drawn, None, None, Seat(1)) == CardsDrawnSeen(3, 1, 2, "turn", ("5C", "6C"))
    assert GAME.observe(taken, None, None, Seat(1)) == PenaltyTakenSeen(3, 1, 2, 2, ("5C", "6C"))
    for viewer in (Seat(0), Seat(2), None):
        assert GAME.observe(drawn, None, None, viewer) == CardsDrawnSeen(3, 1, 2, "turn")
        assert GAME.observe(taken, None, None, viewer) == PenaltyTakenSeen(3, 1, 2, 2)


def test_g11_the_order_of_a_shuffle_is_told_to_nobody():
    shuffled = PileShuffled(1, ("5C", "6C", "7C"))
    for viewer in (None, *map(Seat, range(4))):
        assert GAME.observe(shuffled, None, None, viewer) == PileShuffledSeen(1, 3)


def test_legal_moves_stand_in_the_view_of_who_may_make_them():
    table = Table({0: "5O 2P"})
    assert GAME.view(table.state, Seat(0)).legal_moves == GAME.legal_moves(table.state, Seat(0)) != ()
    assert GAME.view(table.state, Seat(1)).legal_moves == ()
    assert Counter(type(item.move).__name__ for item in GAME.view(table.state, Seat(0)).legal_moves) == {
        "PlayCard": 1, "DrawCard": 1, "DrawAndGo": 1,
    }  # fmt: skip
