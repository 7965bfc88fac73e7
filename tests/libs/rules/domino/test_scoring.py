"""What a round is worth (D-05 to D-08) and when the match is over (D-09)."""

import pytest

from libs.rules.domino.events import MatchEnded, RoundEnded
from libs.rules.domino.game import DOMINO as GAME
from tests.libs.rules.domino.tables import ChanceMatch, Table, only


def test_b049_the_batida_is_worth_the_two_opponents_pips():
    table = Table({0: "1-2", 1: "5-5 0-1", 2: "6-3", 3: "4-2"}, ends=(2, 4), to_play=0)
    ended = only(table.play(0, "1-2", "left"), RoundEnded)
    assert ended.pips == (0, 11, 9, 6)
    assert (ended.winner_side, ended.points, ended.score) == (0, 17, (17, 0))


@pytest.mark.parametrize(
    ("last", "ends"), [("2-4", (2, 4)), ("0-0", (0, 2)), ("4-4", (4, 4)), ("2-6", (2, 3))], ids=str
)
def test_b049_no_tile_that_one_goes_out_with_pays_more(last, ends):
    """A tile that fits both ends, the 0-0, a double, and a plain one."""
    table = Table({0: last, 1: "5-5 0-1", 2: "6-3", 3: "1-5"}, ends=ends, to_play=0)
    assert only(table.play(0, last, "left"), RoundEnded).points == 17


def test_d05_the_partners_pips_do_not_count():
    for partner in ("0-0", "6-6 6-5"):
        table = Table({1: "1-2", 0: "5-5", 3: partner, 2: "4-2"}, ends=(2, 4), to_play=1)
        ended = only(table.play(1, "1-2", "left"), RoundEnded)
        assert (ended.winner_side, ended.points) == (1, 16)


def test_b050_a_block_is_won_by_the_pair_with_fewer_pips_and_pays_the_others():
    table = Table({0: "2-4 0-1", 1: "0-5", 2: "5-6", 3: "0-6"}, ends=(2, 4), to_play=0, played=(0, 1, 2, 3))
    ended = only(table.play(0, "2-4", "right"), RoundEnded)
    assert ended.pips == (1, 5, 11, 6)
    assert (ended.ending, ended.winner_side, ended.points, ended.score) == ("blocked", 1, 12, (0, 12))


def test_d06_a_block_pays_the_losers_pips_alone():
    table = Table({0: "2-4 0-1", 1: "5-6", 2: "0-0", 3: "5-5"}, ends=(2, 4), to_play=0)
    ended = only(table.play(0, "2-4", "right"), RoundEnded)
    assert (ended.winner_side, ended.points) == (0, 21)


@pytest.mark.parametrize(("locker", "winner"), [(0, 1), (1, 0), (2, 1), (3, 0)])
def test_d07_equal_pips_lose_for_who_blocked(locker, winner):
    """Each pair has 11 in hand; the next starter is the winning pair's last player."""
    rest = ["0-1", "0-5", "5-5", "0-6"]
    hands = {seat: tiles + (" 2-4" if seat == locker else "") for seat, tiles in enumerate(rest)}
    played = tuple((locker + step) % 4 for step in (1, 2, 3))
    table = Table(hands, ends=(2, 4), to_play=locker, played=played)
    ended = only(table.play(locker, "2-4", "right"), RoundEnded)
    assert ended.pips == (1, 5, 10, 6)
    assert (ended.ending, ended.winner_side, ended.points) == ("blocked_tied", winner, 11)
    assert ended.next_starter == (locker + 3) % 4
    assert table.state.score[winner] == 11


def test_d08_no_round_is_worth_nothing():
    rounds = 0
    for number in range(60):
        for event in ChanceMatch(f"worth-{number}").play().log:
            if isinstance(event, RoundEnded):
                rounds += 1
                assert event.points >= 1
    assert rounds > 200


@pytest.mark.parametrize(("before", "after", "is_over"), [(32, 49, False), (33, 50, True), (49, 66, True)])
def test_d09_fifty_or_more_wins_the_match(before, after, is_over):
    hands = {0: "1-2", 1: "5-5 0-1", 2: "6-3", 3: "4-2"}
    table = Table(hands, ends=(2, 4), to_play=0, score=(before, 49))
    events = table.play(0, "1-2", "left")
    assert table.state.score == (after, 49)
    assert any(isinstance(event, MatchEnded) for event in events) is is_over
    result = GAME.result(table.state)
    assert (result is not None) is is_over
    if result is not None:
        assert (result.winners, result.score) == ((0,), (after, 49))
        assert events[-1] == MatchEnded(0, (after, 49))
        assert table.refused(0, table.move("0-0")) == "MATCH_OVER"
    else:
        assert table.state.deal.round == 3


def test_d09_one_pair_scores_a_round_and_the_match_goes_on_until_fifty():
    for number in range(40):
        match = ChanceMatch(f"race-{number}").play()
        score = (0, 0)
        for event in match.log:
            if isinstance(event, RoundEnded):
                assert max(score) < 50
                grown = [now - then for now, then in zip(event.score, score, strict=True)]
                assert grown[event.winner_side] == event.points
                assert grown[1 - event.winner_side] == 0
                score = event.score
        assert max(score) >= 50
        assert match.state.winner == score.index(max(score))
