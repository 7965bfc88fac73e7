"""Red threes and what else is Tranca's own (T-01 to T-04, T-08, T-09; the lock is in test_lixo, T-05 in test_exhaustion)."""

from __future__ import annotations

import pytest

from libs.rules.buraco.cards import RED_THREES
from libs.rules.buraco.events import DealStarted, MortoTaken, RedThreeLaid, RedThreeReplaced
from libs.rules.buraco.moves import Discard, LayMeld
from tests.libs.rules.buraco.tables import ChanceMatch, Table, has, only

TRANCAS = ("tranca", "tranca@003")


@pytest.mark.parametrize("preset", TRANCAS)
def test_t01_t02_a_red_three_is_laid_the_moment_it_is_drawn_and_replaced(preset: str) -> None:
    table = Table(preset, {0: "KE QE"}, stock="3C 3O 9O TP", phase="draw")
    events = table.draw(0)
    assert [type(event).__name__ for event in events] == [
        "StockDrawn",
        "RedThreeLaid",
        "RedThreeReplaced",
        "RedThreeLaid",
        "RedThreeReplaced",
    ]
    assert table.hand(0) == "KE QE 9O"
    assert [card[:2] for card in table.state.red_threes[0]] == ["3C", "3O"]


def test_t01_a_red_three_is_neither_laid_in_a_meld_nor_discarded() -> None:
    table = Table("tranca", {0: "KE QE"}, stock="3Ca 9O", phase="draw")
    table.draw(0)
    assert table.code(0, Discard(7, "3Ca")) == "CARD_NOT_IN_HAND"
    assert table.code(0, LayMeld(7, ("3Ca", "KEa", "QEa"))) == "CARD_NOT_IN_HAND"


def test_t02_by_switch_nothing_comes_for_it() -> None:
    """T-02: `red_three_replace` = false."""
    table = Table("tranca", {0: "KE QE"}, stock="3C 9O TP", phase="draw", red_three_replace="false")
    events = table.draw(0)
    assert has(events, RedThreeLaid)
    assert not has(events, RedThreeReplaced)
    assert table.hand(0) == "KE QE"
    table.discard(0, "KE")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("preset", TRANCAS)
def test_t03_at_the_start_they_are_laid_in_turn_order_and_hands_are_eleven_again(
    preset: str, players: int
) -> None:
    laid = 0
    for number in range(20):
        match = ChanceMatch(preset, players, f"start {number}")
        dealt = match.events[0]
        assert isinstance(dealt, DealStarted)
        assert [len(hand) for hand in match.state.hands] == [11] * players
        assert not RED_THREES.intersection(*map(set, match.state.hands))
        order = [event.seat for event in match.events if isinstance(event, RedThreeLaid)]
        assert order == sorted(order, key=lambda seat: (seat - dealt.starter) % players)
        laid += len(order)
        assert match.state.turn == dealt.turn == 1
        assert match.state.to_play == dealt.starter
    assert laid > 10


@pytest.mark.parametrize("direct", [True, False])
def test_t04_in_a_taken_morto_they_are_laid_and_replaced_at_once(direct: bool) -> None:
    table = Table(
        "tranca",
        {0: "7C" if direct else "KE"},
        melds=[(0, "4C 5C 6C")],
        mortos=["3O 8O 9O TO JO QO 3C 4E 5E 6E 7E", "4P 5P 6P 7P 8P 9P TP JP QP KP AP"],
        stock="KO KP TE",
    )
    events = table.add(0, 0, "7C") if direct else table.discard(0, "KE")
    assert only(events, MortoTaken).direct is direct
    laid = [event for event in events if isinstance(event, RedThreeLaid)]
    assert [event.from_morto for event in laid] == [not direct] * 2
    # A replacement comes last, as drawn (G-08).
    assert table.hand(0) == "8O 9O TO JO QO 4E 5E 6E 7E KO KP"


def test_t04_in_a_morto_turned_stock_they_are_stock_cards() -> None:
    table = Table("tranca", stock=1, mortos=["3O 8O 9O TO JO QO 3C 4E 5E 6E 7E"], phase="draw")
    table.draw_and_discard(0)
    assert table.state.red_threes == ((), ())
    events = table.draw(1)
    assert only(events, RedThreeReplaced).card[:2] == "8O"
    assert [card[:2] for card in table.state.red_threes[1]] == ["3O"]


def test_t04_in_an_untaken_morto_they_score_nothing() -> None:
    table = Table(
        "tranca",
        {0: "KE"},
        melds=[(0, "4C 5C 6C 7C 8C 9C TC")],
        mortos=["3O 8O 9O TO JO QO 3C 4E 5E 6E 7E"],
        takers=(0, None),
    )
    table.discard(0, "KE")
    assert [table.points(side).red_threes for side in (0, 1)] == [0, 0]


@pytest.mark.parametrize("preset", TRANCAS)
def test_b024_t08_no_meld_has_a_three_nor_a_wild_in_its_place(preset: str) -> None:
    table = Table(preset, {0: "3P 4P 5P 3P 3E AO 2O 4O 2P KE"})
    for words in ("3P 4P 5P", "3P 3P 3E", "AO 2O 4O"):
        assert table.code(0, table.laying(0, words)) == "NOT_A_MELD"
    table.lay(0, "2P 4P 5P")
    assert [card[:2] for card in table.state.melds[0].shape.cards] == ["4P", "5P", "2P"]
    assert table.code(0, table.adding(0, 0, "3P")) == "NOT_A_MELD"


def test_t08_by_switch_threes_are_special_elsewhere_too() -> None:
    """T-08: `special_threes` = true, false."""
    table = Table("buraco-aberto", {0: "3P 4P 5P 2E KE QE"}, special_threes="true")
    assert table.code(0, table.laying(0, "3P 4P 5P")) == "NOT_A_MELD"
    ordinary = Table("tranca", {0: "3P 4P 5P KE QE"}, stock="3C 9O", phase="draw", special_threes="false")
    ordinary.draw(0)
    assert ordinary.hand(0).endswith("3C")
    ordinary.lay(0, "3P 4P 5P")


def test_b025_dirt_is_permanent_and_does_not_let_one_go_out() -> None:
    table = Table("tranca", {0: "7C KE"}, melds=[(0, "4C 5C 6C 2C 8C 9C TC")], takers=(0, None))
    assert table.code(0, table.adding(0, 0, "7C")) == "KEEP_A_CARD"
    more = Table("tranca", {0: "7C KE QE"}, melds=[(0, "4C 5C 6C 2C 8C 9C TC")], takers=(0, None))
    more.add(0, 0, "7C")
    assert not more.state.melds[0].shape.clean
    assert len(more.state.melds[0].shape.cards) == 8
    dirtied = Table("tranca", {0: "2C KE QE"}, melds=[(0, "4C 5C 6C 7C 8C 9C TC")])
    dirtied.add(0, 0, "2C")
    assert not dirtied.state.melds[0].shape.clean
    assert dirtied.state.melds[0].shape.low == 4


def test_t09_a_run_of_eleven_is_full() -> None:
    table = Table("tranca", {0: "2C 7C KE QE"}, melds=[(0, "4C 5C 6C 7C 8C 9C TC JC QC KC AC")])
    assert table.code(0, table.adding(0, 0, "2C")) == "NOT_A_MELD"
    with_wild = Table("tranca", {0: "7C KE QE"}, melds=[(0, "4C 5C 6C 2C 8C 9C TC JC QC KC AC")])
    assert with_wild.code(0, with_wild.adding(0, 0, "7C")) == "NOT_A_MELD"
