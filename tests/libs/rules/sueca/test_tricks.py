"""The strength of Sueca's cards, following suit, and who wins a trick."""

import random

import pytest

from libs.rules.game import Seat
from libs.rules.sueca.cards import ALL_CARDS, PACK, POINTS, SUIT_MASKS, cards_of, mask_of
from libs.rules.sueca.events import CardPlayed, TrickEnded
from libs.rules.sueca.game import SUECA as GAME
from libs.rules.sueca.tricks import legal_cards, trick_outcome
from tests.libs.rules.proof.matches import ChanceMatch
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
    assert trick_outcome(tuple(cards.split()), trump="AE")[0] == winner


def test_b041_a_seven_beats_a_king():
    table = Table({0: "KC", 1: "7C", 2: "2C", 3: "JC"}, trump="2E")
    ended = only(table.play("0:KC 1:7C 2:2C 3:JC"), TrickEnded)
    assert (ended.winner_seat, ended.points) == (1, 4 + 10 + 0 + 3)
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (Seat(1),)


def test_b042_s03_who_holds_the_led_suit_follows_it_and_who_does_not_plays_anything():
    assert legal_cards(mask("KC AE 3O"), SUIT_MASKS["4C"]) == mask("KC")
    assert legal_cards(mask("AE 3O"), SUIT_MASKS["4C"]) == mask("AE 3O")
    assert legal_cards(mask("KC AE 3O"), ALL_CARDS) == mask("KC AE 3O")


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


def test_s03_the_moves_of_a_seat_are_those_that_the_rule_allows_in_the_order_of_the_pack():
    """Against a reading of the rule by names, over whole matches; every listed move names its hand and trick."""
    for number in range(6):
        match = ChanceMatch(GAME, 4, f"listed {number}")
        while not match.is_over:
            state = match.state
            seat, played = (
                state.to_play,
                {card for trick in state.tricks for card in trick.cards} | {*state.plays},
            )
            held = [card for card in PACK if card in state.deal.cards[seat] and card not in played]
            following = [card for card in held if state.plays and card[1] == state.plays[0][1]]
            moves = [legal.move for legal in GAME.legal_moves(state, Seat(seat))]
            assert [move.card for move in moves] == (following or held)
            assert {(move.hand, move.trick) for move in moves} == {(state.deal.hand, state.trick)}
            match.step()


def test_g02_the_seat_that_a_card_names_as_next_is_the_one_that_is_awaited():
    """And leads are those of the winners, over whole matches."""
    for number in range(4):
        match = ChanceMatch(GAME, 4, f"turns {number}")
        state = GAME.initial(GAME.rule_set({}), 4)
        for event in match.play().log:
            state = GAME.evolve(state, event)
            if isinstance(event, CardPlayed):
                assert state.to_play == event.next_seat
            if isinstance(event, TrickEnded):
                assert state.to_play == state.leader == event.winner_seat
                assert state.trick == event.trick + 1
        assert state == match.state
        assert GAME.awaited(state) is None


def test_s03_the_highest_trump_wins_else_the_highest_of_the_led_suit():
    chance = random.Random(8)
    for _ in range(2_000):
        cards = tuple(chance.sample(PACK, 4))
        trump = chance.choice(PACK)
        assert trick_outcome(cards, trump) == (
            naive_winner(cards, trump[1]),
            sum(POINTS[card] for card in cards),
        )
