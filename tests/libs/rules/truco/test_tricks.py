"""Who wins a trick, and by its tricks a hand."""

from itertools import product

import pytest

from libs.rules.truco.events import HandDealt, TrickEnded
from libs.rules.truco.moves import PlayCard
from libs.rules.truco.state import Play
from libs.rules.truco.tricks import OUTCOMES, trick_winner
from tests.libs.rules.truco.tables import Table, hand_ended, only


def test_b027_r08_a_tied_first_trick_leaves_the_hand_to_the_second():
    table = Table({0: "KC 4C", 1: "KE 3E", 2: "6C 7O", 3: "QO 6P"})
    tied = table.play_trick("0:KC 1:KE 2:6C 3:QO")
    assert only(tied, TrickEnded).winner_seat is None
    events = table.play_trick("0:4C 1:3E 2:7O 3:6P")
    assert hand_ended(events) == (1, 1)
    assert table.state.score == (0, 1)
    assert only(events, HandDealt).hand == 2, "the third cards are neither asked for nor shown"


def test_b028_r08_a_tied_second_trick_goes_to_who_won_the_first():
    table = Table({0: "3C KC", 1: "QE KE", 2: "6C 4P", 3: "7E 6E"})
    table.play_trick("0:3C 1:QE 2:6C 3:7E")
    events = table.play_trick("0:KC 1:KE 2:4P 3:6E")
    assert hand_ended(events) == (0, 1)
    assert table.state.score == (1, 0)


def test_b028_r08_a_tied_third_trick_goes_to_who_won_the_first():
    table = Table({0: "3C 4C AC", 1: "QE 3E AP", 2: "6C 6P QC", 3: "7E 7O 4E"})
    table.play_trick("0:3C 1:QE 2:6C 3:7E")
    assert not [e for e in table.play_trick("0:4C 1:3E 2:6P 3:7O") if isinstance(e, HandDealt)]
    events = table.play_trick("1:AP 2:QC 3:4E 0:AC")
    assert only(events, TrickEnded).winner_seat is None
    assert hand_ended(events) == (0, 1)


def test_r08_three_tied_tricks_score_nobody_and_the_deal_moves_on():
    table = Table({0: "KC QC JC", 1: "KE QE JE", 2: "4C 4E 6E", 3: "4P 6C 6P"})
    for plays in ("0:KC 1:KE 2:4C 3:4P", "0:QC 1:QE 2:4E 3:6C", "0:JC 1:JE 2:6E 3:6P"):
        events = table.play_trick(plays)
    assert hand_ended(events) == (None, 0)
    assert table.state.score == (0, 0)
    assert only(events, HandDealt).dealer == 0


def _best_of_three(tricks):
    """R-08 in its own words, apart from the table: undecided is "?", nobody is None."""
    wins = [tricks.count(side) for side in (0, 1)]
    for side in (0, 1):
        if wins[side] == 2:
            return side
    if None in tricks and len(tricks) > 1:
        decided = [side for side in tricks if side is not None]
        if decided:
            return decided[0]
        return None if len(tricks) == 3 else "?"
    return "?"


def test_r08_the_table_of_results_is_complete():
    for count in (1, 2, 3):
        for tricks in product((0, 1, None), repeat=count):
            is_reachable = all(_best_of_three(tricks[:n]) == "?" for n in range(1, count))
            if is_reachable:
                assert OUTCOMES.get(tricks, "?") == _best_of_three(tricks), tricks


def test_r05_the_winner_of_a_trick_leads_the_next():
    table = Table({0: "4C", 1: "KE", 2: "6C", 3: "3O"})
    assert only(table.play_trick("0:4C 1:KE 2:6C 3:3O"), TrickEnded).next_leader == 3
    assert table.state.to_play == 3


def test_r05_of_two_partners_with_the_highest_card_the_first_leads():
    table = Table({0: "KC", 1: "4E", 2: "KE", 3: "6C"}, leader=2)
    ended = only(table.play_trick("2:KE 3:6C 0:KC 1:4E"), TrickEnded)
    assert (ended.winner_seat, ended.next_leader) == (2, 2)


def test_r07_equal_cards_of_partners_alone_are_no_tie():
    plays = (Play(0, "3C", False), Play(1, "KE", False), Play(2, "3E", False), Play(3, "6C", False))
    assert trick_winner("4O", plays)[0] == 0


def test_r07_a_trick_is_tied_when_both_sides_show_the_highest():
    plays = (Play(0, "3C", False), Play(1, "KE", False), Play(2, "3E", False), Play(3, "3O", False))
    assert trick_winner("4O", plays) == (None, 0, 3)


def test_r07_manilhas_never_tie():
    plays = tuple(Play(seat, card, False) for seat, card in enumerate(("5O", "5E", "5P", "5C")))
    assert trick_winner("4O", plays)[0] == 2


@pytest.mark.parametrize(("rule", "leader"), [("same_leader", 3), ("first_tied", 0), ("last_tied", 2)])
def test_r06_who_leads_after_a_tied_trick(rule, leader):
    table = Table({3: "4C", 0: "KC", 1: "KE", 2: "KO"}, leader=3, tie_leader=rule)
    ended = only(table.play_trick("3:4C 0:KC 1:KE 2:KO"), TrickEnded)
    assert (ended.winner_seat, ended.next_leader) == (None, leader)
    assert table.state.to_play == leader


def test_r24_sure_winners_are_not_shown_the_hand_is_played_out():
    table = Table({0: "5P 5C 4C", 1: "4E", 2: "6C", 3: "6P"}, score=(11, 0), eleven_decision="none")
    table.play_trick("0:5P 1:4E 2:6C 3:6P")
    assert table.state.to_play == 0, "with the two highest manilhas the second trick is still played"
    assert {type(move) for move in table.moves(0) if not table.consequences(0)[move]} == {PlayCard}
