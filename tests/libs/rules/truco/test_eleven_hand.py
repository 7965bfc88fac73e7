"""Mão de onze: the look, the answer, and who may raise."""

import pytest

from libs.rules.game import Seat
from libs.rules.truco.events import (
    ElevenHandDeclined,
    ElevenHandPlayed,
    FoldProposed,
    HandDealt,
    IllegalRaisePunished,
    MatchEnded,
    RaiseAccepted,
)
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import AcceptRaise, DeclineElevenHand, Fold, PlayCard, PlayElevenHand, Raise
from tests.libs.rules.truco.tables import Table, hand_ended, only, winner_of

ELEVEN_FOUR = (11, 4)


def faces(table, viewer, owner):
    return GAME.view(table.state, None if viewer is None else Seat(viewer)).hands[owner].cards


def test_r17_the_side_at_eleven_looks_and_answers_before_any_card():
    table = Table(score=ELEVEN_FOUR)
    assert table.state.value == 1
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (0, 2)
    assert awaited.is_answer
    for seat in (0, 2):
        assert table.moves(seat) == [PlayElevenHand(1), DeclineElevenHand(1)]
        for card in table.state.hands[seat]:
            assert table.refused(seat, PlayCard(1, 1, card=card)) == "WRONG_PHASE"
    for seat in (1, 3):
        assert table.moves(seat) == []
        assert table.refused(seat, PlayElevenHand(1)) == "NOT_YOUR_TURN"
        assert table.refused(seat, DeclineElevenHand(1)) == "NOT_YOUR_TURN"


def test_r17_the_first_asked_is_the_next_of_the_side_in_order_of_play():
    awaited = GAME.awaited(Table(score=(4, 11), leader=2).state)
    assert awaited is not None
    assert awaited.seats == (3, 1)


@pytest.mark.parametrize("seat", [0, 2])
def test_r17_accepting_plays_for_three(seat):
    table = Table(score=ELEVEN_FOUR)
    assert only(table.play_eleven_hand(seat), ElevenHandPlayed) == ElevenHandPlayed(1, seat, 3, (1,))
    assert table.state.value == 3
    for other in (0, 2):
        assert table.refused(other, DeclineElevenHand(1)) == "STALE"


@pytest.mark.parametrize("seat", [0, 2])
def test_r17_declining_gives_one_and_the_deal_moves_on(seat):
    table = Table(score=ELEVEN_FOUR)
    events = table.decline_eleven_hand(seat)
    assert only(events, ElevenHandDeclined).seat == seat
    assert hand_ended(events) == (1, 1)
    dealt = only(events, HandDealt)
    assert (dealt.hand, dealt.dealer, dealt.awaits_eleven_answer) == (2, 0, True)


def test_r17_declining_at_eleven_to_ten_leads_to_the_mao_de_ferro():
    table = Table(score=(10, 11))
    dealt = only(table.decline_eleven_hand(1), HandDealt)
    assert dealt.iron_hand
    assert dealt.eleven_side is None


def test_r17_silence_declines():
    table = Table(score=ELEVEN_FOUR)
    assert GAME.automatic_move(table.state, Seat(0)) == DeclineElevenHand(1)
    table = Table(score=ELEVEN_FOUR, answer_timeout="accept")
    assert GAME.automatic_move(table.state, Seat(2)) == DeclineElevenHand(1)


def test_b069_r17_only_the_side_at_eleven_sees_its_six_cards_and_only_before_the_answer():
    table = Table(score=(11, 5))
    hands = table.state.hands
    for viewer in (0, 2):
        assert faces(table, viewer, 0) == hands[0]
        assert faces(table, viewer, 2) == hands[2]
        assert faces(table, viewer, 1) == faces(table, viewer, 3) == ()
    for viewer in (1, 3, None):
        assert faces(table, viewer, 0) == faces(table, viewer, 2) == ()
    table.play_eleven_hand(0)
    assert faces(table, 0, 2) == faces(table, 2, 0) == ()
    assert faces(table, 0, 0) == hands[0]


def test_r17_without_the_look_the_hand_simply_starts_at_three():
    table = Table(score=ELEVEN_FOUR, eleven_decision="none")
    assert table.state.value == 3
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert (awaited.seats, awaited.is_answer) == ((0,), False)
    assert faces(table, 0, 2) == ()
    assert table.refused(0, PlayElevenHand(1)) == "WRONG_PHASE"


def test_r17_outside_a_mao_de_onze_there_is_nothing_to_answer():
    table = Table()
    assert table.refused(0, PlayElevenHand(1)) == "WRONG_PHASE"
    assert table.refused(0, DeclineElevenHand(1)) == "WRONG_PHASE"


def test_r13_declining_needs_both_where_running_does():
    table = Table(score=ELEVEN_FOUR, answer="run_needs_both")
    assert table.decline_eleven_hand(0) == [FoldProposed(1, 0)]
    assert table.refused(0, PlayElevenHand(1)) == "STALE"
    assert table.moves(2) == [PlayElevenHand(1), DeclineElevenHand(1)]
    assert only(table.decline_eleven_hand(2), ElevenHandDeclined).seat == 2


def test_r13_one_partner_who_plays_binds_the_mao_de_onze():
    table = Table(score=ELEVEN_FOUR, answer="run_needs_both")
    table.decline_eleven_hand(2)
    table.play_eleven_hand(0)
    assert table.state.folding == ()


@pytest.mark.parametrize("rule", ["opponents_once", "any_loses", "any_pays3"])
@pytest.mark.parametrize("window", ["own_turn", "anytime"])
def test_r18_until_the_answer_every_raise_is_out_of_phase(rule, window):
    table = Table(score=ELEVEN_FOUR, raise_in_eleven_hand=rule, raise_window=window)
    for seat in range(4):
        for value in (3, 6):
            assert table.refused(seat, Raise(1, value)) == "WRONG_PHASE"


@pytest.mark.parametrize("value", [3, 6, 9, 12])
def test_b036_r18_the_side_at_eleven_that_calls_loses_the_match(value):
    table = Table(score=ELEVEN_FOUR)
    table.play_eleven_hand(2)
    assert table.consequences(0)[Raise(1, value)] == "loses_match"
    events = table.call(0, value)
    assert events == [IllegalRaisePunished(1, 0, "loses_match"), MatchEnded(1, (11, 4))]
    result = GAME.result(table.state)
    assert result is not None
    assert (result.winners, result.score) == ((1,), (11, 4))


def test_b036_a_value_that_is_no_step_is_no_call():
    table = Table(score=ELEVEN_FOUR)
    table.play_eleven_hand(0)
    for value in (-1, 0, 1, 2, 4, 13, 2**31):
        assert table.refused(0, Raise(1, value)) == "RAISE_NOT_ALLOWED"
    assert table.refused(2, Raise(1, 3)) == "NOT_YOUR_TURN"


def _opponents_on_turn(**switches):
    table = Table({0: "KC"}, score=ELEVEN_FOUR, **switches)
    if table.state.awaits_eleven_answer:
        table.play_eleven_hand(0)
    table.play(0, "KC")
    return table


def test_r18_the_opponents_may_call_six_once():
    table = _opponents_on_turn()
    table.call(1, 6)
    assert table.consequences(0) == {
        AcceptRaise(1, 6): "",
        Fold(1, 6): "",
        Raise(1, 9): "loses_match",
        Raise(1, 12): "loses_match",
    }
    assert only(table.accept(2), RaiseAccepted).may_raise_sides == ()
    assert table.state.value == 6
    assert table.refused(1, Raise(1, 9)) == "RAISE_NOT_ALLOWED"


def test_r18_running_from_six_gives_three():
    table = _opponents_on_turn()
    table.call(1, 6)
    assert hand_ended(table.fold(0)) == (1, 3)


def test_r18_a_counter_by_the_side_at_eleven_loses_the_match():
    table = _opponents_on_turn()
    table.call(1, 6)
    assert table.refused(0, Raise(1, 6)) == "STALE"
    assert winner_of(table.call(2, 9)) == 1


def test_r18_after_an_accepted_six_a_call_by_the_side_at_eleven_still_loses():
    table = _opponents_on_turn()
    table.call(1, 6)
    table.accept(0)
    for seat in (1, 2, 3):
        if seat == 2:
            assert table.consequences(2)[Raise(1, 9)] == "loses_match"
            assert table.refused(2, Raise(1, 3)) == "STALE"
        table.play(seat, table.state.hands[seat][0])


@pytest.mark.parametrize(
    ("rule", "consequence"), [("any_loses", "loses_match"), ("any_pays3", "opponents_score_three")]
)
def test_r18_elsewhere_a_call_by_either_side_is_punished(rule, consequence):
    table = _opponents_on_turn(raise_in_eleven_hand=rule)
    assert GAME.view(table.state, Seat(1)).may_raise_sides == ()
    assert table.consequences(1)[Raise(1, 6)] == consequence
    events = table.call(1, 6)
    assert only(events, IllegalRaisePunished) == IllegalRaisePunished(1, 1, consequence)
    assert winner_of(events) == 0


def test_r18_any_pays3_ends_the_hand_and_pays_three():
    table = Table(score=ELEVEN_FOUR, raise_in_eleven_hand="any_pays3", raise_window="anytime")
    table.play_eleven_hand(0)
    events = table.call(2, 6)
    assert hand_ended(events) == (1, 3)
    assert table.state.score == (11, 7)
    assert only(events, HandDealt).hand == 2


def test_r18_the_switches_hold_where_there_is_no_answer_to_give():
    table = Table(score=ELEVEN_FOUR, eleven_decision="none", raise_in_eleven_hand="any_loses")
    assert winner_of(table.call(0, 6)) == 1
    table = _opponents_on_turn(eleven_decision="none")
    table.call(1, 6)


def test_r15_the_cap_holds_in_a_mao_de_onze():
    table = Table({0: "KC"}, score=(11, 9), raise_cap="on")
    assert only(table.play_eleven_hand(0), ElevenHandPlayed).may_raise_sides == ()
    table.play(0, "KC")
    assert table.refused(1, Raise(1, 6)) == "RAISE_NOT_ALLOWED"


TIES = {0: "KC QC JC", 1: "KE QE JE", 2: "4C 4E 6E", 3: "4P 6C 6P"}


@pytest.mark.parametrize(("rule", "scored"), [("none", (None, 0)), ("opponents3", (1, 3))])
def test_r19_three_ties_in_a_mao_de_onze(rule, scored):
    table = Table(TIES, score=ELEVEN_FOUR, triple_tie_eleven_hand=rule)
    table.play_eleven_hand(0)
    for plays in ("0:KC 1:KE 2:4C 3:4P", "0:QC 1:QE 2:4E 3:6C", "0:JC 1:JE 2:6E 3:6P"):
        events = table.play_trick(plays)
    assert hand_ended(events) == scored


def test_r19_three_ties_in_the_mao_de_onze_of_the_second_side():
    table = Table(TIES, score=(4, 11), triple_tie_eleven_hand="opponents3")
    table.play_eleven_hand(1)
    for plays in ("0:KC 1:KE 2:4C 3:4P", "0:QC 1:QE 2:4E 3:6C", "0:JC 1:JE 2:6E 3:6P"):
        events = table.play_trick(plays)
    assert hand_ended(events) == (0, 3)


@pytest.mark.parametrize(("score", "side"), [(ELEVEN_FOUR, 0), ((4, 11), 1), ((4, 4), None)])
def test_r17_everybody_is_told_whose_mao_de_onze_it_is(score, side):
    table = Table(score=score)
    for viewer in (None, 0, 1, 2, 3):
        seat = None if viewer is None else Seat(viewer)
        assert GAME.view(table.state, seat).eleven_side == side


def test_r18_nobody_is_shown_a_right_to_answer_a_raise_with_a_forbidden_one():
    table = _opponents_on_turn()
    table.call(1, 6)
    for seat in range(4):
        assert GAME.view(table.state, Seat(seat)).may_raise_sides == ()


def test_r19_goes_before_the_rule_for_raised_hands():
    table = Table(TIES, score=ELEVEN_FOUR, triple_tie_eleven_hand="opponents3", triple_tie_raised="opponent")
    table.play_eleven_hand(0)
    table.play(0, "KC")
    table.call(1, 6)
    table.accept(0)
    table.play_trick("1:KE 2:4C 3:4P")
    for plays in ("0:QC 1:QE 2:4E 3:6C", "0:JC 1:JE 2:6E 3:6P"):
        events = table.play_trick(plays)
    assert hand_ended(events) == (1, 3)
