"""The deal of Sueca."""

import pytest

from libs.rules.shuffle import Draws
from libs.rules.sueca.deal import dealt_hand, first_dealer


@pytest.mark.parametrize("dealer", range(4))
def test_b046_s01_s02_the_last_card_is_the_trump_and_the_dealers(dealer):
    draws = Draws(bytes(32), "a match")
    dealt = dealt_hand(draws, hand=1, dealer=dealer)
    pack = draws.shuffled("hand-1", range(40))
    assert dealt.trump_card == pack[39] == dealt.cards[dealer][9]
    assert dealt.cards[(dealer + 1) % 4] == tuple(pack[:10])
    assert sorted(card for hand in dealt.cards for card in hand) == list(range(40))


def test_g03_each_seat_deals_first_in_some_match():
    assert {first_dealer(Draws(bytes(32), str(match))) for match in range(100)} == {0, 1, 2, 3}
