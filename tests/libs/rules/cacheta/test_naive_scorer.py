"""The engine's points, starters, winners and melds equal those of a second scorer on whole matches."""

import pytest

from libs.rules.cacheta.events import JumpFailed, MatchEnded, RoundEnded, WentOut
from tests.libs.rules.cacheta.naive_scorer import expected_ends
from tests.libs.rules.cacheta.tables import robots_match

HOUSES = [
    {},
    {"cacheta_max_wilds": "1"},
    {"cacheta_max_wilds": "2", "four_suit_set": "true"},
    {"empty_stock": "void"},
]


@pytest.mark.parametrize("switches", HOUSES, ids=str)
def test_whole_matches_end_as_the_rulings_say(switches):
    points = (4, 4, 4, 4)
    match = robots_match(f"naive {switches}", switches, points)
    compared = 0
    for told, expected in expected_ends(match.log, points, switches):
        assert told == expected
        compared += 1
    kinds = {type(event) for event in match.log}
    assert {WentOut, RoundEnded, MatchEnded} <= kinds
    assert compared > 10


def test_a_claim_in_vain_is_one_that_the_second_judge_refuses_too():
    seen = 0
    for number in range(3):
        match = robots_match(f"vain {number}", {}, (3, 3, 3, 3))
        for told, expected in expected_ends(match.log, (3, 3, 3, 3), {}):
            assert told == expected
        seen += sum(isinstance(event, JumpFailed) for event in match.log)
    assert seen
