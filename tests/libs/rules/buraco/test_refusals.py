"""Every refusal by its code; what is refused changes nothing, however absurd it is."""

from __future__ import annotations

import time

import pytest

from libs.rules.buraco.moves import Discard, DrawStock, EndTurn, ExtendMeld, LayMeld, TakeLixo
from libs.rules.buraco.rejections import Code
from libs.rules.game import Rejection, Seat
from tests.libs.rules.buraco.tables import PRESETS, Table

CASES = {
    Code.NO_SUCH_SEAT: (Table(), 4, DrawStock(7)),
    Code.STALE: (Table(), 0, DrawStock(6)),
    Code.NOT_YET: (Table(), 0, DrawStock(8)),
    Code.NOT_YOUR_TURN: (Table(phase="draw"), 1, DrawStock(7)),
    Code.DRAW_FIRST: (Table(phase="draw"), 0, EndTurn(7)),
    Code.ALREADY_DREW: (Table(), 0, DrawStock(7)),
    Code.CARD_NOT_IN_HAND: (Table(), 0, Discard(7, "3Ca")),
    Code.LIXO_EMPTY: (Table(phase="draw"), 0, TakeLixo(7)),
    Code.LIXO_LOCKED: (Table("tranca", lixo="3P", phase="draw"), 0, TakeLixo(7)),
    Code.LIXO_EXHAUSTED: (Table(lixo="9O", phase="draw", idle_turns=40), 0, TakeLixo(7)),
    Code.NO_JUSTIFICATION_ASKED: (Table(lixo="9O", phase="draw"), 0, TakeLixo(7, (), 0)),
    Code.TOP_NOT_JUSTIFIED: (Table("tranca", lixo="9O", phase="draw"), 0, TakeLixo(7)),
    Code.NOT_A_MELD: (Table(hands={0: "4C 9O KE"}), 0, LayMeld(7, ("4Ca", "9Oa", "KEa"))),
    Code.DUPLICATE_MELD: (
        Table(hands={0: "4C 5C 6C KE QE"}, melds=[(0, "8C 9C TC")], duplicate_melds="false"),
        0,
        LayMeld(7, ("4Ca", "5Ca", "6Ca")),
    ),
    Code.NO_SUCH_MELD: (Table(hands={0: "4C 9O KE"}), 0, ExtendMeld(7, -1, ("4Ca",))),
    Code.KEEP_A_CARD: (Table(hands={0: "4C"}, mortos=0), 0, Discard(7, "4Ca")),
    Code.MUST_DISCARD: (Table(), 0, EndTurn(7)),
}


@pytest.mark.parametrize("code", CASES)
def test_each_code_is_given(code: Code) -> None:
    table, seat, move = CASES[code]
    assert table.code(seat, move) == code


def test_the_other_codes_are_given_where_a_match_has_not_begun_or_is_over_or_a_card_is_barred() -> None:
    game = PRESETS["tranca"]
    before = game.decide(game.initial(game.rule_set({}), 4), Seat(0), DrawStock(1), Table().draws)
    assert isinstance(before, Rejection)
    assert before.code == Code.NOT_STARTED
    over = Table(stock=1, mortos=0, phase="draw")
    over.draw(0)
    assert over.code(0, DrawStock(7)) == Code.MATCH_OVER
    barred = Table(lixo="9O", phase="draw")
    barred.take(0)
    assert barred.code(0, barred.discarding(0, "9O")) == Code.CARD_BARRED
    assert set(Code) == {*CASES, Code.NOT_STARTED, Code.MATCH_OVER, Code.CARD_BARRED}


@pytest.mark.parametrize("seat", [-1, 4, 2**31])
def test_b129_absurd_seats_are_refused(seat: int) -> None:
    assert Table().code(seat, DrawStock(7)) == Code.NO_SUCH_SEAT


def test_b129_absurd_cards_are_refused_at_once() -> None:
    table = Table(hands={0: "4C 5C 6C KE QE"}, melds=[(0, "8C 9C TC")], lixo="9O")
    many = tuple(f"{number}x" for number in range(100_000))
    started = time.process_time()
    for cards in (many, ("4Ca", "4Ca", "5Ca"), ("",), ("\u0000",), ("4C",), ("JKa", "4Ca", "5Ca"), ()):
        assert table.code(0, LayMeld(7, cards)) in {Code.CARD_NOT_IN_HAND, Code.NOT_A_MELD}
        assert table.code(0, ExtendMeld(7, 0, cards)) in {Code.CARD_NOT_IN_HAND, Code.NOT_A_MELD}
    assert table.code(0, ExtendMeld(7, 2**31, ("4Ca",))) == Code.NO_SUCH_MELD
    assert table.code(0, Discard(7, "x" * 100_000)) == Code.CARD_NOT_IN_HAND
    taking = Table("tranca", {0: "4C 5C 6C KE QE"}, lixo="9O", phase="draw")
    assert taking.code(0, TakeLixo(7, many)) == Code.CARD_NOT_IN_HAND
    assert taking.code(0, TakeLixo(7, ("4Ca", "4Ca"))) == Code.CARD_NOT_IN_HAND
    assert time.process_time() - started < 0.5
