"""Every refusal has its code, changes nothing, and comes in the order of its kinds."""

import pytest

from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.cacheta.rejections import Code
from libs.rules.game import Rejection, Seat
from libs.rules.switches import InvalidRuleSetError
from services.table.errors import ERRORS
from tests.libs.rules.cacheta.tables import OUT_OF_NINE, SECRET, SWITCH_VALUES, Table


def test_every_code_has_its_text_in_the_tables_catalogue():
    known = {entry.code for entry in ERRORS}
    assert {code.value for code in Code} <= known


def test_nothing_may_be_done_before_the_first_deal():
    table = Table()
    initial = GAME.initial(GAME.rule_set({}), 4)
    decision = GAME.decide(initial, Seat(0), DrawStock(1, 1), table.draws)
    assert isinstance(decision, Rejection)
    assert decision.code == Code.NOT_STARTED


def test_a_finished_match_refuses_everything():
    table = Table({0: OUT_OF_NINE}, stock="9Ea", points=(5, 1, 1, 1))
    table.draw(0)
    table.out(0, "9E")
    for move in (DrawStock(1, 1), Discard(1, 1, "7Ca"), AnnounceNaBoa(1), JumpQueue(1, 1)):
        assert table.refused(0, move) == Code.MATCH_OVER


@pytest.mark.parametrize("seat", [-1, 4, 2**31])
def test_there_are_four_seats(seat):
    assert Table().refused(seat, DrawStock(1, 1)) == Code.NO_SUCH_SEAT


def test_what_has_passed_is_stale_and_what_has_not_begun_is_not_yet():
    table = Table()
    table.turn(0)
    assert table.refused(1, DrawStock(0, 2)) == Code.STALE
    assert table.refused(1, DrawStock(2, 1)) == Code.NOT_YET
    assert table.refused(1, AnnounceNaBoa(0)) == Code.STALE
    assert table.refused(1, AnnounceNaBoa(2)) == Code.NOT_YET
    assert table.refused(0, Discard(1, 1, "7Ca")) == Code.STALE
    assert table.refused(1, TakeDiscard(1, 3)) == Code.NOT_YET
    assert table.refused(3, PassJump(1, 1)) == Code.STALE


def test_another_ones_turn_is_refused_whatever_the_move():
    table = Table()
    for move in (DrawStock(1, 1), TakeDiscard(1, 1), Discard(1, 1, "7Ca"), GoOut(1, 1)):
        assert table.refused(2, move) == Code.NOT_YOUR_TURN
    assert table.refused(0, Discard(1, 1, "7Ca")) == Code.WRONG_PHASE
    assert table.refused(0, GoOut(1, 1)) == Code.WRONG_PHASE
    assert table.refused(0, PassJump(1, 1)) == Code.WRONG_PHASE


def test_a_second_click_on_a_discard_while_the_window_is_open_is_stale():
    table = Table(stock="KO")
    table.announce(3)
    table.turn(0)
    assert table.refused(0, Discard(1, 1, "KOa")) == Code.STALE
    assert table.refused(0, DrawStock(1, 1)) == Code.STALE


def test_only_held_cards_are_discarded():
    table = Table({0: "7Ca"}, stock="KO")
    table.draw(0)
    for card in ("7Cb", "JKa", "", "🂡", table.state.stock[0], table.state.vira):
        assert table.refused(0, Discard(1, 1, card)) == Code.CARD_NOT_IN_HAND


@pytest.mark.parametrize("name", SWITCH_VALUES)
def test_a_switch_takes_its_values_and_nothing_else(name):
    for value in SWITCH_VALUES[name]:
        rules = GAME.rule_set({name: value})
        assert GAME.switches(rules)[name] == value
        assert GAME.rule_set(GAME.switches(rules)) == rules
    for value in ("", "1000", "yes", "-1", "1000000", "NaN"):
        with pytest.raises(InvalidRuleSetError):
            GAME.rule_set({name: value})


def test_only_four_play():
    for players in (0, 2, 3, 5):
        with pytest.raises(ValueError, match="not played by"):
            GAME.initial(GAME.rule_set({}), players)
    assert len(SECRET) == 32
