"""The deal of a hand, so described that anyone can repeat it from the match's secret once that is revealed.

The first dealer is `draws.below("dealer", 4)`. Hand n (counted from 1) shuffles `cards.PACK` under the label `hand-<n>`. The
first ten cards go to the seat after the dealer, and so on, the dealer last: the fortieth card, the trump, is the
dealer's (S-01, S-02). The deal moves one seat each hand, ties included (G-03, S-08).
"""

from __future__ import annotations

from libs.rules.shuffle import Draws
from libs.rules.sueca.cards import PACK
from libs.rules.sueca.events import HandDealt
from libs.rules.sueca.state import SEATS, State


def first_dealer(draws: Draws) -> int:
    """Who deals the first hand, each seat equally likely (G-03)."""
    return draws.below("dealer", SEATS)


def dealt_hand(draws: Draws, *, hand: int, dealer: int) -> HandDealt:
    """The deal of this hand by this dealer."""
    pack = draws.shuffled(f"hand-{hand}", PACK)
    leader = (dealer + 1) % SEATS
    from_leader = [tuple(pack[:10]), tuple(pack[10:20]), tuple(pack[20:30]), tuple(pack[30:])]
    cards = (*from_leader[-leader:], *from_leader[:-leader]) if leader else tuple(from_leader)
    return HandDealt(hand, dealer, leader, pack[-1], cards)


def is_fair_deal(dealt: HandDealt, before: State, draws: Draws) -> bool:
    """Whether a deal is the one that these draws give after the state before it: its cards and its dealer."""
    number = before.deal.hand
    dealer = first_dealer(draws) if number == 0 else (before.deal.dealer + 1) % SEATS
    return dealt == dealt_hand(draws, hand=number + 1, dealer=dealer)
