"""The deal of Sueca: whose cards, which trump, who leads, who deals next."""

import pytest

from libs.rules.game import Seat
from libs.rules.shuffle import Draws
from libs.rules.sueca.cards import PACK
from libs.rules.sueca.deal import dealt_hand, first_dealer
from libs.rules.sueca.game import SUECA as GAME
from tests.libs.rules.sueca.tables import LastTrick, Table, dealt


@pytest.mark.parametrize("dealer", range(4))
def test_b046_s01_s02_the_last_card_is_the_trump_and_the_dealers(dealer):
    draws = Draws(bytes(32), "a match")
    deal = dealt_hand(draws, hand=1, dealer=dealer)
    pack = draws.shuffled("hand-1", PACK)
    assert deal.trump_card == pack[39] == deal.cards[dealer][9]
    assert deal.cards[(dealer + 1) % 4] == tuple(pack[:10])
    assert sorted(card for hand in deal.cards for card in hand) == sorted(PACK)
    assert deal.leader == (dealer + 1) % 4


def test_b046_a_fixed_pack_whose_fortieth_card_is_the_four_of_ouros():
    table = Table(trump="4O", dealer=3)
    assert table.state.deal.trump_card == "4O"
    assert "4O" in table.state.deal.cards[3]
    assert [len(cards) for cards in table.state.deal.cards] == [10] * 4
    for viewer in (0, 1, 2, None):
        view = GAME.view(table.state, viewer)
        assert (view.trump_card, view.hands[3].cards) == ("4O", ("4O",))
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (Seat(0),)
    ended = LastTrick("AC 2C 3C 4C", won=(0,) * 8 + (1,), points=100, dealer=3, trump="4C")
    following = dealt(ended.finish())
    assert (following.dealer, following.leader) == (0, 1)


def test_s01_the_match_begins_with_the_seat_after_a_drawn_dealer_and_goes_clockwise():
    draws = Draws(bytes(32), "another match")
    (deal,) = GAME.start(GAME.initial(GAME.rule_set({}), 4), draws)
    assert deal.dealer == first_dealer(draws)
    state = GAME.evolve(GAME.initial(GAME.rule_set({}), 4), deal)
    order = []
    for _ in range(4):
        seat = GAME.awaited(state).seats[0]
        order.append(seat)
        move = GAME.legal_moves(state, seat)[0].move
        state = GAME.evolve(state, GAME.decide(state, seat, move, draws)[0])
    assert order == [(deal.dealer + step) % 4 for step in (1, 2, 3, 4)]


def test_g03_each_seat_deals_first_in_some_match():
    assert {first_dealer(Draws(bytes(32), str(match))) for match in range(100)} == {0, 1, 2, 3}


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("points", [60, 70])
def test_s08_g03_the_deal_moves_one_seat_also_after_a_tie(dealer, points):
    table = LastTrick("2C 3C 4C 5C", won=(0,) * 5 + (1,) * 4, points=points, dealer=dealer, trump="6E")
    events = table.finish()
    assert dealt(events).hand == 2
    assert dealt(events).dealer == (dealer + 1) % 4


@pytest.mark.parametrize("value", ["cw", "ccw"])
def test_g02_the_direction_changes_no_rule(value):
    """Seats are numbered in order of play and partners sit opposite, whichever way a client draws them (`direction`)."""
    table, usual = Table(direction=value), Table()
    assert GAME.switches(table.state.rules)["direction"] == value
    assert [GAME.side_of(Seat(seat)) for seat in range(4)] == [0, 1, 0, 1]
    assert table.play("0:2P") == usual.play("0:2P")
    assert GAME.facts(table.state) == GAME.facts(usual.state)


def test_a_deal_is_fair_only_if_the_draws_give_it():
    draws = Draws(bytes(32), "a match")
    state = GAME.initial(GAME.rule_set({}), 4)
    (deal,) = GAME.start(state, draws)
    assert GAME.is_fair(deal, state, draws)
    other = dealt_hand(draws, hand=1, dealer=(deal.dealer + 1) % 4)
    assert not GAME.is_fair(other, state, draws)
    assert not GAME.is_fair(deal, state, Draws(bytes(32), "another match"))


def test_sueca_is_played_by_four():
    with pytest.raises(ValueError, match="not played by 3"):
        GAME.initial(GAME.rule_set({}), 3)
