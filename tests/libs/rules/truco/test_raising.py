"""Truco, seis, nove, doze: when one may call, who answers, and what it costs."""

import pytest

from libs.rules.truco.events import (
    FoldProposed,
    HandDealt,
    MatchEnded,
    RaiseAccepted,
    RaiseCalled,
    RaiseRefused,
)
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import AcceptRaise, Fold, PlayCard, Raise
from tests.libs.rules.truco.tables import Table, hand_ended, only, winner_of


def raised_to(value, table):
    """Calls and counters up to an accepted value; the first call is seat 0's, on its turn."""
    caller = 0
    for step in (3, 6, 9, 12):
        table.call(caller, step)
        if step == value:
            table.accept((caller + 1) % 4)
            return
        caller = (caller + 1) % 4


def test_b032_a_second_click_does_not_raise_again():
    table = Table()
    assert only(table.call(0, 3), RaiseCalled).value == 3
    assert table.refused(0, Raise(1, 3)) == "STALE"
    assert table.state.pending is not None
    assert table.state.pending.value == 3
    for seat in (1, 3):
        assert table.moves(seat) == [AcceptRaise(1, 3), Fold(1, 3), Raise(1, 6)]
    for seat in (0, 2):
        assert table.moves(seat) == []


def test_b033_r11_a_side_does_not_raise_twice_running():
    table = Table({0: "KC"})
    table.call(0, 3)
    table.accept(1)
    assert table.refused(0, Raise(1, 6)) == "RAISE_NOT_ALLOWED"
    assert table.refused(2, Raise(1, 6)) == "NOT_YOUR_TURN"
    table.play(0, "KC")
    table.call(1, 6)
    table.accept(2)
    assert table.refused(1, Raise(1, 9)) == "RAISE_NOT_ALLOWED"
    table.play(1, table.state.hands[1][0])
    assert only(table.call(2, 9), RaiseCalled) == RaiseCalled(1, 2, 9, 6)


def test_b033_r11_no_step_is_jumped():
    table = Table()
    for value in (6, 9, 12):
        assert table.refused(0, Raise(1, value)) == "RAISE_NOT_ALLOWED"


def test_b033_r10_nobody_raises_out_of_turn_in_own_turn():
    table = Table()
    for seat in (1, 2, 3):
        assert table.refused(seat, Raise(1, 3)) == "NOT_YOUR_TURN"
    assert Raise(1, 3) in table.moves(0)


def test_b033_nobody_plays_while_a_raise_is_pending():
    table = Table({0: "KC"})
    table.call(0, 3)
    for seat in range(4):
        for card in table.state.hands[seat]:
            assert table.refused(seat, PlayCard(1, 1, card=card)) == "WRONG_PHASE"


def test_r10_one_raises_before_one_s_card_and_not_after_it():
    table = Table({0: "KC", 1: "QE"})
    table.play(0, "KC")
    assert table.refused(0, Raise(1, 3)) == "NOT_YOUR_TURN"
    table.call(1, 3)


def test_r10_anytime_lets_every_player_of_an_entitled_side_raise():
    table = Table({0: "KC"}, raise_window="anytime")
    table.play(0, "KC")
    for seat in range(4):
        assert Raise(1, 3) in table.moves(seat)
    assert only(table.call(0, 3), RaiseCalled).seat == 0
    table.accept(3)
    assert table.state.to_play == 1, "the turn is whose it was"
    for seat in (0, 2):
        assert table.refused(seat, Raise(1, 6)) == "RAISE_NOT_ALLOWED"
    table.call(3, 6)


def test_r11_the_first_raise_is_open_to_either_side():
    table = Table({0: "KC"})
    table.play(0, "KC")
    assert table.call(1, 3)


def test_r11_a_counter_raise_accepts_the_value_before_it():
    table = Table()
    table.call(0, 3)
    assert only(table.call(3, 6), RaiseCalled) == RaiseCalled(1, 3, 6, 3)
    assert table.state.value == 3
    assert hand_ended(table.fold(2)) == (1, 3)


def test_r11_twelve_is_the_last_step():
    table = Table()
    raised_to(12, table)
    assert table.state.value == 12
    for seat in range(4):
        assert not [move for move in table.moves(seat) if isinstance(move, Raise)]
        assert table.refused(seat, Raise(1, 12)) == "STALE"


@pytest.mark.parametrize(("value", "points"), [(3, 1), (6, 3), (9, 6), (12, 9)])
def test_r12_who_runs_gives_the_value_before_the_call(value, points):
    table = Table()
    steps = [3, 6, 9, 12][: [3, 6, 9, 12].index(value) + 1]
    for caller, step in enumerate(steps):
        table.call(caller % 2, step)
    caller = (len(steps) - 1) % 2
    events = table.fold(1 - caller)
    assert only(events, RaiseRefused).value == value
    assert hand_ended(events) == (caller, points)
    assert only(events, HandDealt).hand == 2


def test_r12_nobody_concedes_without_a_call():
    table = Table()
    for seat in range(4):
        assert table.refused(seat, Fold(1, 3)) == "WRONG_PHASE"
        assert table.refused(seat, Fold(1, 1)) == "WRONG_PHASE"


@pytest.mark.parametrize("seat", [1, 3])
def test_r13_the_first_answer_of_either_partner_binds(seat):
    table = Table()
    table.call(0, 3)
    assert only(table.accept(seat), RaiseAccepted) == RaiseAccepted(1, seat, 3, (1,))


@pytest.mark.parametrize("first", ["accept", "fold"])
def test_b035_of_two_answers_the_first_counts_and_the_other_is_stale(first):
    table = Table()
    table.call(0, 3)
    if first == "accept":
        table.accept(1)
        assert table.refused(3, Fold(1, 3)) == "STALE"
        assert table.state.value == 3
    else:
        table.fold(3)
        assert table.refused(1, AcceptRaise(1, 3)) == "STALE"
        assert table.state.score == (1, 0)


def test_r13_the_calling_side_does_not_answer_itself():
    table = Table()
    table.call(0, 3)
    for seat in (0, 2):
        assert table.refused(seat, AcceptRaise(1, 3)) == "NOT_YOUR_TURN"
        assert table.refused(seat, Fold(1, 3)) == "NOT_YOUR_TURN"
        assert table.refused(seat, Raise(1, 6)) == "NOT_YOUR_TURN"


def test_r13_an_answer_names_the_value_that_it_answers():
    table = Table()
    table.call(0, 3)
    table.call(1, 6)
    assert table.refused(2, AcceptRaise(1, 3)) == "STALE"
    assert table.refused(2, Fold(1, 9)) == "RAISE_NOT_CALLED"


@pytest.mark.parametrize(("first", "second"), [(1, 3), (3, 1)])
def test_r13_run_needs_both_waits_for_the_partner(first, second):
    table = Table(answer="run_needs_both")
    table.call(0, 3)
    assert table.fold(first) == [FoldProposed(1, first)]
    assert table.moves(first) == []
    assert table.refused(first, Fold(1, 3)) == "STALE"
    assert table.refused(first, AcceptRaise(1, 3)) == "STALE"
    assert table.refused(first, Raise(1, 6)) == "STALE"
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (second,)
    assert GAME.view(table.state, None).folding_seats == (first,)
    assert hand_ended(table.fold(second)) == (0, 1)


@pytest.mark.parametrize("answer", ["accept", "raise"])
def test_r13_run_needs_both_is_overruled_by_one_partner(answer):
    table = Table(answer="run_needs_both")
    table.call(0, 3)
    table.fold(1)
    if answer == "accept":
        assert only(table.accept(3), RaiseAccepted).value == 3
    else:
        assert only(table.call(3, 6), RaiseCalled).accepted_value == 3
    assert table.state.folding == ()


@pytest.mark.parametrize(("switch", "expected"), [("run", Fold(1, 3)), ("accept", AcceptRaise(1, 3))])
def test_r14_a_side_that_does_not_answer_in_time(switch, expected):
    table = Table(answer_timeout=switch)
    table.call(0, 3)
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (1, 3)
    assert awaited.is_answer
    assert awaited.seconds == 20
    for seat in awaited.seats:
        assert GAME.automatic_move(table.state, seat) == expected
    table.do(1, expected)


def test_r14_run_needs_both_runs_when_both_stay_silent():
    table = Table(answer="run_needs_both")
    table.call(0, 3)
    moments = []
    while table.state.hand == 1:
        awaited = GAME.awaited(table.state)
        assert awaited is not None
        moments.append(awaited.moment)
        table.do(awaited.seats[0], GAME.automatic_move(table.state, awaited.seats[0]))
    assert len(set(moments)) == 2, "each silence has its own clock"
    assert table.state.score == (1, 0)


def test_r15_with_the_cap_nine_points_do_not_answer_truco_with_six():
    table = Table(score=(2, 9), raise_cap="on")
    table.call(0, 3)
    assert table.moves(1) == [AcceptRaise(1, 3), Fold(1, 3)]
    assert table.refused(1, Raise(1, 6)) == "RAISE_NOT_ALLOWED"
    assert only(table.accept(1), RaiseAccepted).may_raise_sides == ()
    table.play(0, table.state.hands[0][0])
    assert table.refused(1, Raise(1, 6)) == "RAISE_NOT_ALLOWED", "nor later"


def test_r15_the_cap_lets_who_is_short_raise():
    table = Table(score=(9, 2), raise_cap="on")
    table.call(0, 3)
    assert only(table.call(1, 6), RaiseCalled).value == 6


def test_r15_a_level_score_lifts_the_cap():
    table = Table(score=(9, 9), raise_cap="on")
    table.call(0, 3)
    table.call(1, 6)


def test_r15_without_the_switch_there_is_no_cap():
    table = Table(score=(2, 9), raise_cap="off")
    table.call(0, 3)
    table.call(1, 6)


def test_r16_the_score_is_capped_at_twelve():
    table = Table(score=(10, 2))
    table.call(0, 3)
    table.call(1, 6)
    table.call(0, 9)
    events = table.fold(1)
    assert hand_ended(events) == (0, 6)
    assert only(events, MatchEnded) == MatchEnded(0, (12, 2))
    result = GAME.result(table.state)
    assert result is not None
    assert result.winners == (0,)
    assert result.score == (12, 2)


def test_r16_the_hand_that_reaches_twelve_ends_the_match():
    table = Table({0: "3C 3E", 1: "4C 4E", 2: "6C 6E", 3: "7C 7E"}, score=(9, 0))
    table.call(0, 3)
    table.accept(1)
    table.play_trick("0:3C 1:4C 2:6C 3:7C")
    events = table.play_trick("0:3E 1:4E 2:6E 3:7E")
    assert winner_of(events) == 0
    assert not [event for event in events if isinstance(event, HandDealt)]
    assert GAME.awaited(table.state) is None
    assert table.refused(0, Raise(1, 3)) == "MATCH_OVER"


TIES = {0: "KC QC JC", 1: "KE QE JE", 2: "4C 4E 6E", 3: "4P 6C 6P"}
FIRST, SECOND, THIRD = "0:KC 1:KE 2:4C 3:4P", "0:QC 1:QE 2:4E 3:6C", "0:JC 1:JE 2:6E 3:6P"


def all_tied(table, plays):
    events = []
    for trick in plays:
        events = table.play_trick(trick)
    return hand_ended(events)


@pytest.mark.parametrize(
    ("rule", "scored"), [("none", (None, 0)), ("opponent", (1, 3)), ("opponent_unless_blind", (0, 3))]
)
def test_r09_three_ties_after_a_raise_on_an_empty_table(rule, scored):
    table = Table(TIES, triple_tie_raised=rule)
    table.call(0, 3)
    table.accept(1)
    assert all_tied(table, (FIRST, SECOND, THIRD)) == scored


@pytest.mark.parametrize(
    ("rule", "scored"), [("none", (None, 0)), ("opponent", (0, 3)), ("opponent_unless_blind", (0, 3))]
)
def test_r09_three_ties_after_a_raise_over_a_shown_card(rule, scored):
    table = Table(TIES, triple_tie_raised=rule)
    table.play(0, "KC")
    table.call(1, 3)
    table.accept(0)
    table.play_trick("1:KE 2:4C 3:4P")
    assert all_tied(table, (SECOND, THIRD)) == scored


def test_r09_the_last_accepted_raise_counts_and_the_points_are_three_whatever_the_value():
    table = Table(TIES, triple_tie_raised="opponent_unless_blind")
    table.call(0, 3)
    table.accept(1)
    table.play_trick(FIRST)
    table.play(0, "QC")
    table.call(1, 6)
    table.accept(0)
    table.play_trick("1:QE 2:4E 3:6C")
    assert all_tied(table, (THIRD,)) == (0, 3)


@pytest.mark.parametrize(("rule", "scored"), [("opponent", (0, 3)), ("opponent_unless_blind", (1, 3))])
def test_r09_the_raiser_may_be_any_of_its_side(rule, scored):
    table = Table(
        {3: "KC QC JC", 0: "KE QE JE", 1: "4C 4E 6E", 2: "4P 6C 6P"}, leader=3, triple_tie_raised=rule
    )
    table.call(3, 3)
    table.accept(0)
    plays = ("3:KC 0:KE 1:4C 2:4P", "3:QC 0:QE 1:4E 2:6C", "3:JC 0:JE 1:6E 2:6P")
    assert all_tied(table, plays) == scored


def test_r09_three_ties_without_a_raise_score_nobody():
    for rule in ("none", "opponent", "opponent_unless_blind"):
        assert all_tied(Table(TIES, triple_tie_raised=rule), (FIRST, SECOND, THIRD)) == (None, 0)
