"""The pack of Sueca, with bit masks beside its names, so that a hand is a number and following suit is one `and`.

Card n is of suit n // 10 in `PCEO` and of strength n % 10 in `23456QJK7A`. The order of strength is the suit's own and
is never derived from points: the zero-point cards differ in strength (ruling S-03 and the platform's table).

>>> POINTS["7C"], STRENGTHS["7C"] > STRENGTHS["KC"], cards_of(BITS["7C"] | BITS["2P"])
(10, True, ('2P', '7C'))
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

RANKS = "23456QJK7A"
"""From the weakest to the strongest."""

SUITS = "PCEO"
"""Paus, copas, espadas, ouros."""

PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 40 cards in the order in which they are shuffled."""

BITS: Mapping[str, int] = {card: 1 << number for number, card in enumerate(PACK)}
"""Each card as a mask."""

STRENGTHS: Mapping[str, int] = {card: RANKS.index(card[0]) for card in PACK}
"""The strength of each card within its suit."""

POINTS: Mapping[str, int] = {
    card: {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}.get(card[0], 0) for card in PACK
}
"""The points of each card; a pack has 120."""

PACK_POINTS = 120

ALL_CARDS = (1 << len(PACK)) - 1
"""The whole pack as a mask."""

_SUIT = (1 << len(RANKS)) - 1

SUIT_MASKS: Mapping[str, int] = {card: _SUIT << 10 * SUITS.index(card[1]) for card in PACK}
"""For each card, its suit as a mask."""


NAMES_IN_SUIT: Mapping[int, tuple[str, ...]] = {
    sum(BITS[card] for card in chosen): chosen
    for first in range(0, len(PACK), 10)
    for count in range(11)
    for chosen in combinations(PACK[first : first + 10], count)
}
"""By the mask of cards of one suit: these cards in the order of the pack."""

_P, _C, _E, _O = dict.fromkeys(SUIT_MASKS.values())


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a mask in the order of the pack."""
    names = NAMES_IN_SUIT
    return names[mask & _P] + names[mask & _C] + names[mask & _E] + names[mask & _O]


def mask_of(cards: tuple[str, ...]) -> int:
    """Different cards as a mask."""
    return sum(map(BITS.__getitem__, cards))
