"""A view tells what its viewer may know, and nothing that depends on anything else."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.rules.game import Rejection, Seat
from libs.rules.truco import views
from libs.rules.truco.events import HandDealt
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import PlayCard
from libs.rules.truco.view import CardPlayedSeen, HandDealtSeen, PendingRaise, TrucoView
from tests.libs.rules.truco.situations import (
    hidden_cards,
    hidden_twin,
    running_matches,
    thinkable_moves,
    viewers,
)
from tests.libs.rules.truco.tables import SEATS, Table


def seated(match, viewer):
    """The viewer as one of this match's seats, of which there are four or six."""
    return None if viewer is None else Seat(viewer % match.state.players)


def as_bytes(value):
    return msgspec.json.encode(value)


@settings(max_examples=150)
@given(match=running_matches(), viewer=viewers(), seed=st.integers(0, 2**16))
def test_g11_states_that_differ_in_hidden_cards_alone_give_equal_views_and_refusals(match, viewer, seed):
    viewer = seated(match, viewer)
    state = match.state
    twin, _ = hidden_twin(state, viewer, random.Random(seed))
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


@settings(max_examples=150)
@given(match=running_matches(), viewer=viewers(), seed=st.integers(0, 2**16))
def test_g11_states_that_differ_in_hidden_cards_alone_give_equal_updates(match, viewer, seed):
    """Each move of anyone that shows no hidden card is told the viewer alike in both."""
    viewer = seated(match, viewer)
    state = match.state
    twin, card = hidden_twin(state, viewer, random.Random(seed))
    hidden = hidden_cards(state, viewer)
    for seat in match.seats:
        for legal in GAME.legal_moves(state, seat):
            here = legal.move
            there = here
            if isinstance(here, PlayCard):
                face = here.card if here.card is not None else state.dealt[seat][here.position or 0]
                if face in hidden and not here.covered:
                    continue
                if here.card is not None:
                    there = msgspec.structs.replace(here, card=card[here.card])
            assert told(match, state, seat, here, viewer) == told(match, twin, seat, there, viewer)


def told(match, state, seat, move, viewer):
    decision = GAME.decide(state, seat, move, match.draws)
    assert not isinstance(decision, Rejection)
    seen = []
    for event in decision:
        after = GAME.evolve(state, event)
        seen.append(as_bytes(GAME.observe(event, state, after, viewer)))
        state = after
    return seen


@settings(max_examples=150)
@given(match=running_matches(), viewer=viewers())
def test_g11_no_hidden_card_stands_anywhere_in_a_view(match, viewer):
    viewer = seated(match, viewer)
    text = as_bytes(GAME.view(match.state, viewer)).decode()
    for card in hidden_cards(match.state, viewer):
        assert f'"{card}"' not in text


@settings(max_examples=100)
@given(match=running_matches(), viewer=viewers())
def test_every_view_goes_through_json_and_back(match, viewer):
    viewer = seated(match, viewer)
    view = GAME.view(match.state, viewer)
    assert msgspec.json.decode(as_bytes(view), type=TrucoView) == view


def test_a_seat_sees_its_own_cards_in_dealt_order_and_the_others_as_counts():
    table = Table({0: "KC 4C 7C"})
    table.play(0, "4C")
    view = GAME.view(table.state, Seat(0))
    assert [(hand.seat, hand.count) for hand in view.hands] == [(0, 2), (1, 3), (2, 3), (3, 3)]
    assert view.hands[0].cards == ("KC", "7C")
    assert view.hands[0].positions == (0, 2)
    assert all(hand.cards == hand.positions == () for hand in view.hands[1:])
    assert (view.vira, view.manilha, view.trick, view.seat) == ("4O", "5", 1, 0)


def test_a_spectator_sees_no_hand_and_may_do_nothing():
    view = GAME.view(Table().state, None)
    assert all(hand.cards == hand.positions == () and hand.count == 3 for hand in view.hands)
    assert view.legal_moves == ()
    assert view.seat is None


def test_only_who_may_act_is_told_of_moves():
    table = Table(signals="false")
    assert GAME.view(table.state, Seat(0)).legal_moves
    for seat in (1, 2, 3):
        assert GAME.view(table.state, Seat(seat)).legal_moves == ()


def test_a_view_says_what_is_waited_for_and_who_may_raise():
    table = Table()
    assert (GAME.view(table.state, None).phase, GAME.view(table.state, None).may_raise_sides) == (
        "play",
        (0, 1),
    )
    table.call(0, 3)
    view = GAME.view(table.state, Seat(1))
    assert (view.phase, view.pending_raise, view.may_raise_sides) == (
        "answer_raise",
        PendingRaise(0, 3),
        (1,),
    )
    table.accept(1)
    view = GAME.view(table.state, None)
    assert (view.phase, view.value, view.may_raise_sides, view.pending_raise) == ("play", 3, (1,), None)


def test_nobody_may_raise_a_hand_of_twelve():
    table = Table()
    for caller, value in enumerate((3, 6, 9, 12)):
        table.call(caller % 2, value)
    table.accept(0)
    assert GAME.view(table.state, None).may_raise_sides == ()


def test_the_tricks_of_a_view_tell_the_story_of_the_hand():
    table = Table({0: "3C 2C", 1: "4E", 2: "4C", 3: "4P"})
    table.play_trick("0:3C 1:4E! 2:4C 3:4P")
    table.play(0, "2C")
    over, running = GAME.view(table.state, None).tricks
    assert (over.leader, over.is_over, over.winner_seat) == (0, True, 0)
    assert [(played.seat, played.card, played.covered) for played in over.cards] == [
        (0, "3C", False), (1, None, True), (2, "4C", False), (3, "4P", False),
    ]  # fmt: skip
    assert (running.leader, running.is_over, running.winner_seat) == (0, False, None)
    assert [played.card for played in running.cards] == ["2C"]


def test_a_match_that_a_call_ended_shows_the_trick_as_it_stood():
    table = Table({0: "3C", 1: "4E"}, score=(11, 0))
    table.play_eleven_hand(0)
    table.play_trick("0:3C 1:4E!")
    table.call(2, 6)
    view = GAME.view(table.state, None)
    assert (view.phase, view.winner, view.trick) == ("over", 1, 1)
    assert [played.card for played in view.tricks[-1].cards] == ["3C", "4E"]


def test_a_match_that_was_not_dealt_has_no_view():
    with pytest.raises(ValueError, match="first deal"):
        GAME.view(GAME.initial(GAME.rule_set({}), 4), None)


def test_a_deal_is_told_without_its_cards():
    table = Table()
    deal = table.log[0]
    assert isinstance(deal, HandDealt)
    for viewer in (None, *SEATS):
        assert GAME.observe(deal, table.state, table.state, viewer) == HandDealtSeen(1, 3, "4O", 1, False)


def test_everybody_is_told_which_card_was_played_to_which_trick_and_of_a_covered_one_that_it_is_covered():
    table = Table({0: "3C 2C", 1: "4E 6E", 2: "4C 6C", 3: "4P 6P"})
    (played,) = table.do(0, PlayCard(1, 1, card="3C"))
    assert views.observe(played) == CardPlayedSeen(1, 1, 0, "3C", covered=False)
    (covered,) = table.do(1, PlayCard(1, 1, card="6E", covered=True))
    assert views.observe(covered) == CardPlayedSeen(1, 1, 1, None, covered=True)
