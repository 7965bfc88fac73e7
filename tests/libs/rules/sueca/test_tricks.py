"""The strength of Sueca's cards, following suit, and who wins a trick."""

import random

import pytest

from libs.rules.game import Seat
from libs.rules.sueca.cards import ALL_CARDS, PACK, POINTS, cards_of, mask_of
from libs.rules.sueca.events import TrickEnded
from libs.rules.sueca.game import SUECA as GAME
from libs.rules.sueca.tricks import legal_cards, trick_winner
from tests.libs.rules.sueca.tables import Table, only


def mask(names):
    return mask_of(tuple(names.split()))


def naive_winner(names, trump):
    trumps = [name for name in names if name[1] == trump]
    able = trumps or [name for name in names if name[1] == names[0][1]]
    return names.index(min(able, key=lambda name: "A7KJQ65432".index(name[0])))


def test_a_pack_has_forty_cards_and_120_points():
    assert len(set(PACK)) == 40
    assert sum(POINTS.values()) == 120
    assert cards_of(ALL_CARDS) == PACK


@pytest.mark.parametrize(("cards", "winner"), [("2C 6C 5C 4C", 1), ("QC JC 2C 3C", 1)])
def test_b040_cards_of_equal_points_differ_in_strength(cards, winner):
    assert trick_winner(cards.split(), trump="AE") == winner


def test_b041_a_seven_beats_a_king():
    table = Table({0: "KC", 1: "7C", 2: "2C", 3: "JC"}, trump="2E")
    ended = only(table.play("0:KC 1:7C 2:2C 3:JC"), TrickEnded)
    assert (ended.winner_seat, ended.points) == (1, 4 + 10 + 0 + 3)
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (Seat(1),)


def test_b042_s03_who_holds_the_led_suit_follows_it_and_who_does_not_plays_anything():
    assert legal_cards(mask("KC AE 3O"), "4C") == mask("KC")
    assert legal_cards(mask("AE 3O"), "4C") == mask("AE 3O")
    assert legal_cards(mask("KC AE 3O"), None) == mask("KC AE 3O")


def test_b042_s03_a_renuncia_is_refused_to_people_and_never_made_by_the_clock():
    """Seat 1 holds the king of copas and cannot trump; when its time is up the king is played (G-08)."""
    table = Table({0: "4C", 1: "KC AE 3O 2P 3P 4P 5P 6P 7P QP", 2: "2C 3C"}, trump="2E")
    table.play("0:4C")
    assert table.refused(1, table.card("AE")) == "MUST_FOLLOW_SUIT"
    assert table.cards_of(1) == ["KC"]
    assert GAME.automatic_move(table.state, Seat(1)) == table.card("KC")
    table.play("1:KC")
    without = Table({0: "4C", 1: "AE 3O 2P 3P 4P 5P 6P 7P QP JP", 2: "2C 3C"}, trump="2E")
    without.play("0:4C")
    assert sorted(without.cards_of(1)) == sorted(without.state.deal.cards[1])
    for card in without.cards_of(1):
        assert GAME.decide(without.state, Seat(1), without.card(card), without.draws)


def test_s03_nobody_has_to_trump_or_to_overtake():
    """Seat 1 may throw a low card away though it holds trumps, seat 2 may stay under the highest card."""
    table = Table({0: "KC", 1: "AE 2P 3P 4P 5P 6P 7P QP JP KP", 2: "2C AC"}, trump="2E")
    table.play("0:KC 1:2P")
    assert {"2C", "AC"} <= set(table.cards_of(2))
    table.play("2:2C")


def test_s03_the_highest_trump_wins_else_the_highest_of_the_led_suit():
    chance = random.Random(8)
    for _ in range(2_000):
        cards = chance.sample(PACK, 4)
        trump = chance.choice(PACK)
        assert trick_winner(cards, trump) == naive_winner(cards, trump[1])
