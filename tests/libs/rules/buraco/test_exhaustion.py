"""The end of the stock: mortos that become stock, the last card, red threes that find nothing (B-43 to B-45, T-05)."""

from __future__ import annotations

import pytest

from libs.rules.buraco.events import (
    DealEnded,
    MortoTaken,
    MortoTurned,
    RedThreeLaid,
    RedThreeReplaced,
    TurnEnded,
)
from libs.rules.buraco.moves import Discard, DrawStock
from tests.libs.rules.buraco.tables import Table, has, only

IMMEDIATE = ("buraco-aberto", "buraco-fechado", "buraco-fechado-stbl", "canastra", "tranca")
AFTER_TURN = ("buraco-aberto@004", "buraco-fechado@004", "buraco-fechado-stbl@004", "tranca@003")
CLEAN = "4C 5C 6C 7C 8C 9C TC"
MORTO = "6O 7O 8O 9O TO JO QO KO 4E 5E 6E"


def test_b018_b44_the_last_morto_becomes_the_stock_when_the_turn_ends() -> None:
    table = Table("buraco-aberto", stock=1, mortos=1, phase="draw", takers=(None, 1))
    table.draw(0)
    assert table.state.stock == ()
    assert len(table.state.mortos) == 1
    events = table.do(0, Discard(7, table.state.hands[0][0]))
    assert [type(event) for event in events[-2:]] == [TurnEnded, MortoTurned]
    assert len(table.state.stock) == 11
    assert table.state.mortos == ()
    table.draw(1)


def test_b018_b44_until_then_it_may_be_taken_as_a_morto_and_the_deal_ends_with_the_turn() -> None:
    table = Table("buraco-aberto", {0: "KE"}, stock=1, mortos=[MORTO], phase="draw", takers=(None, 1))
    table.draw(0)
    drawn = table.state.hands[0][-1]
    table.do(0, Discard(7, drawn))
    assert has(table.log, MortoTurned), "the hand was not emptied: the morto became stock"
    emptied = Table(
        "buraco-aberto",
        {0: "6C"},
        melds=[(0, "3C 4C 5C")],
        stock="7C",
        mortos=[MORTO],
        phase="draw",
        takers=(None, 1),
    )
    emptied.draw(0)
    emptied.add(0, 0, "6C")
    events = emptied.add(0, 0, "7C")
    assert has(events, MortoTaken)
    assert not has(events, DealEnded), "the taker finishes the turn"
    emptied.lay(0, "4E 5E 6E")
    ended = only(emptied.discard(0, "KO"), DealEnded)
    assert ended.out_seat is None
    assert not has(emptied.log, MortoTurned)


@pytest.mark.parametrize("stock_end", ["immediate", "after_turn"])
def test_b43_with_the_last_morto_taken_the_turn_is_finished_and_may_still_be_the_final_batida(
    stock_end: str,
) -> None:
    table = Table(
        "buraco-aberto",
        {0: "JC"},
        melds=[(0, CLEAN)],
        stock="QC",
        mortos=["KC 4E 5E 6E 7E 8E 9E TE JE QE KE"],
        phase="draw",
        stock_end=stock_end,
    )
    table.draw(0)
    table.add(0, 0, "JC")
    assert has(table.add(0, 0, "QC"), MortoTaken)
    table.lay(0, "4E 5E 6E 7E 8E 9E TE JE QE KE")
    table.add(0, 0, "KC")
    assert table.is_over
    assert table.points(0).batida == 100
    indirect = Table(
        "buraco-aberto",
        {0: "JC"},
        melds=[(0, CLEAN)],
        stock="QE",
        mortos=[MORTO],
        phase="draw",
        stock_end=stock_end,
    )
    indirect.draw(0)
    indirect.add(0, 0, "JC")
    events = indirect.discard(0, "QE")
    assert has(events, MortoTaken)
    assert only(events, DealEnded).out_seat is None
    assert indirect.points(0).batida == 0
    assert indirect.points(0).morto == 0


@pytest.mark.parametrize("preset", IMMEDIATE)
def test_b018_b43_the_last_card_ends_the_deal_at_once(preset: str) -> None:
    table = Table(preset, stock=1, mortos=0, mortos_turned=2, lixo="4P 7E 9O", phase="draw")
    ended = only(table.draw(0), DealEnded)
    assert ended.out_seat is None
    for side in ended.sides:
        assert (side.batida, side.morto) == (0, -100)
        assert side.in_hand < 0
    assert table.is_over


@pytest.mark.parametrize("preset", AFTER_TURN)
def test_b018_b43_in_other_houses_the_buyer_finishes_the_turn(preset: str) -> None:
    table = Table(preset, {0: "JC"}, stock=1, mortos=0, takers=(0, 1), melds=[(0, CLEAN)], phase="draw")
    assert not has(table.draw(0), DealEnded)
    table.add(0, 0, "JC")
    ended = only(table.do(0, Discard(7, table.state.hands[0][0])), DealEnded)
    assert ended.out_seat == 0, "a final batida still counts"
    kept = Table(preset, {0: "4E 5E"}, stock=1, mortos=0, takers=(0, 1), lixo="9O", phase="draw")
    kept.draw(0)
    assert only(kept.discard(0, "4E"), DealEnded).out_seat is None
    assert kept.code(1, kept.taking()) == "MATCH_OVER"


def test_b43_by_switch() -> None:
    """B-43: `stock_end` = after_turn, immediate."""
    after = Table("buraco-aberto", stock=1, mortos=0, phase="draw", stock_end="after_turn")
    assert not has(after.draw(0), DealEnded)
    at_once = Table("buraco-aberto@004", stock=1, mortos=0, phase="draw", stock_end="immediate")
    assert has(at_once.draw(0), DealEnded)


def test_b43_while_cards_are_left_the_lixo_may_be_taken_without_end_of_the_deal() -> None:
    table = Table("buraco-aberto", stock=1, mortos=0, lixo="9O 8P", phase="draw")
    table.take(0)
    assert not table.is_over


def test_b44_of_two_mortos_one_is_turned_and_keeps_its_order() -> None:
    table = Table("buraco-aberto", stock=1, mortos=2, phase="draw")
    first, second = table.state.mortos
    table.draw_and_discard(0)
    assert table.state.stock == first
    assert table.state.mortos == (second,)
    assert table.state.mortos_turned == 1
    table.draw(1)
    assert table.state.hands[1][-1] == first[0]


def test_b44_a_morto_that_is_turned_can_be_taken_no_more() -> None:
    table = Table("buraco-aberto", {1: "KE"}, stock=1, mortos=1, phase="draw")
    table.draw_and_discard(0)
    table.draw(1)
    table.discard(1, "KE")
    assert table.code(2, table.discarding(2, table.hand(2).split()[0])) == "DRAW_FIRST"
    assert table.state.takers == (None, None)


def test_b44_a_control_the_hand_emptied_in_that_turn_takes_the_morto_and_nothing_becomes_stock() -> None:
    table = Table("buraco-aberto", {0: "6C"}, melds=[(0, "3C 4C 5C")], stock="KE", mortos=1, phase="draw")
    table.draw(0)
    table.add(0, 0, "6C")
    events = table.discard(0, "KE")
    assert has(events, MortoTaken)
    assert not has(events, MortoTurned)
    assert has(events, DealEnded)


# T-05, B-45 -----------------------------------------------------------------------------------------------------------


def test_b45_t05_a_red_three_drawn_as_the_very_last_card_is_laid_first_and_scores() -> None:
    table = Table("tranca", melds=[(0, CLEAN)], stock="3C", mortos=0, takers=(0, 1), phase="draw")
    events = table.draw(0)
    assert [type(event).__name__ for event in events[:3]] == ["StockDrawn", "RedThreeLaid", "DealEnded"]
    assert table.points(0).red_threes == 100


def test_t05_with_a_morto_left_the_three_stays_unreplaced_and_the_turn_goes_on() -> None:
    table = Table("tranca", {0: "KE QE"}, stock="3C", mortos=1, phase="draw")
    events = table.draw(0)
    assert not has(events, RedThreeReplaced)
    assert not has(events, DealEnded)
    assert table.hand(0) == "KE QE"
    assert has(table.discard(0, "KE"), MortoTurned)


def test_t05_who_then_cannot_discard_ends_the_turn_without_a_discard() -> None:
    table = Table("tranca", {0: "KE"}, stock="3C", mortos=1, takers=(0, None), phase="draw")
    table.draw(0)
    assert table.code(0, table.discarding(0, "KE")) == "KEEP_A_CARD"
    assert [type(move).__name__ for move in table.moves()] == ["EndTurn"]
    events = table.end_turn(0)
    assert [type(event) for event in events] == [TurnEnded, MortoTurned]
    assert table.hand(0) == "KE"
    assert table.lixo == ""


def test_t05_after_turn_the_deal_ends_when_the_turn_without_a_discard_does() -> None:
    table = Table("tranca@003", {0: "KE"}, stock="3C", mortos=0, takers=(0, 1), phase="draw")
    assert not has(table.draw(0), DealEnded)
    assert has(table.end_turn(0), DealEnded)


def test_b04_t05_a_turn_ends_with_a_discard_wherever_one_is_possible() -> None:
    table = Table("tranca", {0: "KE QE"})
    with pytest.raises(AssertionError, match="MUST_DISCARD"):
        table.end_turn(0)
    one = Table("tranca", {0: "KE"}, stock="3C", mortos=1, phase="draw")
    one.draw(0)
    with pytest.raises(AssertionError, match="MUST_DISCARD"):
        one.end_turn(0)
    assert has(one.discard(0, "KE"), MortoTaken)


def test_t05_a_replacement_that_takes_the_last_card_ends_the_deal_even_inside_a_morto() -> None:
    morto = "3O 3C 8O 9O TO JO QO KO 4E 5E 6E"
    table = Table("tranca", {0: "7C"}, melds=[(0, "4C 5C 6C")], stock="KE", mortos=[morto], takers=(None, 1))
    events = table.add(0, 0, "7C")
    assert [type(event).__name__ for event in events[:6]] == [
        "MeldExtended",
        "MortoTaken",
        "RedThreeLaid",
        "RedThreeReplaced",
        "RedThreeLaid",
        "DealEnded",
    ]
    assert len(table.state.red_threes[0]) == 2
    after = Table(
        "tranca@003", {0: "7C"}, melds=[(0, "4C 5C 6C")], stock="KE", mortos=[morto], takers=(None, 1)
    )
    assert not has(after.add(0, 0, "7C"), DealEnded)
    assert has(after.discard(0, "4E"), DealEnded)


def test_t05_an_empty_stock_before_the_morto_is_taken_ends_nothing() -> None:
    morto = "3O 3C 8O 9O TO JO QO KO 4E 5E 6E"
    table = Table("tranca", {0: "7C"}, melds=[(0, "4C 5C 6C")], stock="", mortos=[morto], takers=(None, 1))
    events = table.add(0, 0, "7C")
    assert len([event for event in events if isinstance(event, RedThreeLaid)]) == 2
    assert not has(events, DealEnded)
    assert len(table.state.hands[0]) == 9
    assert has(table.discard(0, "4E"), DealEnded)


def test_t05_a_replacement_may_take_the_last_card_while_a_morto_is_left() -> None:
    table = Table("tranca", {0: "KE QE"}, stock="3C 9O", mortos=1, phase="draw")
    events = table.draw(0)
    assert has(events, RedThreeReplaced)
    assert not has(events, DealEnded)
    assert table.hand(0) == "KE QE 9O"


def test_t05_a_draw_is_one_move_whatever_it_brings() -> None:
    table = Table("tranca", {0: "KE QE"}, stock="3C 3O 3C 9O TP", phase="draw")
    events = table.do(0, DrawStock(7))
    assert len([event for event in events if isinstance(event, RedThreeLaid)]) == 3
    assert table.hand(0) == "KE QE 9O"
    assert len(table.state.stock) == 1
