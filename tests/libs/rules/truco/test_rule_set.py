"""The rule set of truco-paulista: its defaults, and every value of every switch as text."""

import msgspec
import pytest

from libs.rules.game import InvalidRuleSetError
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from tests.libs.rules.truco.tables import SWITCH_VALUES


def test_the_defaults_are_those_of_the_rulings():
    assert GAME.preset == "truco-paulista"
    assert GAME.switches(GAME.rule_set({})) == {name: values[0] for name, values in SWITCH_VALUES.items()}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in SWITCH_VALUES.items() for value in values]
)
def test_every_value_is_read_and_written_as_text(name, value):
    rules = GAME.rule_set({name: value})
    assert GAME.switches(rules)[name] == value
    assert GAME.rule_set(GAME.switches(rules)) == rules
    assert msgspec.json.decode(msgspec.json.encode(rules), type=type(rules)) == rules


@pytest.mark.parametrize(("text", "value"), [("on", "true"), ("off", "false")])
def test_r15_on_and_off_are_read_too(text, value):
    assert GAME.switches(GAME.rule_set({"raise_cap": text}))["raise_cap"] == value


def test_r23_signals_are_not_played_yet():
    with pytest.raises(InvalidRuleSetError, match="not played yet"):
        GAME.rule_set({"signals": "true"})


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"covr": "off"}, "did you mean cover"),
        ({"cover": "sometimes"}, "not_leader, off"),
        ({"cover": ""}, "not_leader, off"),
        ({"raise_cap": "yes"}, "true or false"),
        ({"card_seconds": "4"}, "from 5 to 600"),
        ({"card_seconds": "601"}, "from 5 to 600"),
        ({"card_seconds": "-20"}, "from 5 to 600"),
        ({"card_seconds": "٢٠"}, "from 5 to 600"),
        ({"card_seconds": "9" * 6_000}, "from 5 to 600"),
        ({"": "x"}, "there is no switch ''"),
    ],
)
def test_a_wrong_switch_is_named_with_what_would_be_right(switches, message):
    with pytest.raises(InvalidRuleSetError, match=message):
        GAME.rule_set(switches)
