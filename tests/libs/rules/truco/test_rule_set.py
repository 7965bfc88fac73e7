"""The rule set of truco-paulista: its defaults, and every value of every switch as text."""

import msgspec
import pytest

from libs.rules.game import InvalidRuleSetError
from libs.rules.truco.game import TRUCO_003, TRUCO_004
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from tests.libs.rules.truco.tables import OTHER_HOUSES, SWITCH_VALUES


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


def test_the_other_houses_differ_as_the_rulings_say():
    """Every row of the rulings' table: R-09, R-10, R-15, R-17, R-18, R-19, R-20, R-21, R-23."""
    own = GAME.switches(GAME.rule_set({}))
    for game in (TRUCO_003, TRUCO_004):
        theirs = game.switches(game.rule_set({}))
        changed = {name: value for name, value in theirs.items() if value != own[name]}
        assert changed == OTHER_HOUSES[f"as {game.preset}"]


def test_r03_six_play_at_truco_004_alone():
    assert (GAME.player_counts, TRUCO_003.player_counts, TRUCO_004.player_counts) == ((4,), (4,), (4, 6))
    with pytest.raises(ValueError, match="not played by 6"):
        GAME.initial(GAME.rule_set({}), 6)


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
