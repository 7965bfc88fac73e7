"""The deal and the turned card (M-01, M-09, M-11, G-02, G-03)."""

from collections import Counter

import pytest

from libs.rules.game import Side
from libs.rules.mau_mau.cards import FACES, PACK
from libs.rules.mau_mau.deal import dealt
from libs.rules.mau_mau.events import CardsDealt, CardsDrawn
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.shuffle import Draws
from tests.libs.rules.mau_mau.tables import PLAYERS, SECRET, Table, only


@pytest.mark.parametrize(("players", "stock"), [(4, 83), (5, 78), (6, 73), (7, 68), (8, 63)])
def test_m01_two_packs_five_cards_each_one_turned_and_the_rest_is_the_stock(players, stock):
    deal = dealt(GAME.rule_set({}), players, Draws(SECRET, "a deal"))
    assert [len(cards) for cards in deal.cards] == [5] * players
    assert len(deal.stock) == stock
    together = Counter([*deal.stock, deal.turned, *(card for cards in deal.cards for card in cards)])
    assert together == Counter(PACK) == Counter(FACES) + Counter(FACES)
    assert len(PACK) == 104


@pytest.mark.parametrize("players", [2, 3, 9])
def test_m01_it_is_played_by_four_to_eight(players):
    assert GAME.player_counts == PLAYERS
    with pytest.raises(ValueError, match="not played by"):
        GAME.initial(GAME.rule_set({}), players)


def test_the_cards_are_dealt_from_the_seat_after_the_dealer_in_fives():
    draws = Draws(SECRET, "order")
    deal = dealt(GAME.rule_set({}), 5, draws)
    pack = draws.shuffled("deal", PACK)
    order = [(deal.dealer + 1 + step) % 5 for step in range(5)]
    assert [card for seat in order for card in deal.cards[seat]] == pack[:25]
    assert (deal.turned, *deal.stock) == tuple(pack[25:])


def test_g03_each_seat_deals_about_as_often():
    rules = GAME.rule_set({})
    dealers = Counter(dealt(rules, 4, Draws(SECRET, f"{number}")).dealer for number in range(200))
    assert set(dealers) == {0, 1, 2, 3}
    assert all(30 <= count <= 70 for count in dealers.values())


def test_g02_each_seat_is_a_side_and_the_direction_is_the_clients():
    """`direction` may be cw or ccw; the same seats play."""
    assert [GAME.side_of(seat) for seat in range(8)] == [Side(seat) for seat in range(8)]
    for direction in ("cw", "ccw"):
        table = Table(turned="4O", dealer=2, direction=direction)
        assert (table.state.to_play, table.state.step) == (3, 1)


@pytest.mark.parametrize("turned", ["4O", "KC", "10E", "JP"])
def test_m09_after_a_plain_card_or_a_jack_the_seat_after_the_dealer_begins(turned):
    """first_card as_discard."""
    table = Table(turned=turned, dealer=3, first_card="as_discard")
    assert (table.state.to_play, table.state.step, table.state.penalty) == (0, 1, 0)
    assert table.state.suit == turned[-1]
    assert len(table.log) == 1


def test_m09_a_turned_jack_is_followed_by_its_suit_or_a_jack():
    table = Table({0: "2P 5O JC JE"}, top="JP")
    assert table.may(0) == [
        "2P", "JC:P", "JC:C", "JC:E", "JC:O", "JE:P", "JE:C", "JE:E", "JE:O", "draw", "go",
    ]  # fmt: skip


def test_m09_a_turned_nine_makes_the_seat_before_the_dealer_draw_one():
    table = Table(turned="9C", dealer=0, players=6)
    drawn = only(table.log, CardsDrawn)
    assert (drawn.seat, len(drawn.cards), drawn.reason) == (5, 1, "nine")
    assert table.counts == [5, 5, 5, 5, 5, 6]
    assert (table.state.to_play, table.state.turn, table.state.has_drawn) == (1, 1, False)


def test_m09_a_turned_ace_skips_the_seat_after_the_dealer():
    assert Table(turned="AE", dealer=3).state.to_play == 1


def test_m09_a_turned_queen_reverses_and_the_seat_before_the_dealer_begins():
    table = Table(turned="QO", dealer=0, players=5)
    assert (table.state.to_play, table.state.step) == (4, -1)


def test_m09_a_turned_seven_is_owed_by_the_seat_after_the_dealer_who_may_answer():
    table = Table(turned="7P", dealer=1)
    assert (table.state.to_play, table.state.penalty) == (2, 2)
    assert set(table.may(2)) <= {"7P", "7C", "7E", "7O", "take"}
    table.take(2)
    assert table.counts == [5, 5, 7, 5]


@pytest.mark.parametrize("turned", ["AE", "QO", "7P", "9C", "4O", "JP"])
def test_m09_by_switch_the_turned_card_has_no_effect(turned):
    """first_card neutral."""
    table = Table(turned=turned, dealer=1, first_card="neutral")
    assert (table.state.to_play, table.state.step, table.state.penalty) == (2, 1, 0)
    assert table.counts == [5, 5, 5, 5]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_deal_is_fair_only_if_it_is_the_one_of_the_draws(players):
    state = GAME.initial(GAME.rule_set({}), players)
    draws = Draws(SECRET, "fair")
    deal = GAME.start(state, draws)[0]
    assert isinstance(deal, CardsDealt)
    assert GAME.is_fair(deal, state, draws)
    assert not GAME.is_fair(deal, state, Draws(SECRET, "another"))


def test_m11_one_deal_is_one_match_and_the_cards_left_are_shown():
    table = Table({0: "4C", 1: "2C 3C", 2: "5C", 3: "6P 6P 6E"}, top="4O")
    table.play(0, "4C")
    result = GAME.result(table.state)
    assert result is not None
    assert (result.winners, result.score) == ((0,), (0, 2, 1, 3))
    assert GAME.awaited(table.state) is None
