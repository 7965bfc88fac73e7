"""What may be laid down: wilds, sets, runs and whole hands (C-01 to C-06), also against a second, plain judge."""

import random

import pytest

from libs.rules.cacheta.cards import PACK, WILDS, wild_faces
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.groups import Bounds, bounds_of
from libs.rules.cacheta.layout import layout, whole
from tests.libs.rules.cacheta.naive_melds import Hand, is_meld, wilds_of
from tests.libs.rules.cacheta.tables import Table, cards

FAR_VIRA = "KPa"
"""Aces of paus and espadas are wild."""


def fits(text, vira=FAR_VIRA, **switches):
    """Whether cards written as faces can be laid down whole."""
    rules = GAME.rule_set(switches)
    return whole(cards(text), vira, bounds_of(rules)) is not None


@pytest.mark.parametrize(
    ("vira", "wild"),
    [("8Pa", {"9P", "9E"}), ("KOb", {"AC", "AO"}), ("AEa", {"2P", "2E"}), ("9Ca", {"TC", "TO"})],
)
def test_b059_c01_the_wilds_follow_the_vira_in_both_suits_of_its_colour(vira, wild):
    assert set(wild_faces(vira)) == wild
    assert {card[:2] for card in WILDS[vira]} == wild
    assert len(WILDS[vira]) == 4
    assert len(set(PACK)) == 104
    assert not any(card.startswith("JK") for card in PACK)


@pytest.mark.parametrize("vira", PACK)
def test_c01_the_table_of_wilds_is_that_of_a_second_reading(vira):
    assert set(wild_faces(vira)) == wilds_of(vira)


@pytest.mark.parametrize(
    ("text", "is_legal"),
    [
        ("5C 5C 5P", False),
        ("5C 5P 5O", True),
        ("5C 5P 5O 5O", True),
        ("5C 5P 5O 5O 5C", True),
        ("5C 5P 5O 5E", False),
        ("AC 2C 3C", True),
        ("QC KC AC", True),
        ("KC AC 2C", False),
    ],
)
def test_b060_c04_c05_sets_by_suit_and_aces_at_either_end(text, is_legal):
    assert fits(text, vira="8Pa") is is_legal


@pytest.mark.parametrize("four_suit_set", ["false", "true"])
def test_c04_a_fourth_suit_is_refused_or_allowed_by_switch(four_suit_set):
    allowed = four_suit_set == "true"
    assert fits("5C 5P 5O 5E", four_suit_set=four_suit_set) is allowed
    assert fits("5C 5P 5O 5E 5E", four_suit_set=four_suit_set) is allowed
    assert fits("5C 5C 5P 5P 5E", four_suit_set=four_suit_set)
    # Six of a rank are two sets, whatever the switch.
    assert fits("5C 5P 5O 5E 5C 5P", four_suit_set=four_suit_set)


@pytest.mark.parametrize(
    ("text", "is_legal"),
    [
        ("5C 5C AP", False),
        ("5C 5P AP", True),
        ("5C 5C 5P AP", True),
        ("5C 5C 5P 5P AP", True),
        ("5C 5C 5P AP AE", True),
        ("5C 5P 5O 5E AP", False),
    ],
)
def test_c04_a_wild_takes_the_suit_that_makes_a_set_legal(text, is_legal):
    assert fits(text) is is_legal


def test_c02_a_wild_may_be_the_card_that_it_is():
    """The 9 of paus is wild under the 8 of paus and stands here in its own place (C-02)."""
    assert fits("8E 9P TE", vira="8Pa")
    assert fits("8P 9P TP", vira="8Pb")
    assert fits("9C 9O 9P", vira="8Pa")


@pytest.mark.parametrize(("cacheta_max_wilds", "most"), [("none", 4), ("1", 1), ("2", 2)])
def test_c03_how_many_wilds_a_meld_may_have(cacheta_max_wilds, most):
    for wilds, run in ((1, "4C 6C AP"), (2, "4C 7C 8C AP AE"), (3, "5C 9C AP AE AE"), (4, "5C AP AP AE AE")):
        assert fits(run, cacheta_max_wilds=cacheta_max_wilds) is (wilds <= most), wilds


@pytest.mark.parametrize("cacheta_max_wilds", ["none", "1", "2"])
def test_c03_a_wild_that_stands_as_itself_counts_too(cacheta_max_wilds):
    """Q K A of paus with a second wild beside them: two of the four wild cards in one meld (C-03)."""
    assert fits("QP KP AP", cacheta_max_wilds=cacheta_max_wilds)
    assert fits("JP KP AP AE", cacheta_max_wilds=cacheta_max_wilds) is (cacheta_max_wilds != "1")


def test_c03_a_meld_of_wilds_alone_is_none():
    assert not fits("AP AP AE")
    assert not fits("AP AP AE AE")
    assert fits("AP AP 7C")


@pytest.mark.parametrize(
    "text",
    [
        "2C 3C 4C 6C 7C 8C TC JC QC",
        "5C 5P 5O 6C 6P 6O 7C 7P 7O",
        "AC 2C 3C 4C QC KC AC 5C 6C",
        "3C 3C 4C 4C 5C 5C 9P 9E 9O",
    ],
)
def test_c06_nine_cards_of_several_melds(text):
    assert fits(text)


def test_c06_melds_are_laid_in_order_with_each_wild_in_its_place():
    able = layout(GAME.rule_set({}), FAR_VIRA, cards("KC AP QC TC 5C 5P 5O 8E 9E AE"))
    assert able.melds == (
        ("5Pa", "5Ca", "5Oa"),
        ("TCa", "APa", "QCa", "KCa"),
        ("8Ea", "9Ea", "AEa"),
    )


def test_c06_every_discard_that_leaves_nine_that_fit_is_found():
    able = layout(GAME.rule_set({}), FAR_VIRA, cards("2C 3C 4C 5C 6P 7P 8P JO QO KO"))
    assert able.melds is not None
    assert able.discards == ("2Ca", "5Ca")
    stray = layout(GAME.rule_set({}), FAR_VIRA, cards("2C 3C 4C 9E 6P 7P 8P JO QO KO"))
    assert (stray.melds, stray.discards) == (None, ("9Ea",))


def hands(seed, count):
    """Hands of ten: half of them by chance, half from few ranks and with more wilds, so that many of them fit."""
    chance = random.Random(seed)
    for number in range(count):
        vira = chance.choice(PACK)
        if number % 2:
            ranks = chance.sample("A23456789TJQK", 4)
            near = [card for card in PACK if card[0] in ranks or card in WILDS[vira]]
        else:
            first = chance.randrange(14)
            ranks = (2 * "A23456789TJQK")[first : first + 6]
            near = [card for card in PACK if card[0] in ranks and card[1] in "CO"] + list(WILDS[vira])
        near = sorted(set(near) - {vira})
        yield tuple(chance.sample(near, 10)), vira


@pytest.mark.parametrize(
    ("cacheta_max_wilds", "four_suit_set"),
    [("none", "false"), ("1", "false"), ("2", "true"), ("none", "true")],
)
def test_c06_the_engine_agrees_with_a_brute_force_over_all_partitions(cacheta_max_wilds, four_suit_set):
    rules = GAME.rule_set({"cacheta_max_wilds": cacheta_max_wilds, "four_suit_set": four_suit_set})
    most = None if cacheta_max_wilds == "none" else int(cacheta_max_wilds)
    four = four_suit_set == "true"
    fitting = 0
    for hand, vira in hands(f"{cacheta_max_wilds} {four_suit_set}", 14):
        able = layout(rules, vira, hand)
        naive = Hand(hand, vira, most, four)
        assert (able.melds is not None) is naive.whole(), (hand, vira)
        expected = tuple(card for place, card in enumerate(hand) if naive.without(place))
        assert able.discards == expected, (hand, vira)
        fitting += able.goes_out
        if able.melds is not None:
            assert sorted(card for meld in able.melds for card in meld) == sorted(hand)
            for meld in able.melds:
                assert is_meld([card[:2] for card in meld], wilds_of(vira), most, four), meld
    assert fitting > 1


def test_c06_a_first_look_spares_no_hand_that_fits():
    """A hand with two cards that no meld can hold is given up at once; the long search says the same (C-06)."""
    bounds = Bounds(99, 3)
    for hand, vira in hands("lonely", 300):
        able = layout(GAME.rule_set({}), vira, hand)
        if not able.goes_out:
            assert all(
                whole(tuple(held for held in hand if held != card), vira, bounds) is None for card in hand
            )


def test_c01_the_setup_with_four_three_and_two_players():
    for points, stock in (((10, 10, 10, 10), 67), ((10, 0, 10, 10), 76), ((0, 3, 0, 1), 85)):
        state = Table(points=points, starter=points.index(max(points))).state
        assert [len(hand) for hand in state.hands] == [9 if left else 0 for left in points]
        assert len(state.stock) == stock
        assert state.vira not in state.stock
        assert not any(state.vira in hand for hand in state.hands)
