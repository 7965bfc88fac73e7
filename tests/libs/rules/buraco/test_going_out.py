"""Mortos, the direct, the indirect and the final batida, and the card that must be kept (B-35 to B-42)."""

from __future__ import annotations

import pytest

from libs.rules.buraco.events import CardDiscarded, DealEnded, MortoTaken, TurnEnded
from tests.libs.rules.buraco.tables import PRESETS, Table, has, only

CLEAN = "4C 5C 6C 7C 8C 9C TC"
DIRTY = "4C 5C 6C 2P 8C 9C TC"


def test_b013_b39_a_meld_that_leaves_no_legal_end_of_the_turn_is_refused() -> None:
    hand = {0: "7C 8C 9C KE"}
    table = Table("buraco-aberto", hand, melds=[(0, "3O 4O 5O")], takers=(0, None))
    assert table.code(0, table.laying(0, "7C 8C 9C")) == "KEEP_A_CARD"
    table.discard(0, "KE")
    with_canastra = Table("buraco-aberto", hand, melds=[(0, "3C 4C 5C 6C 7C 8C 9C")], takers=(0, None))
    with_canastra.lay(0, "7C 8C 9C")
    with_canastra.discard(0, "KE")
    assert with_canastra.is_over
    with_morto = Table("buraco-aberto", hand, melds=[(0, "3O 4O 5O")])
    with_morto.lay(0, "7C 8C 9C")
    assert not only(with_morto.discard(0, "KE"), MortoTaken).direct


def test_b39_three_cards_laying_two_is_refused_and_laying_one_is_fine() -> None:
    table = Table("buraco-aberto", {0: "6O 7O KE"}, melds=[(0, "3O 4O 5O")], mortos=0)
    assert table.code(0, table.adding(0, 0, "6O 7O")) == "KEEP_A_CARD"
    table.add(0, 0, "6O")
    assert table.code(0, table.adding(0, 0, "7O")) == "KEEP_A_CARD"
    table.discard(0, "KE")
    assert table.hand(0) == "7O"


def test_b39_the_last_card_is_kept_where_nobody_may_go_out() -> None:
    table = Table("buraco-aberto", {0: "6O"}, melds=[(0, "3O 4O 5O")], mortos=0)
    assert table.code(0, table.discarding(0, "6O")) == "KEEP_A_CARD"
    assert table.code(0, table.adding(0, 0, "6O")) == "KEEP_A_CARD"


def test_b39_a_lixo_take_is_weighed_as_a_whole() -> None:
    hand = {0: "5C 6C"}
    alone = Table("buraco-fechado", hand, lixo="7C", mortos=0, phase="draw")
    assert alone.code(0, alone.taking(0, "5C 6C")) == "KEEP_A_CARD"
    one_more = Table("buraco-fechado", hand, lixo="9O 7C", mortos=0, phase="draw")
    assert one_more.code(0, one_more.taking(0, "5C 6C")) == "KEEP_A_CARD"
    kept = Table("buraco-fechado", hand, lixo="9O KE 7C", mortos=0, phase="draw")
    kept.take(0, "5C 6C")
    assert kept.hand(0) == "9O KE", "what lies under the top counts, and no batida is needed"
    two_more = Table("buraco-fechado", hand, lixo="9O KE 7C", mortos=1, phase="draw")
    events = two_more.take(0, "5C 6C")
    assert not has(events, MortoTaken), "the hand was empty for an instant only"
    assert two_more.hand(0) == "9O KE"


def test_b39_a_lixo_of_one_card_may_bring_a_direct_batida() -> None:
    table = Table("buraco-fechado", {0: "5C 6C"}, lixo="7C", phase="draw")
    assert only(table.take(0, "5C 6C"), MortoTaken).direct
    assert len(table.state.hands[0]) == 11
    assert table.state.phase == "play"


@pytest.mark.parametrize("preset", ["buraco-fechado", "canastra", "buraco-fechado@004"])
def test_b015_b37_a_dirty_canastra_is_enough(preset: str) -> None:
    table = Table(preset, {0: "JC KE"}, melds=[(0, DIRTY)], takers=(0, None))
    table.add(0, 0, "JC")
    ended = only(table.discard(0, "KE"), DealEnded)
    assert ended.out_seat == 0
    assert ended.sides[0].batida == 100


@pytest.mark.parametrize(
    "preset",
    [
        "buraco-aberto",
        "buraco-fechado-stbl",
        "tranca",
        "tranca@003",
        "buraco-aberto@004",
        "buraco-fechado-stbl@004",
    ],
)
def test_b015_b37_t12_a_clean_canastra_is_needed(preset: str) -> None:
    table = Table(preset, {0: "JC KE"}, melds=[(0, DIRTY)], takers=(0, None))
    assert table.code(0, table.adding(0, 0, "JC")) == "KEEP_A_CARD"
    table.discard(0, "KE")
    assert table.hand(0) == "JC"
    assert not table.is_over


def test_b37_by_switch_what_a_side_needs() -> None:
    """B-37: `go_out` = any, clean."""
    table = Table("buraco-aberto", {0: "KE"}, melds=[(0, DIRTY)], takers=(0, None), go_out="any")
    assert has(table.discard(0, "KE"), DealEnded)
    strict = Table("canastra", {0: "KE"}, melds=[(0, DIRTY)], takers=(0, None), go_out="clean")
    assert strict.code(0, strict.discarding(0, "KE")) == "KEEP_A_CARD"


def test_b37_the_others_canastra_and_the_others_morto_are_not_ones_own() -> None:
    table = Table("buraco-aberto", {0: "KE"}, melds=[(1, CLEAN)], takers=(0, None))
    assert table.code(0, table.discarding(0, "KE")) == "KEEP_A_CARD"
    no_morto = Table("buraco-aberto", {0: "KE"}, melds=[(0, CLEAN)], takers=(None, 1), mortos=0)
    assert no_morto.code(0, no_morto.discarding(0, "KE")) == "KEEP_A_CARD"


def test_b016_b35_direct_the_turn_goes_on_without_a_draw() -> None:
    table = Table("buraco-aberto", {0: "6O"}, melds=[(0, "3O 4O 5O")])
    taken = only(table.add(0, 0, "6O"), MortoTaken)
    assert taken.direct
    assert len(table.state.hands[0]) == 11
    assert table.state.to_play == 0
    assert table.code(0, table.drawing()) == "ALREADY_DREW"
    awaited = table.game.awaited(table.state)
    assert awaited is not None
    assert awaited.moment == "7.play", "the clock goes on"
    table.do(0, table.discarding(0, table.hand(0).split()[0]))
    assert table.state.to_play == 1


def test_b016_b35_indirect_the_morto_is_for_the_next_turn() -> None:
    table = Table(
        "buraco-aberto",
        {0: "KE"},
        melds=[(0, "3O 4O 5O")],
        mortos=["6O 7O 8O 9O TO JO QO KO 4E 5E 6E", "4P 5P 6P 7P 8P 9P TP JP QP KP AP"],
    )
    events = table.discard(0, "KE")
    assert [type(event) for event in events] == [CardDiscarded, MortoTaken, TurnEnded]
    assert not only(events, MortoTaken).direct
    assert table.hand(0).startswith("6O 7O 8O")
    assert table.state.to_play == 1
    assert table.code(0, table.laying(0, "4E 5E 6E")) == "NOT_YOUR_TURN"
    table.draw_and_discard(1, 2, 3)
    table.draw(0)
    table.lay(0, "4E 5E 6E")


def test_b35_no_canastra_is_needed_for_a_morto() -> None:
    table = Table("buraco-aberto", {0: "KE"})
    assert has(table.discard(0, "KE"), MortoTaken)


@pytest.mark.parametrize("players", [2, 4])
def test_b36_a_side_takes_one_morto(players: int) -> None:
    table = Table("buraco-aberto", {0: "KE"}, takers=(players - 2, None), mortos=1, players=players)
    assert table.code(0, table.discarding(0, "KE")) == "KEEP_A_CARD"
    other = Table("buraco-aberto", {0: "KE"}, takers=(None, 1), mortos=1, players=players)
    other.discard(0, "KE")
    assert other.state.takers == (0, 1)
    assert other.state.mortos == ()


def test_b38_without_a_morto_nobody_goes_out() -> None:
    for preset in ("buraco-aberto", "buraco-fechado", "tranca", "tranca@003", "canastra"):
        table = Table(preset, {0: "KE"}, melds=[(0, CLEAN)], mortos=0, mortos_turned=2)
        assert table.code(0, table.discarding(0, "KE")) == "KEEP_A_CARD"


def test_b38_in_house_004_one_does_when_both_mortos_became_stock() -> None:
    """B-38: `go_out_without_morto` = both_became_stock."""
    for preset in ("buraco-aberto@004", "buraco-fechado@004", "buraco-fechado-stbl@004"):
        table = Table(preset, {0: "KE"}, melds=[(0, CLEAN)], mortos=0, mortos_turned=2)
        ended = only(table.discard(0, "KE"), DealEnded)
        assert ended.out_seat == 0
        assert ended.sides[0].morto == 0, "who goes out does not pay (B-46)"
        assert ended.sides[1].morto == -100
        one = Table(preset, {0: "KE"}, melds=[(0, CLEAN)], mortos=0, mortos_turned=1, takers=(None, 1))
        assert one.code(0, one.discarding(0, "KE")) == "KEEP_A_CARD"


def test_b38_by_switch_one_does_when_none_is_left() -> None:
    """B-38: `go_out_without_morto` = if_none_left."""
    switch = {"go_out_without_morto": "if_none_left"}
    table = Table("buraco-aberto", {0: "KE"}, melds=[(0, CLEAN)], mortos=0, takers=(None, 1), **switch)
    assert has(table.discard(0, "KE"), DealEnded)
    left = Table("buraco-aberto", {0: "KE"}, melds=[(0, CLEAN)], mortos=1, takers=(None, 1), **switch)
    assert only(left.discard(0, "KE"), MortoTaken)


def test_b40_b42_going_out_with_or_without_a_discard_pays_a_hundred_once() -> None:
    with_discard = Table("buraco-aberto", {0: "JC KE"}, melds=[(0, CLEAN)], takers=(0, None))
    with_discard.add(0, 0, "JC")
    with_discard.discard(0, "KE")
    without = Table("buraco-aberto", {0: "JC"}, melds=[(0, CLEAN)], takers=(0, None))
    without.add(0, 0, "JC")
    assert without.is_over
    for table in (with_discard, without):
        assert (table.points(0).batida, table.points(1).batida) == (100, 0)


def test_b41_what_the_play_itself_brings_about_counts() -> None:
    table = Table("buraco-aberto", {0: "TC"}, melds=[(0, "4C 5C 6C 7C 8C 9C")], takers=(0, None))
    table.add(0, 0, "TC")
    assert table.is_over
    dirtied = Table("buraco-aberto", {0: "2P"}, melds=[(0, CLEAN)], takers=(0, None))
    assert dirtied.code(0, dirtied.adding(0, 0, "2P")) == "KEEP_A_CARD"


def test_b42_taking_a_morto_pays_nothing() -> None:
    table = Table("buraco-aberto", {0: "KE"}, melds=[(0, "3O 4O 5O")])
    table.discard(0, "KE")
    assert table.state.score == (0, 0)
    assert table.state.scored is None


@pytest.mark.parametrize("preset", PRESETS)
def test_b35_b39_somebody_who_may_take_a_morto_may_always_empty_the_hand(preset: str) -> None:
    table = Table(preset, {0: "JC KE"}, melds=[(0, CLEAN)])
    table.add(0, 0, "JC")
    assert has(table.discard(0, "KE"), MortoTaken)
