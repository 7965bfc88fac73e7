"""The switches, the refusals, and the stored names."""

import pytest

from libs.rules.game import InvalidRuleSetError
from libs.rules.mau_mau.events import EVENT_TYPES
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import Accuse, DrawCard, Pass, TakePenalty
from libs.rules.mau_mau.rejections import Code
from tests.libs.rules.mau_mau.tables import SWITCH_VALUES, Table


def test_the_switches_are_these_and_take_these_values():
    assert set(GAME.switches(GAME.rule_set({}))) == set(SWITCH_VALUES)
    for name, values in SWITCH_VALUES.items():
        assert GAME.switches(GAME.rule_set({}))[name] == values[0]
        for value in values:
            assert GAME.switches(GAME.rule_set({name: value}))[name] == value


def test_on_and_off_are_words_for_the_call():
    assert GAME.rule_set({"call": "on"}).call
    assert not GAME.rule_set({"call": "off"}).call


def test_a_switch_that_there_is_not_is_refused_with_what_there_is():
    with pytest.raises(InvalidRuleSetError, match="did you mean draw_rule"):
        GAME.rule_set({"draw_rules": "one"})
    with pytest.raises(InvalidRuleSetError, match="one, until_playable"):
        GAME.rule_set({"draw_rule": "two"})


def test_every_code_of_the_list_is_given_somewhere():
    given = set()
    table = Table({0: "5O 2P JC"}, call="true")
    given |= {
        table.refused(0, move) for move in (Pass(10), Pass(9), Pass(11), TakePenalty(10), Accuse(10, 0))
    }
    given |= {table.refused(0, table.card(card)) for card in ("JC", "2P", "AE")}
    given |= {
        table.refused(0, table.card("5O", "P")),
        table.refused(1, DrawCard(10)),
        table.refused(9, Pass(10)),
    }
    table.accuse(2, 1)
    given.add(table.refused(2, Accuse(10, 1)))
    table.draw(0)
    given.add(table.refused(0, DrawCard(10)))
    given.add(Table(top="7O", penalty=2).refused(0, DrawCard(10)))
    given.add(Table({0: "5O"}, rest=3).refused(0, DrawCard(10)))
    given.add(Table().refused(1, Accuse(10, 0)))
    over = Table({0: "5O"})
    over.play(0, "5O")
    given.add(over.refused(0, DrawCard(10)))
    over.state = GAME.initial(GAME.rule_set({}), 4)
    given.add(over.refused(0, DrawCard(0)))
    assert given == set(Code)


def test_the_stored_names_are_these_for_ever():
    assert {name: kind.__name__ for name, kind in EVENT_TYPES.items()} == {
        "mau_mau.cards_dealt": "CardsDealt",
        "mau_mau.card_played": "CardPlayed",
        "mau_mau.cards_drawn": "CardsDrawn",
        "mau_mau.penalty_taken": "PenaltyTaken",
        "mau_mau.turn_passed": "TurnPassed",
        "mau_mau.pile_shuffled": "PileShuffled",
        "mau_mau.mau_mau_called": "MauMauCalled",
        "mau_mau.accused": "Accused",
        "mau_mau.match_ended": "MatchEnded",
    }
