"""The deal of a hand: hand n shuffles card numbers 0 … 39 under the label `hand-<n>`; the first ten go to the seat after
the dealer, and so on, so that the fortieth card, the trump, is the dealer's (S-01). The first dealer is
`draws.below("dealer", 4)`; the deal moves one seat each hand, ties included (G-03, S-08)."""

from __future__ import annotations

from libs.rules.shuffle import Draws
from libs.rules.sueca.events import HandDealt

SEATS = 4
CARDS_PER_SEAT = 10


def first_dealer(draws: Draws) -> int:
    """Who deals the first hand, each seat equally likely."""
    return draws.below("dealer", SEATS)


def dealt_hand(draws: Draws, *, hand: int, dealer: int) -> HandDealt:
    """The deal of this hand."""
    pack = draws.shuffled(f"hand-{hand}", range(SEATS * CARDS_PER_SEAT))
    cards: list[tuple[int, ...]] = [()] * SEATS
    for order in range(SEATS):
        start = order * CARDS_PER_SEAT
        cards[(dealer + 1 + order) % SEATS] = tuple(pack[start : start + CARDS_PER_SEAT])
    return HandDealt(hand, dealer, pack[-1], tuple(cards))
