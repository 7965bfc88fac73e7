"""Melds judged by the vectors of the rulings and by the cases named after them. Cards are faces; twins get their pack here."""

from __future__ import annotations

import time

import pytest

from libs.rules.buraco.melds import Shape, canastra_points, enlarged, judge
from libs.rules.buraco.moves import ExtendMeld
from libs.rules.buraco.rule_set import RuleSet
from tests.libs.rules.buraco.tables import Table

ABERTO = RuleSet()
FECHADO = RuleSet(jokers=4, sets=True, go_out="any")
STBL = RuleSet(jokers=4)
TRANCA = RuleSet(
    sets=True, special_threes=True, natural_two="never", cleaning="never", run500="none", run1000=False
)


def cards(faces: str, held: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Physical cards of these faces, the first pack first, none of them among those held."""
    found: list[str] = []
    for face in faces.split():
        found.append(next(face + letter for letter in "abcd" if face + letter not in (*found, *held)))
    return tuple(found)


def meld(rules: RuleSet, faces: str) -> Shape | None:
    return judge(rules, cards(faces))


def laid(rules: RuleSet, faces: str) -> Shape:
    shape = meld(rules, faces)
    assert shape is not None
    return shape


def more(rules: RuleSet, shape: Shape, faces: str) -> Shape | None:
    return enlarged(rules, shape, cards(faces, shape.cards))


def shown(shape: Shape | None) -> str | None:
    return None if shape is None else " ".join(card[:2] for card in shape.cards)


@pytest.mark.parametrize("order", ["AC 2C 3C 4C 5C 6C 7C", "8C 3C 2C 7C 5C 4C 6C"])
def test_b001_b09_a_two_in_its_own_slot_is_natural(order: str) -> None:
    shape = laid(ABERTO, order)
    assert shape.clean
    assert canastra_points(ABERTO, shape) == 200


def test_b002_b08_a_natural_two_plus_one_wild_and_never_two_wilds() -> None:
    dirty = laid(ABERTO, "AP 2P 3P 4P 2O 6P 7P")
    assert len(dirty.wilds) == 1
    assert canastra_points(ABERTO, dirty) == 100
    assert meld(ABERTO, "3P 4P 2O 2C 7P") is None
    table = laid(ABERTO, "3P 4P 2O 6P")
    assert more(ABERTO, table, "2C") is None
    longer = more(ABERTO, table, "7P")
    assert longer is not None
    assert len(longer.wilds) == 1


def test_b08_off_a_natural_two_bars_a_wild() -> None:
    """B-08: `natural_two_plus_wild` = false; and two 2s of the suit in one run where it is true."""
    twins = laid(ABERTO, "2C 3C 4C 2C")
    assert len(twins.wilds) == 1
    rules = RuleSet(natural_two_plus_wild=False)
    assert meld(rules, "2C 3C 4C 2P") is None
    assert laid(rules, "2C 3C 4C").clean


def test_b003_b06_no_run_wraps_over_the_ace() -> None:
    assert meld(ABERTO, "KC AC 3C") is None
    assert meld(ABERTO, "QE KE AE 2E 3E") is None
    assert shown(meld(ABERTO, "KC AC 2C")) == "2C KC AC"
    assert more(ABERTO, laid(ABERTO, "KC AC 2C"), "3C") is None
    assert laid(ABERTO, "AC 2C 3C").clean
    assert laid(ABERTO, "QC KC AC").clean


def test_b004_b16_from_ace_to_king_500_and_to_the_second_ace_1000() -> None:
    run = laid(ABERTO, "AP 2P 3P 4P 5P 6P 7P 8P 9P TP JP QP KP")
    assert canastra_points(ABERTO, run) == 500
    whole = more(ABERTO, run, "AP")
    assert whole is not None
    assert canastra_points(ABERTO, whole) == 1000
    assert canastra_points(RuleSet(run1000=False), whole) == 200


@pytest.mark.parametrize(
    ("run500", "low", "high"),
    [("ace_low", 500, 200), ("ace_high", 200, 500), ("any13", 500, 500), ("none", 200, 200)],
)
def test_b15_an_ace_stays_at_the_end_where_it_was_laid(run500: str, low: int, high: int) -> None:
    rules = RuleSet(run500=run500)  # type: ignore[arg-type]  # the closed list, as text
    upwards = more(rules, laid(rules, "AP 2P 3P"), "4P 5P 6P 7P 8P 9P TP JP QP KP")
    downwards = more(rules, laid(rules, "QP KP AP"), "2P 3P 4P 5P 6P 7P 8P 9P TP JP")
    assert upwards is not None
    assert downwards is not None
    assert (canastra_points(rules, upwards), canastra_points(rules, downwards)) == (low, high)


def test_b006_b17_thirteen_with_a_wild_is_dirty() -> None:
    run = laid(ABERTO, "AP 2P 3P 4P 5P 6P 2O 8P 9P TP JP QP KP")
    assert canastra_points(ABERTO, run) == 100
    longest = more(ABERTO, run, "7P")
    assert longest is not None
    assert canastra_points(ABERTO, longest) == 100
    assert canastra_points(RuleSet(big_run_needs_clean=False), run) == 500


def test_b007_b10_a_two_of_the_suit_goes_home() -> None:
    table = laid(ABERTO, "3C 4C 5C 2C 7C 8C 9C")
    assert not table.clean
    home = more(ABERTO, table, "6C")
    assert home is not None
    assert home.clean


@pytest.mark.parametrize(
    ("first", "then", "is_clean"),
    [
        ("4C 5C 2C 7C 8C 9C TC", "6C", False),
        ("4C 5C 2C 7C 8C 9C TC", "6C 3C", True),
        ("4C 5C 2P 7C 8C 9C TC", "6C 3C", False),
        ("AC 2C 3C 4C 2C 6C 7C", "5C", False),
        ("4C 5C JK 7C 8C 9C TC", "6C 3C", False),
        ("3C 4C 5C 6C 7C 8C", "2C", True),
        ("4C 5C 6C 7C 8C 9C TC", "2P", False),
    ],
)
def test_b009_b10_vectors(first: str, then: str, is_clean: bool) -> None:
    after = more(FECHADO, laid(FECHADO, first), then)
    assert after is not None
    assert after.clean is is_clean


def test_b10_not_from_end_a_wild_two_at_an_end_stays_wild() -> None:
    rules = RuleSet(cleaning="not_from_end")
    at_end = more(rules, laid(rules, "4C 5C 6C 7C 8C 9C 2C"), "3C")
    in_gap = more(rules, laid(rules, "3C 4C 5C 2C 7C 8C 9C"), "6C")
    assert at_end is not None
    assert in_gap is not None
    assert not at_end.clean
    assert in_gap.clean


@pytest.mark.parametrize("card", ["9P", "3P", "8P"])
def test_b11_a_wild_has_no_fixed_place(card: str) -> None:
    assert more(ABERTO, laid(ABERTO, "5P 6P 7P 2E"), card) is not None


def test_b14_a_wild_stands_for_an_ace_at_either_end() -> None:
    assert shown(meld(ABERTO, "QP KP 2E")) == "QP KP 2E"
    assert meld(ABERTO, "2P 3P 4P 5P 6P 7P 8P 9P TP JP QP KP AP 2E") is not None


def test_b010_b20_sets_where_they_are_allowed() -> None:
    for rules, allowed in ((ABERTO, False), (STBL, False), (FECHADO, True), (TRANCA, True)):
        assert (meld(rules, "9C 9P 9O") is not None) is allowed
    assert meld(FECHADO, "KC KP 2O") is not None
    assert meld(FECHADO, "KC 2O 2P") is None
    assert meld(RuleSet(sets=True, wild_in_sets=False), "KC KP 2O") is None


def test_b22_wilds_alone_only_by_switch_and_dirty() -> None:
    assert meld(FECHADO, "2C 2P 2O") is None
    rules = RuleSet(jokers=4, wild_melds=True)
    assert not laid(rules, "2C 2P 2O").clean
    assert not laid(rules, "JK JK JK").clean
    assert meld(rules, "2C 2P JK") is None


def test_b23_a_set_of_seven_is_a_canastra_by_switch() -> None:
    seven = laid(FECHADO, "9C 9P 9O 9E 9C 9P 9O")
    assert canastra_points(FECHADO, seven) == 200
    assert canastra_points(RuleSet(sets=True, set_canastra=False), seven) == 0


def test_b020_joker_and_two_share_one_limit() -> None:
    for rules in (FECHADO, STBL):
        assert meld(rules, "4E 5E JK 7E 2O") is None
        assert meld(rules, "4E 5E JK 7E") is not None


def test_b024_t08_threes_and_substitutes_for_them_never_meld() -> None:
    assert meld(TRANCA, "3P 4P 5P") is None
    assert meld(TRANCA, "3P 3P 3E") is None
    assert meld(TRANCA, "AO 2O 4O") is None
    assert shown(meld(TRANCA, "2P 4P 5P")) == "4P 5P 2P"
    assert more(TRANCA, laid(TRANCA, "2P 4P 5P"), "3P") is None


def test_b025_in_tranca_dirt_is_permanent() -> None:
    after = more(TRANCA, laid(TRANCA, "4C 5C 6C 2C 8C 9C TC"), "7C")
    dirtied = more(TRANCA, laid(TRANCA, "4C 5C 6C 7C 8C 9C TC"), "2C")
    assert after is not None
    assert dirtied is not None
    assert canastra_points(TRANCA, after) == canastra_points(TRANCA, dirtied) == 100


def test_t09_a_full_run_of_tranca_takes_no_wild() -> None:
    full = laid(TRANCA, "4C 5C 6C 7C 8C 9C TC JC QC KC AC")
    assert more(TRANCA, full, "2C") is None
    assert more(TRANCA, laid(TRANCA, "4C 5C 6C 2C 8C 9C TC JC QC KC AC"), "7C") is None


def test_b07_at_most_one_card_of_a_meld_acts_as_a_wild() -> None:
    """B-07: `max_wilds_per_meld` = 0, 2."""
    assert meld(ABERTO, "4P 2O 6P 2C 8P") is None
    assert meld(FECHADO, "9C 9P 2O 2C") is None
    none = RuleSet(max_wilds_per_meld=0)
    assert meld(none, "4P 5P 2O") is None
    assert laid(none, "2P 3P 4P").clean
    two = RuleSet(max_wilds_per_meld=2)
    assert len(laid(two, "4P 2O 6P 2C 8P").wilds) == 2
    assert meld(two, "4P 2O 6P 2C 8P 2E") is None


def test_b09_by_switch_a_two_is_natural_between_ace_and_three_or_never() -> None:
    """B-09: `natural_two` = between_ace_and_three, never."""
    between = RuleSet(natural_two="between_ace_and_three")
    assert laid(between, "AC 2C 3C 4C").clean
    assert not laid(between, "2C 3C 4C").clean
    assert meld(between, "2C 3C 4C 2P") is None
    never = RuleSet(natural_two="never")
    assert not laid(never, "AC 2C 3C 4C").clean
    assert meld(never, "AC 2C 2C") is None


def test_b10_by_switch_a_wild_two_never_goes_home() -> None:
    """B-10: `cleaning` = never, not_from_end."""
    never = RuleSet(cleaning="never")
    after = more(never, laid(never, "3C 4C 5C 2C 7C 8C 9C"), "6C")
    assert after is not None
    assert not after.clean
    rival = RuleSet(cleaning="not_from_end")
    moved = more(rival, laid(rival, "4C 5C 2C 7C"), "6C")
    assert moved is not None
    assert moved.bound, "it went to an end when the gap was filled, and stays wild for ever"
    later = more(rival, moved, "3C")
    assert later is not None
    assert not later.clean
    in_a_gap = more(rival, moved, "9C")
    assert in_a_gap is not None
    home = more(rival, in_a_gap, "8C 3C")
    assert home is not None
    assert not home.clean, "in a gap since, it is remembered all the same"


def test_b11_a_run_does_not_turn_into_a_set() -> None:
    rules = RuleSet(sets=True, max_wilds_per_meld=2)
    run = laid(rules, "AC 2C 2O")
    assert run.kind == "run"
    assert meld(rules, "AC AC 2C 2O") is not None, "a set, laid at once"
    assert more(rules, run, "AC") is None


def test_b11_every_way_of_laying_the_same_cards_gives_the_same_meld() -> None:
    faces = ["4C", "5C", "2C", "7C", "8C", "9C", "TC"]
    shapes = {laid(FECHADO, " ".join(faces[start:] + faces[:start])) for start in range(len(faces))}
    assert len(shapes) == 1


def test_b11_a_run_of_fourteen_is_full() -> None:
    full = laid(ABERTO, "AP 2P 3P 4P 5P 6P 7P 8P 9P TP JP QP KP AP")
    for face in ("2O", "7P", "2P"):
        assert more(ABERTO, full, face) is None


def test_b12_a_wild_is_never_taken_back() -> None:
    table = Table("buraco-aberto", {0: "6C KE QE"}, melds=[(0, "3C 4C 5C 2P 7C 8C 9C")])
    table.add(0, 0, "6C")
    assert table.hand(0) == "KE QE"
    assert len(table.state.melds[0].shape.cards) == 8


def test_b13_a_wild_added_to_a_clean_canastra_makes_it_dirty() -> None:
    table = Table("buraco-aberto", {0: "2P KE QE"}, melds=[(0, "4C 5C 6C 7C 8C 9C TC")])
    table.add(0, 0, "2P")
    assert canastra_points(table.state.rules, table.state.melds[0].shape) == 100


def test_b21_a_set_has_up_to_nine_cards_of_which_eight_are_natural() -> None:
    """B-21: `wild_in_sets` = false."""
    eight = "9P 9C 9E 9O 9P 9C 9E 9O"
    assert laid(FECHADO, eight).clean
    nine = laid(FECHADO, f"{eight} JK")
    assert len(nine.cards) == 9
    assert more(FECHADO, nine, "2P") is None
    assert meld(FECHADO, "9P 9C") is None
    assert laid(FECHADO, "9P 9P 2C").kind == "set"
    strict = RuleSet(sets=True, wild_in_sets=False)
    assert meld(strict, "9P 9C 2O") is None
    assert laid(strict, "9P 9C 9O").clean


def test_b24_by_switch_a_side_has_one_set_of_a_rank_and_one_run_of_a_suit() -> None:
    """B-24: `duplicate_melds` = false."""
    hand = {0: "4C 5C 6C 9C 9P 9O KE QE"}
    on_table = [(0, "TC JC QC"), (0, "9E 9C 9P"), (1, "4O 5O 6O")]
    table = Table("buraco-fechado", hand, melds=on_table)
    table.lay(0, "4C 5C 6C")
    table.lay(0, "9C 9P 9O")
    strict = Table("buraco-fechado", hand, melds=on_table, duplicate_melds="false")
    assert strict.code(0, strict.laying(0, "4C 5C 6C")) == "DUPLICATE_MELD"
    assert strict.code(0, strict.laying(0, "9C 9P 9O")) == "DUPLICATE_MELD"
    others = Table("buraco-fechado", {0: "7O 8O 9O KE QE"}, melds=on_table, duplicate_melds="false")
    others.lay(0, "7O 8O 9O")
    taking = Table(
        "buraco-fechado", {0: "4C 5C KE QE"}, melds=on_table, lixo="6C", phase="draw", duplicate_melds="false"
    )
    assert taking.code(0, taking.taking(0, "4C 5C")) == "DUPLICATE_MELD"


def test_b25_melds_that_touch_stay_apart() -> None:
    table = Table("buraco-aberto", {0: "7C 8C 9C KE QE"}, melds=[(0, "4C 5C 6C")])
    table.lay(0, "7C 8C 9C")
    assert [len(meld.shape.cards) for meld in table.state.melds] == [3, 3]
    assert table.code(0, ExtendMeld(7, 0, table.state.melds[1].shape.cards)) == "CARD_NOT_IN_HAND"


def test_b26_only_ones_own_sides_melds_are_extended() -> None:
    table = Table("buraco-aberto", {0: "7C KE QE"}, melds=[(1, "4C 5C 6C"), (0, "8C 9C TC")])
    assert table.code(0, table.adding(0, 0, "7C")) == "NO_SUCH_MELD"
    table.add(0, 1, "7C")
    partners = Table("buraco-aberto", {2: "7C KE QE"}, melds=[(0, "4C 5C 6C")])
    partners.turn_of(2)
    partners.add(2, 0, "7C")


def test_b20_by_switch_sets_are_allowed_elsewhere() -> None:
    """B-20: `sets` = true, false."""
    assert laid(RuleSet(sets=True), "9C 9P 9O").kind == "set"
    assert (
        Table("canastra", {0: "9C 9P 9O KE QE"}, sets="false").code(
            0, Table("canastra", {0: "9C 9P 9O KE QE"}).laying(0, "9C 9P 9O")
        )
        == "NOT_A_MELD"
    )


def test_b22_melds_of_wilds_alone() -> None:
    """B-22: `wild_melds` = true; they are dirty and canastras from seven on."""
    rules = RuleSet(jokers=4, wild_melds=True)
    seven = laid(rules, "2C 2P 2O 2E 2C 2P 2O")
    assert canastra_points(rules, seven) == 100
    assert more(rules, seven, "2E") is not None
    assert more(rules, seven, "JK") is None


def test_a_meld_is_judged_in_under_a_tenth_of_a_millisecond() -> None:
    held = cards("AP 2P 3P 4P 5P 6P 2O 8P 9P TP JP QP KP")
    rounds = 500
    took = min(_seconds(held, rounds) for _ in range(5))
    assert took / rounds < 0.0001


def _seconds(held: tuple[str, ...], rounds: int) -> float:
    started = time.process_time()
    for _ in range(rounds):
        judge(ABERTO, held)
    return time.process_time() - started
