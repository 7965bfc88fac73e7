"""What a deal is worth (B-15 to B-19, B-42, B-46 to B-51, T-06, T-10, T-11)."""

from __future__ import annotations

import pytest

from libs.rules.buraco.events import MortoTaken
from libs.rules.buraco.scoring import side_score, worth
from tests.libs.rules.buraco.tables import PRESETS, Table, has

CLEAN = "4C 5C 6C 7C 8C 9C TC"
A_TO_K = "AP 2P 3P 4P 5P 6P 7P 8P 9P TP JP QP KP"
TWO_TO_A = "2P 3P 4P 5P 6P 7P 8P 9P TP JP QP KP AP"
A_TO_A = f"{A_TO_K} AP"
THREE_BURACOS = ("buraco-aberto", "buraco-fechado", "buraco-fechado-stbl")
HOUSE_004 = tuple(f"{name}@004" for name in THREE_BURACOS)


def melds_worth(preset: str, words: str, **switches: str) -> tuple[int, int]:
    """Cards and canastras of one meld of side 0."""
    table = Table(preset, melds=[(0, words)], **switches)
    score = side_score(table.state, 0, None)
    return score.cards, score.canastras


def test_b001_a_natural_run_with_a_two_is_worth_250() -> None:
    table = Table("buraco-aberto", {0: "AC 2C 3C 4C 5C 6C 7C 9E KO"})
    table.lay(0, "AC 2C 3C 4C 5C 6C 7C")
    score = side_score(table.state, 0, None)
    assert (score.canastras, score.cards) == (200, 50)


@pytest.mark.parametrize("preset", THREE_BURACOS)
def test_b004_b16_b18_a_run_of_thirteen_500_and_the_second_ace_makes_it_1000(preset: str) -> None:
    assert melds_worth(preset, A_TO_K) == (110, 500)
    table = Table(preset, {0: "AP KE 9O"}, melds=[(0, A_TO_K)])
    table.add(0, 0, "AP")
    score = side_score(table.state, 0, None)
    assert (score.cards, score.canastras) == (125, 1000)


def test_b006_b17_thirteen_with_a_wild_are_worth_215() -> None:
    table = Table("buraco-aberto", {0: "7P KE 9O"}, melds=[(0, A_TO_K.replace("7P", "2O"))])
    score = side_score(table.state, 0, None)
    assert score.cards + score.canastras == 215
    table.add(0, 0, "7P")
    assert side_score(table.state, 0, None).canastras == 100


def test_b007_a_cleaned_canastra_is_worth_255_and_lets_one_go_out() -> None:
    table = Table("buraco-aberto", {0: "6C KE"}, melds=[(0, "3C 4C 5C 2C 7C 8C 9C")], takers=(2, None))
    table.add(0, 0, "6C")
    score = side_score(table.state, 0, None)
    assert (score.cards, score.canastras) == (55, 200)
    assert len(table.state.hands[0]) == 1
    table.discard(0, "KE")
    assert table.is_over


def test_b15_which_run_of_thirteen_is_500_at_each_table() -> None:
    for preset in THREE_BURACOS:
        assert (melds_worth(preset, A_TO_K)[1], melds_worth(preset, TWO_TO_A)[1]) == (500, 500), preset
    for preset in HOUSE_004:
        assert (melds_worth(preset, A_TO_K)[1], melds_worth(preset, TWO_TO_A)[1]) == (500, 500), preset
    # The ace of a new meld goes where it pays more; laid at an end it stays there.
    for preset, low, high in [
        *((name, 500, 200) for name in THREE_BURACOS),
        *((name, 200, 500) for name in HOUSE_004),
    ]:
        for first, then, wanted in (("AP 2P 3P", TWO_TO_A[6:-3], low), ("QP KP AP", TWO_TO_A[:-9], high)):
            table = Table(preset, {0: f"{then} KE 9O"}, melds=[(0, first)])
            table.add(0, 0, then)
            assert side_score(table.state, 0, None).canastras == wanted, (preset, first)


@pytest.mark.parametrize("preset", ["canastra", "tranca", "tranca@003"])
def test_b19_where_500_and_1000_do_not_exist_a_clean_run_is_200(preset: str) -> None:
    longest = "4P 5P 6P 7P 8P 9P TP JP QP KP AP" if preset.startswith("tranca") else A_TO_A
    assert melds_worth(preset, longest)[1] == 200
    assert melds_worth(preset, longest.replace("7P", "2O"))[1] == 100


def test_b16_by_switch_the_1000_exists_or_not() -> None:
    """B-16: `run1000` = true, false."""
    assert melds_worth("buraco-aberto", A_TO_A, run1000="false")[1] == 200
    assert melds_worth("canastra", A_TO_A, run1000="true")[1] == 1000


def test_b17_by_switch_a_dirty_run_earns_them_too() -> None:
    """B-17: `big_run_needs_clean` = false."""
    dirty = {"big_run_needs_clean": "false"}
    assert melds_worth("buraco-aberto", A_TO_K.replace("7P", "2O"), **dirty)[1] == 500
    assert melds_worth("buraco-aberto", A_TO_A.replace("7P", "2O"), **dirty)[1] == 1000


def test_b18_b51_one_bonus_a_meld_from_seven_cards_on() -> None:
    assert melds_worth("buraco-aberto", "4C 5C 6C 7C 8C 9C") == (40, 0)
    assert melds_worth("buraco-aberto", CLEAN) == (50, 200)
    assert melds_worth("buraco-aberto", "4C 5C 6C 2P 8C 9C TC") == (55, 100)


def test_b18_500_and_1000_count_as_clean_for_going_out() -> None:
    for run in (A_TO_K, A_TO_A):
        table = Table("buraco-aberto", {0: "KE"}, melds=[(0, run)], takers=(0, None))
        table.discard(0, "KE")
        assert table.is_over


def test_b23_a_set_of_seven_is_a_canastra_by_switch() -> None:
    """B-23: `set_canastra` = false."""
    seven = "9C 9P 9O 9E 9C 9P 9O"
    for preset in ("buraco-fechado", "canastra", "tranca", "tranca@003", "buraco-fechado@004"):
        assert melds_worth(preset, seven) == (70, 200)
        assert melds_worth(preset, f"{seven[:-3]} 2O")[1] == 100
        assert melds_worth(preset, seven, set_canastra="false")[1] == 0
    strict = Table("buraco-fechado", {0: "KE"}, melds=[(0, seven)], takers=(0, None), set_canastra="false")
    assert strict.code(0, strict.discarding(0, "KE")) == "KEEP_A_CARD"


def test_b019_b46_b50_the_total_of_a_side() -> None:
    table = Table(
        "buraco-aberto",
        {0: "JC", 1: "AE 2P 3C", 2: "KE 7O", 3: "9P 9C"},
        melds=[(0, CLEAN), (1, "JO QO KO")],
        takers=(0, None),
        mortos=1,
    )
    # A's discard ends the deal: its own melds and hands are those of the case.
    table.discard(0, "JC")
    a, b = table.points(0), table.points(1)
    assert (a.canastras, a.cards, a.batida, a.in_hand, a.morto, a.total) == (200, 50, 100, -15, 0, 335)
    assert (b.cards, b.in_hand, b.morto, b.total) == (30, -50, -100, -120)
    assert table.state.winners == (0,)


def test_b46_both_sides_pay_where_neither_took_a_morto() -> None:
    table = Table("buraco-aberto", stock=1, mortos=0, mortos_turned=2, phase="draw")
    table.draw(0)
    assert [table.points(side).morto for side in (0, 1)] == [-100, -100]


def test_b46_by_switch_who_goes_out_never_pays() -> None:
    """B-46: `morto_penalty` = not_who_goes_out."""
    switches = {"go_out_without_morto": "both_became_stock"}
    for penalty, wanted in (("not_who_goes_out", 0), ("always", -100)):
        table = Table(
            "buraco-aberto",
            {0: "KE"},
            melds=[(0, CLEAN)],
            mortos=0,
            mortos_turned=2,
            morto_penalty=penalty,
            **switches,
        )
        table.discard(0, "KE")
        assert (table.points(0).morto, table.points(1).morto) == (wanted, -100)
    exhausted = Table("tranca@003", {0: "KE QE"}, stock=1, mortos=0, phase="draw")
    exhausted.draw(0)
    exhausted.discard(0, "KE")
    assert [exhausted.points(side).morto for side in (0, 1)] == [-100, -100], "nobody went out"


def test_b47_an_untaken_morto_counts_for_nobody() -> None:
    table = Table(
        "buraco-aberto",
        {0: "KE"},
        melds=[(0, CLEAN)],
        takers=(0, None),
        mortos=["AO AE AP AC KO KP KC QO QE QP QC"],
    )
    table.discard(0, "KE")
    assert table.points(0).total == 50 + 200 + 100 + table.points(0).in_hand
    assert table.points(1).total == -100 + table.points(1).in_hand
    assert len(table.state.mortos[0]) == 11


@pytest.mark.parametrize(("preset", "pays"), [("tranca", False), ("tranca@003", True)])
def test_b48_a_morto_that_was_never_played(preset: str, pays: bool) -> None:
    """B-48: `unplayed_morto_pays` = true counts it as not taken."""
    table = never_played(preset)
    b = table.points(1)
    held = table.state.hands[3]
    assert len(held) == 11
    others = worth(table.state.rules, table.state.hands[1])
    if pays:
        assert (b.morto, b.in_hand, b.red_threes) == (-100, -others, 0)
    else:
        # A black three costs nothing here (T-10).
        mine = worth(table.state.rules, [card for card in held if card[0] != "3"])
        assert (b.morto, b.in_hand, b.red_threes) == (0, -others - mine, -200)


def never_played(preset: str) -> Table:
    """Seat 3's discard is an indirect batida, its morto has a red three and brings another; then seat 0 goes out."""
    table = Table(
        preset,
        {0: "JC", 1: "QO JO", 3: "KE"},
        melds=[(0, CLEAN)],
        mortos=["3O 8O 9O TO 5E 6E 7E 8E 4P 5P 3P"],
        takers=(0, None),
        stock="3C 9E 9C 9P TE",
    )
    table.turn_of(3)
    assert has(table.discard(3, "KE"), MortoTaken)
    assert len(table.state.red_threes[1]) == 2
    table.draw(0)
    table.add(0, 0, "JC")
    table.discard(0, "9C")
    return table


def test_b48_only_where_the_others_go_out_before_the_takers_next_turn() -> None:
    """B-48: `unplayed_morto_pays` by switch, in Buraco too; the taker's next turn, a partner's batida and the end of the
    stock do not trigger it.
    """
    switch = {"unplayed_morto_pays": "true"}
    morto = "JO QO KO AO 5E 6E 7E 8E 4P 5P 6P"

    def table_with(hands: dict[int, str], side: int, stock: int = 6) -> Table:
        table = Table(
            "buraco-aberto",
            hands,
            melds=[(side, CLEAN)],
            mortos=[morto],
            takers=(0, None),
            stock=stock,
            **switch,
        )
        table.turn_of(3)
        assert has(table.discard(3, "KE"), MortoTaken)
        return table

    at_once = table_with({0: "JC", 3: "KE"}, 0)
    at_once.draw(0)
    at_once.add(0, 0, "JC")
    at_once.do(0, at_once.discarding(0, at_once.hand(0)))
    assert at_once.points(1).morto == -100
    assert at_once.points(1).in_hand == -worth(at_once.state.rules, at_once.state.hands[1])

    direct = Table(
        "buraco-aberto",
        {0: "JC", 3: "7E"},
        melds=[(0, CLEAN), (1, "4E 5E 6E")],
        mortos=["JO QO KO AO 9E TE 7E 8E 4P 5P 6P"],
        takers=(0, None),
        **switch,
    )
    direct.turn_of(3)
    assert has(direct.add(3, 1, "7E"), MortoTaken)
    direct.discard(3, "JO")
    direct.draw(0)
    direct.add(0, 0, "JC")
    direct.do(0, direct.discarding(0, direct.hand(0)))
    assert direct.points(1).morto == 0, "a direct batida has played it"
    assert -direct.points(1).in_hand > worth(direct.state.rules, direct.state.hands[3])

    by_partner = table_with({1: "JC", 3: "KE"}, 1)
    by_partner.draw_and_discard(0)
    by_partner.draw(1)
    by_partner.add(1, 0, "JC")
    by_partner.do(1, by_partner.discarding(1, by_partner.hand(1)))
    assert by_partner.points(1).batida == 100
    assert by_partner.points(1).morto == 0
    assert by_partner.points(1).in_hand == -worth(by_partner.state.rules, by_partner.state.hands[3])

    a_turn_later = table_with({0: "JC QC", 3: "KE"}, 0)
    a_turn_later.draw_and_discard(0, 1, 2, 3)
    a_turn_later.draw(0)
    a_turn_later.add(0, 0, "JC QC")
    a_turn_later.do(0, a_turn_later.discarding(0, a_turn_later.hand(0)))
    assert a_turn_later.points(0).batida == 100
    assert a_turn_later.points(1).morto == 0

    exhausted = table_with({0: "JC QC", 3: "KE"}, 0, stock=1)
    exhausted.draw(0)
    assert exhausted.is_over
    assert exhausted.points(1).morto == 0


def test_b49_the_values_of_cards() -> None:
    rules = PRESETS["buraco-fechado"].rule_set({})
    values = {
        "A": 15,
        "2": 10,
        "3": 5,
        "4": 5,
        "5": 5,
        "6": 5,
        "7": 5,
        "8": 10,
        "9": 10,
        "T": 10,
        "J": 10,
        "Q": 10,
        "K": 10,
    }
    for rank, value in values.items():
        for suit in "PCEO":
            assert worth(rules, [f"{rank}{suit}a"]) == value
    assert worth(rules, ["JKc"]) == 50
    assert melds_worth("buraco-aberto", "2C 3C 4C")[0] == melds_worth("buraco-aberto", "2P 3C 4C")[0] == 20


def test_b020_a_meld_with_a_joker_is_worth_65() -> None:
    assert melds_worth("buraco-fechado", "4E 5E JK 7E") == (65, 0)


def test_t06_red_threes_count_for_a_side_with_a_canastra_and_against_one_without() -> None:
    """T-06: `four_red_threes` = 400, 800."""
    for count, words in ((1, "3C"), (3, "3C 3C 3O"), (4, "3C 3C 3O 3O")):
        for most, all_four in (("400", 400), ("800", 800)):
            for meld, sign in ((CLEAN, 1), ("4C 5C 6C 2P 8C 9C TC", 1), ("4C 5C 6C", -1)):
                table = Table(
                    "tranca",
                    {0: "KE QE"},
                    melds=[(0, meld)],
                    stock=f"{words} 9O 8O",
                    phase="draw",
                    four_red_threes=most,
                )
                table.draw(0)
                wanted = all_four if count == 4 else 100 * count
                assert side_score(table.state, 0, None).red_threes == sign * wanted
                assert side_score(table.state, 1, None).red_threes == 0


@pytest.mark.parametrize(
    ("preset", "switches", "cost"),
    [("tranca", {}, 0), ("tranca@003", {}, 10), ("tranca", {"black_three_in_hand": "100"}, 100)],
)
def test_t10_what_a_black_three_costs_in_hand(preset: str, switches: dict[str, str], cost: int) -> None:
    """T-10: `black_three_in_hand` = 0, 10."""
    table = Table(preset, {0: "3P 3E", 2: "3P"}, **switches)
    assert side_score(table.state, 0, None).in_hand == -3 * cost


def test_t11_in_house_003_every_card_is_worth_ten() -> None:
    """T-11: `card_values` = all_ten, table."""
    assert melds_worth("tranca@003", "4C 5C 6C 7C 2P") == (50, 0)
    assert melds_worth("tranca", "4C 5C 6C 7C 2P") == (30, 0)
    table = Table("tranca@003", {0: "AC 2C 4C", 2: "KE"})
    assert side_score(table.state, 0, None).in_hand == -40
    assert melds_worth("buraco-aberto", "QC KC AC", card_values="all_ten") == (30, 0)
