"""The pack and the strength of its cards."""

import pytest

from libs.rules.truco.cards import COVERED_STRENGTH, MANILHA_RANK, PACK, STRENGTHS


def test_r01_the_pack_has_forty_cards_without_eights_nines_and_tens():
    assert len(PACK) == len(set(PACK)) == 40
    assert {card[0] for card in PACK} == set("4567QJKA23")
    assert {card[1] for card in PACK} == set("PCEO")


def test_r01_plain_cards_rank_by_their_rank_alone():
    strengths = STRENGTHS["4O"]
    plain = "32AKJQ764"  # the fives are manilhas
    assert [strengths[rank + "C"] for rank in plain] == sorted(
        (strengths[r + "C"] for r in plain), reverse=True
    )
    for rank in plain:
        assert len({strengths[rank + suit] for suit in "PCEO"}) == 1


@pytest.mark.parametrize(
    ("vira", "manilha"),
    [
        ("4", "5"), ("5", "6"), ("6", "7"), ("7", "Q"), ("Q", "J"), ("J", "K"), ("K", "A"), ("A", "2"), ("2", "3"), ("3", "4"),
    ],
)  # fmt: skip
def test_b031_r02_the_manilha_is_the_next_rank_in_the_order_of_truco(vira, manilha):
    assert MANILHA_RANK[vira] == manilha
    for suit in "PCEO":
        strengths = STRENGTHS[vira + suit]
        zap, copas, espadas, ouros = (strengths[manilha + s] for s in "PCEO")
        plain = max(strength for card, strength in strengths.items() if card[0] != manilha)
        assert zap > copas > espadas > ouros > plain


def test_b031_suits_rank_manilhas_only():
    assert STRENGTHS["4O"]["3P"] == STRENGTHS["4O"]["3O"]
    assert STRENGTHS["4O"]["5O"] > STRENGTHS["4O"]["3P"]
    by_strength = sorted(["3E", "3P", "3O", "3C"], key=STRENGTHS["2O"].__getitem__, reverse=True)
    assert by_strength == ["3P", "3C", "3E", "3O"]


def test_r21_a_covered_card_is_weaker_than_every_open_one():
    assert all(
        strength > COVERED_STRENGTH for strengths in STRENGTHS.values() for strength in strengths.values()
    )
