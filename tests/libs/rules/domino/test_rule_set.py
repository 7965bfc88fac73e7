"""The rule set of domino, its tiles, and its words: the small things that all the rest stands on."""

import msgspec
import pytest

from libs.rules.domino.events import EVENT_TYPES, RoundEnded
from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.story import tell
from libs.rules.domino.tiles import BEYOND, BITS, FITTING, HALVES, NAMES, PIPS, WITH_NUMBER
from libs.rules.game import InvalidRuleSetError
from tests.libs.rules.domino.tables import SEATS, SWITCH_VALUES, ChanceMatch


def test_the_defaults_are_those_of_the_rulings():
    assert (GAME.preset, GAME.player_counts) == ("domino", (4,))
    assert GAME.switches(GAME.rule_set({})) == {name: values[0] for name, values in SWITCH_VALUES.items()}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in SWITCH_VALUES.items() for value in values]
)
def test_every_value_is_read_and_written_as_text(name, value):
    rules = GAME.rule_set({name: value})
    assert GAME.switches(rules)[name] == value
    assert GAME.rule_set(GAME.switches(rules)) == rules
    assert msgspec.json.decode(msgspec.json.encode(rules), type=type(rules)) == rules


@pytest.mark.parametrize("value", ["cw", "ccw"])
def test_g02_the_direction_changes_nothing_but_the_drawing(value):
    """`direction` is `cw` unless it is set to `ccw`; seats are numbered in the order of play either way."""
    state = GAME.initial(GAME.rule_set({"direction": value}), 4)
    match = ChanceMatch("direction").play()
    for event in match.log:
        state = GAME.evolve(state, event)
    assert GAME.result(state) == GAME.result(match.state)


def test_g02_partners_sit_opposite():
    assert [GAME.side_of(seat) for seat in SEATS] == [0, 1, 0, 1]
    for players in (2, 3, 5, 6):
        with pytest.raises(ValueError, match="not played by"):
            GAME.initial(GAME.rule_set({}), players)


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"direction": "left"}, "ccw, cw"),
        ({"card_seconds": "4"}, "from 5 to 600"),
        ({"target": "100"}, "no switch"),
    ],
)
def test_a_wrong_switch_is_named_with_what_would_be_right(switches, message):
    with pytest.raises(InvalidRuleSetError, match=message):
        GAME.rule_set(switches)


def test_the_tables_of_tiles_say_what_the_tiles_show():
    assert len(set(NAMES)) == 28
    assert sum(PIPS.values()) == 168
    for name, (low, high) in HALVES.items():
        assert name == f"{low}-{high}"
        assert low <= high
        assert BEYOND[name] == ({low: high, high: low})
        for number in range(7):
            assert bool(WITH_NUMBER[number] & BITS[name]) == (number in (low, high))
            for other in range(7):
                assert bool(FITTING[number, other] & BITS[name]) == bool({number, other} & {low, high})


def test_the_stored_names_are_these_for_ever():
    assert {name: kind.__name__ for name, kind in EVENT_TYPES.items()} == {
        "domino.round_dealt": "RoundDealt",
        "domino.tile_played": "TilePlayed",
        "domino.seat_passed": "SeatPassed",
        "domino.round_ended": "RoundEnded",
        "domino.match_ended": "MatchEnded",
    }


def test_a_match_is_told_in_words_and_to_a_viewer_without_the_tiles_in_hands():
    match = ChanceMatch("tied-29").play()
    told = [tell(event) for event in match.log]
    seen = [tell(GAME.observe(event, match.state, match.state, None)) for event in match.log]
    assert told[0].startswith(f"{seen[0]}: seat 0 ")
    assert seen[0] == f"round 1, seat {match.log[0].starter} opens with 6-6"
    assert any("passes" in line for line in told)
    assert any("blocked it with equal pips" in line for line in told)
    assert "wins the match" in told[-1]
    for event, line, shown in zip(match.log, told, seen, strict=True):
        assert "\n" not in line
        if isinstance(event, RoundEnded):
            assert f"{event.points} to side {event.winner_side}" in line == shown
