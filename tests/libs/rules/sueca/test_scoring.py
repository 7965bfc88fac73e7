"""What hands of Sueca are worth, what ties carry, and when a match ends."""

import pytest

from libs.rules.game import Result
from libs.rules.sueca.events import HandEnded, MatchEnded
from libs.rules.sueca.game import SUECA as GAME
from tests.libs.rules.sueca.tables import LastTrick, dealt, only, replayed

NOTHING = "2C 3C 4C 5C"
"""A last trick without points; seat 3 wins it."""


def ended(points, *, tricks=5, cards=NOTHING, **table):
    """The end of a hand in which side 0 has these card points and, of the nine tricks before the last, so many."""
    return LastTrick(
        cards, won=(0,) * tricks + (1,) * (9 - tricks), points=points, trump="6E", **table
    ).finish()


def hand(events):
    found = only(events, HandEnded)
    return found.winner_side, found.points, tuple(found.score), found.carry


@pytest.mark.parametrize(
    ("points", "worth"),
    [(61, 1), (90, 1), (91, 2), (118, 2), (120, 2)],
)
def test_b044_s04_a_decided_hand_is_worth_one_or_from_91_on_two(points, worth):
    """120 with nine tricks is no bandeira."""
    assert hand(ended(points, tricks=8)) == (0, worth, (worth, 0), 0)
    assert hand(ended(120 - points, tricks=1)) == (1, worth, (0, worth), 0)


def test_s04_all_ten_tricks_are_four_and_end_the_match():
    events = ended(120, tricks=9, cards="6C 2C 3C 4C")
    assert only(events, HandEnded).is_bandeira
    assert hand(events) == (0, 4, (4, 0), 0)
    assert only(events, MatchEnded) == MatchEnded(0, (4, 0))


def test_s04_120_points_in_nine_tricks_are_no_bandeira():
    events = ended(120, tricks=9)
    assert not only(events, HandEnded).is_bandeira
    assert hand(events) == (0, 2, (2, 0), 0)


def test_b044_s05_a_tie_scores_nobody_and_is_carried_also_over_a_restart():
    first = LastTrick(NOTHING, won=(0,) * 5 + (1,) * 4, points=60, trump="6E")
    before = first.state
    events = first.finish()
    assert hand(events) == (None, 0, (0, 0), 1)
    state = replayed(before, first.log[1:])
    assert state == first.state
    assert (state.score, state.carry) == ((0, 0), 1)
    assert hand(ended(61, carry=state.carry)) == (0, 2, (2, 0), 0)


@pytest.mark.parametrize(("tie_carry", "carried", "worth"), [("cumulative", 2, 3), ("single", 1, 2)])
def test_b044_s05_two_ties_running(tie_carry, carried, worth):
    """Then 70-50: three points where each tie counts (`cumulative`), two where the carry is never more than one (`single`)."""
    assert hand(ended(60, carry=1, tie_carry=tie_carry)) == (None, 0, (0, 0), carried)
    assert hand(ended(70, carry=carried, tie_carry=tie_carry)) == (0, worth, (worth, 0), 0)


def test_s05_the_carry_goes_to_whoever_wins_and_is_then_used_up():
    events = ended(40, carry=2)
    assert hand(events) == (1, 3, (0, 3), 0)


def test_s06_a_bandeira_is_recorded_as_four_whatever_is_carried():
    events = ended(120, tricks=9, cards="6C 2C 3C 4C", carry=3)
    assert hand(events) == (0, 4, (4, 0), 0)


@pytest.mark.parametrize(
    ("score", "carry", "points", "shown"),
    [((3, 3), 0, 100, (4, 3)), ((2, 0), 4, 61, (4, 0)), ((3, 1), 0, 20, None), ((1, 3), 0, 59, (1, 4))],
)
def test_s07_four_or_more_ends_the_match_and_the_score_shown_stops_at_four(score, carry, points, shown):
    table = LastTrick(NOTHING, won=(0,) * 5 + (1,) * 4, points=points, trump="6E", score=score, carry=carry)
    events = table.finish()
    if shown is None:
        assert only(events, HandEnded).score == (3, 3)
        assert dealt(events).hand == 2
        assert GAME.result(table.state) is None
        return
    side = shown.index(4)
    assert events[-1] == MatchEnded(side, shown)
    assert GAME.result(table.state) == Result((side,), shown)
    assert GAME.awaited(table.state) is None
    assert table.refused(0, table.card("2C")) == "MATCH_OVER"


def test_the_card_points_of_both_sides_are_told_and_are_120():
    assert only(ended(83), HandEnded).card_points == (83, 37)
