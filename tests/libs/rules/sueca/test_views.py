"""What each viewer knows: its own cards, the table, and the trump card; a twin with other hidden cards looks the same."""

import random

import msgspec
import pytest

from libs.rules.game import Seat
from libs.rules.sueca.cards import BITS
from libs.rules.sueca.events import HandDealt
from libs.rules.sueca.game import SUECA as GAME
from libs.rules.sueca.state import held_mask
from tests.libs.rules.proof.matches import ChanceMatch
from tests.libs.rules.sueca.tables import Table


def test_s02_the_trump_card_is_known_in_the_dealers_hand_until_it_is_played():
    """To everybody; the dealer plays it as any other card."""
    table = Table({0: "KE", 1: "3E", 2: "4E", 3: "2E 5P"}, trump="2E")
    for viewer in (0, 1, 2, None):
        view = GAME.view(table.state, viewer)
        assert view.is_trump_held
        assert (view.hands[3].count, view.hands[3].cards) == (10, ("2E",))
    assert len(GAME.view(table.state, Seat(3)).hands[3].cards) == 10
    table.play("0:KE 1:3E 2:4E")
    assert "2E" in table.cards_of(3)
    table.play("3:2E")
    for viewer in (0, 1, 2, None):
        view = GAME.view(table.state, viewer)
        assert not view.is_trump_held
        assert view.trump_card == "2E"
        assert view.hands[3].cards == ()


def test_g11_a_view_shows_ones_own_cards_and_no_other_hand():
    table = Table()
    for viewer in (0, 1, 2, 3, None):
        for hand in GAME.view(table.state, viewer).hands:
            expected = table.state.deal.cards[hand.seat] if hand.seat == viewer else ()
            if hand.seat == 3 and viewer != 3:
                expected = (table.state.deal.trump_card,)
            assert hand.cards == expected
            assert hand.count == 10


def swapped(match, viewer, chance):
    """The same match with the unseen cards of the others dealt among them in another way."""
    state, deal = match.state, match.state.deal
    open_cards = {deal.trump_card} if viewer != deal.dealer else set()
    others = [seat for seat in range(4) if seat != viewer]
    unseen = [
        card
        for seat in others
        for card in deal.cards[seat]
        if BITS[card] & state.unplayed and card not in open_cards
    ]
    mixed = list(unseen)
    chance.shuffle(mixed)
    other = dict(zip(unseen, mixed, strict=True))
    cards = tuple(tuple(other.get(card, card) for card in hand) for hand in deal.cards)
    masks = tuple(sum(BITS[card] for card in hand) for hand in cards)
    return msgspec.structs.replace(state, deal=msgspec.structs.replace(deal, cards=cards, masks=masks))


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_g11_two_matches_that_differ_in_hidden_cards_alone_look_the_same(viewer):
    chance = random.Random(f"twins of {viewer}")
    differed = 0
    for number in range(12):
        match = ChanceMatch(GAME, 4, f"twins {number}").play(chance.randrange(60))
        if match.is_over:
            continue
        twin = swapped(match, viewer, chance)
        differed += twin != match.state
        assert msgspec.json.encode(GAME.view(twin, viewer)) == msgspec.json.encode(
            GAME.view(match.state, viewer)
        )
    assert differed > 6


def test_g11_a_deal_is_told_without_its_cards_but_the_trump():
    table = Table(trump="4O")
    (deal,) = table.log
    assert isinstance(deal, HandDealt)
    told = {
        msgspec.json.encode(GAME.observe(deal, table.state, table.state, viewer)) for viewer in (0, 3, None)
    }
    assert len(told) == 1
    words = told.pop().decode()
    assert '"4O"' in words
    assert not any(f'"{card}"' in words for hand in deal.cards for card in hand if card != "4O")


def test_a_view_counts_the_points_of_the_tricks_won_and_the_cards_left():
    table = Table({0: "KC", 1: "7C", 2: "2C", 3: "JC"})
    table.play("0:KC 1:7C 2:2C 3:JC")
    view = GAME.view(table.state, None)
    assert view.card_points == (0, 17)
    assert [hand.count for hand in view.hands] == [9] * 4
    assert [(trick.winner_seat, trick.points) for trick in view.tricks] == [(1, 17), (None, 0)]
    assert [(play.seat, play.card) for play in view.tricks[0].cards] == [
        (0, "KC"),
        (1, "7C"),
        (2, "2C"),
        (3, "JC"),
    ]


def test_cards_are_conserved_at_every_version():
    for seed in range(3):
        match = ChanceMatch(GAME, 4, f"cards {seed}")
        while not match.is_over:
            match.step()
            state = match.state
            played = [card for trick in state.tricks for card in trick.cards] + list(state.plays)
            held = [held_mask(state, seat).bit_count() for seat in range(4)]
            assert len(set(played)) == len(played) == 40 - sum(held)
            assert not any(BITS[card] & state.unplayed for card in played)
