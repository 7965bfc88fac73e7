"""The preset and its switches."""

import pytest

from libs.rules.game import InvalidRuleSetError
from libs.rules.sueca.game import SUECA as GAME


def test_the_preset_is_what_the_ruling_says():
    assert GAME.preset == "sueca"
    assert GAME.player_counts == (4,)
    assert GAME.switches(GAME.rule_set({})) == {
        "tie_carry": "cumulative",
        "direction": "cw",
        "card_seconds": "20",
    }


@pytest.mark.parametrize(("name", "value"), [("card_seconds", "4"), ("card_seconds", "601"), ("carry", "1")])
def test_what_is_no_switch_or_no_value_is_refused(name, value):
    with pytest.raises(InvalidRuleSetError):
        GAME.rule_set({name: value})
