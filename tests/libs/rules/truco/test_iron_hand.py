"""Mão de ferro: both sides at eleven, played blind."""

import pytest

from libs.rules.game import Seat
from libs.rules.truco.events import HandDealt, TrickEnded
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import DeclineElevenHand, PlayCard, PlayElevenHand, Raise
from tests.libs.rules.truco.tables import Table, hand_ended, only, winner_of

IRON = (11, 11)


def by_position(table, position, *, covered=False):
    return PlayCard(1, table.trick, position=position, covered=covered)


def test_r20_nobody_answers_and_nobody_looks_at_the_partner():
    table = Table(score=IRON)
    for seat in range(4):
        assert table.refused(seat, PlayElevenHand(1)) == "WRONG_PHASE"
        assert table.refused(seat, DeclineElevenHand(1)) == "WRONG_PHASE"
    assert table.state.to_play == 0


def test_b069_r20_blind_no_view_holds_a_face_that_was_not_played():
    table = Table({0: "KC 4C 7C"}, score=IRON)
    for viewer in (0, 1, 2, 3, None):
        view = GAME.view(table.state, None if viewer is None else Seat(viewer))
        assert view.blind
        assert all(hand.cards == () and hand.count == 3 for hand in view.hands)
        assert view.hands[0].positions == ((0, 1, 2) if viewer == 0 else ())
        assert all(legal.move.card is None for legal in view.legal_moves if isinstance(legal.move, PlayCard))
    table.do(0, by_position(table, 1))
    view = GAME.view(table.state, Seat(1))
    assert view.tricks[0].cards[0].card == "4C"
    assert GAME.view(table.state, Seat(0)).hands[0].positions == (0, 2)


def test_r20_blind_a_play_names_a_position_as_dealt():
    table = Table({0: "KC 4C 7C"}, score=IRON)
    for card in ("KC", "4C", "9X"):
        assert table.refused(0, PlayCard(1, 1, card=card)) == "POSITION_REQUIRED"
    assert table.refused(0, PlayCard(1, 1)) == "POSITION_REQUIRED"
    assert table.refused(0, PlayCard(1, 1, card="KC", position=0)) == "POSITION_REQUIRED"
    for position in (-1, 3, 99):
        assert table.refused(0, by_position(table, position)) == "CARD_NOT_IN_HAND"
    table.do(0, by_position(table, 0))
    assert table.state.hands[0] == ("4C", "7C")


def test_r20_a_position_that_was_played_is_no_longer_held():
    table = Table({0: "3C 4C 7C", 1: "4E", 2: "6C", 3: "6P"}, score=IRON)
    for seat in range(4):
        table.do(seat, by_position(table, 0))
    assert table.state.to_play == 0
    assert table.refused(0, by_position(table, 0)) == "CARD_NOT_IN_HAND"
    table.do(0, by_position(table, 2))
    assert table.state.hands[0] == ("4C",)


def test_r21_in_a_blind_hand_a_follower_may_cover_and_the_card_stays_hidden_and_loses():
    table = Table({0: "4C", 1: "5P", 2: "6C", 3: "4P"}, score=IRON)
    assert table.refused(0, by_position(table, 0, covered=True)) == "COVERED_LEAD"
    table.do(0, by_position(table, 0))
    table.do(1, by_position(table, 0, covered=True))
    for viewer in (0, 1, 2, 3, None):
        played = GAME.view(table.state, None if viewer is None else Seat(viewer)).tricks[0].cards[1]
        assert (played.card, played.covered) == (None, True)
    table.do(2, by_position(table, 0))
    assert only(table.do(3, by_position(table, 0)), TrickEnded).winner_seat == 2


def test_r20_the_winner_of_the_hand_wins_the_match():
    table = Table({0: "3C 2C", 1: "4E 6E", 2: "4C 6C", 3: "4P 6P"}, score=IRON)
    for _ in range(2):
        for seat in range(4):
            events = table.do(seat, by_position(table, _))
    assert winner_of(events) == 0
    assert table.state.score == (12, 11)


TIES = {0: "KC QC JC", 1: "KE QE JE", 2: "4C 4E 6E", 3: "4P 6C 6P"}


@pytest.mark.parametrize(
    "switches", [{}, {"triple_tie_raised": "opponent", "triple_tie_eleven_hand": "opponents3"}]
)
def test_r20_three_ties_are_played_again_with_the_next_dealer(switches):
    table = Table(TIES, score=IRON, **switches)
    for position in range(3):
        for seat in range(4):
            events = table.do(seat, by_position(table, position))
    assert hand_ended(events) == (None, 0)
    dealt = only(events, HandDealt)
    assert (dealt.dealer, dealt.iron_hand, dealt.blind) == (0, True, True)


@pytest.mark.parametrize(
    ("rule", "consequence"),
    [("opponents_once", "loses_match"), ("any_loses", "loses_match"), ("any_pays3", "opponents_score_three")],
)
@pytest.mark.parametrize("iron_hand", ["blind", "open"])
def test_r20_any_call_loses_the_match(rule, consequence, iron_hand):
    table = Table(score=IRON, raise_in_eleven_hand=rule, iron_hand=iron_hand)
    assert table.state.value == 1
    assert {table.consequences(0)[Raise(1, value)] for value in (3, 6, 9, 12)} == {consequence}
    assert winner_of(table.call(0, 3)) == 1


def test_r20_open_one_sees_one_s_own_cards_alone_and_names_them():
    table = Table({0: "KC 4C 7C"}, score=IRON, iron_hand="open")
    view = GAME.view(table.state, Seat(0))
    assert not view.blind
    assert view.iron_hand
    assert [hand.cards for hand in view.hands] == [("KC", "4C", "7C"), (), (), ()]
    assert table.refused(0, by_position(table, 0)) == "CARD_REQUIRED"
    table.play(0, "4C")


def test_r22_in_a_blind_hand_the_clock_plays_the_last_position():
    table = Table({0: "KC 4C 7C"}, score=IRON)
    assert GAME.automatic_move(table.state, Seat(0)) == by_position(table, 2)
    table.do(0, by_position(table, 2))
    assert table.state.plays[0].card == "7C"
