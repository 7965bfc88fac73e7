"""The strength of Sueca's cards, following suit, and what a hand is worth."""

import random

import pytest

from libs.rules.sueca.cards import NAMES, POINTS, name_of, number_of, points_of
from libs.rules.sueca.scoring import capped, carry_after_tie, hand_points
from libs.rules.sueca.tricks import legal_cards, trick_winner


def numbers(names):
    return [number_of(name) for name in names.split()]


def mask(names):
    return sum(1 << number for number in numbers(names))


def naive_winner(names, trump):
    trumps = [name for name in names if name[1] == trump]
    able = trumps or [name for name in names if name[1] == names[0][1]]
    return names.index(min(able, key=lambda name: "A7KJQ65432".index(name[0])))


def test_a_pack_has_forty_cards_and_120_points():
    assert len(set(NAMES)) == 40
    assert sum(POINTS) == 120


@pytest.mark.parametrize(("cards", "winner"), [("2C 6C 5C 4C", 1), ("QC JC 2C 3C", 1)])
def test_b040_cards_of_equal_points_differ_in_strength(cards, winner):
    assert trick_winner(numbers(cards), trump=2) == winner


def test_b041_a_seven_beats_a_king():
    cards = numbers("KC 7C 2C JC")
    assert trick_winner(cards, trump=2) == 1
    assert sum(map(points_of, cards)) == 17


def test_b042_s03_who_holds_the_led_suit_follows_it_and_who_does_not_plays_anything():
    led = number_of("4C")
    assert legal_cards(mask("KC AE 3O"), led) == mask("KC")
    assert legal_cards(mask("AE 3O"), led) == mask("AE 3O")
    assert legal_cards(mask("KC AE 3O"), None) == mask("KC AE 3O")


def test_tricks_are_won_as_a_second_reading_of_the_rules_has_it():
    chance = random.Random(8)
    for _ in range(2_000):
        cards = chance.sample(range(40), 4)
        trump = chance.randrange(4)
        assert trick_winner(cards, trump) == naive_winner([name_of(card) for card in cards], "PCEO"[trump])


@pytest.mark.parametrize(
    ("points", "tricks", "worth"),
    [(61, 6, 1), (90, 9, 1), (91, 5, 2), (118, 9, 2), (120, 9, 2), (120, 10, 4)],
)
def test_b044_s04_what_a_hand_is_worth(points, tricks, worth):
    assert hand_points(points, tricks, carry=0) == worth


@pytest.mark.parametrize(("tie_carry", "worth"), [("cumulative", 3), ("single", 2)])
def test_b044_s05_ties_carry_to_the_next_decided_hand(tie_carry, worth):
    carry = carry_after_tie(carry_after_tie(0, tie_carry), tie_carry)
    assert hand_points(70, 6, carry) == worth


def test_s06_all_ten_tricks_are_four_whatever_is_carried():
    assert hand_points(120, 10, carry=3) == 4


def test_s07_the_shown_score_is_capped_at_four():
    assert [capped(score) for score in (3, 4, 6)] == [3, 4, 4]
