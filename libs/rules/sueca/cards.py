"""The pack of Sueca, with bit masks beside its names, so that a hand is a number and following suit is one `and`.

Card n is of suit n // 10 in `PCEO` and of strength n % 10 in `23456QJK7A`. The order of strength is the suit's own and
is never derived from points: the zero-point cards differ in strength (ruling S-03 and the platform's table).

>>> POINTS["7C"], STRENGTHS["7C"] > STRENGTHS["KC"], cards_of(BITS["7C"] | BITS["2P"])
(10, True, ('2P', '7C'))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Protocol, TypeVar

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

TALLY_POINTS = len(PACK)
"""How many bits of a tally are its mask; the points stand above them."""

TALLIES: Mapping[str, int] = {card: BITS[card] | POINTS[card] << TALLY_POINTS for card in PACK}
"""Each card as a mask with its points, so that the sum of different cards tells both which they are and their points."""

_SUIT = (1 << len(RANKS)) - 1

SUIT_MASKS: Mapping[str, int] = {card: _SUIT << 10 * SUITS.index(card[1]) for card in PACK}
"""For each card, its suit as a mask."""


T = TypeVar("T")


class Picker(Protocol):
    """Picks what stands in some places of the pack."""

    def __call__(self, items: tuple[T, ...], /) -> tuple[T, ...]:
        """Of forty items, one a card, those of the picker's cards, in the order of the pack."""


def _picker(numbers: Sequence[int]) -> Picker:
    if len(numbers) > 1:
        return itemgetter(*numbers)
    # Of one place an `itemgetter` gives the item itself; of a slice always a tuple.
    start = numbers[0] if numbers else 0
    return itemgetter(slice(start, start + len(numbers)))


PICKERS: Mapping[int, Picker] = {
    sum(1 << number for number in numbers): _picker(numbers)
    for first in range(0, len(PACK), len(RANKS))
    for count in range(len(RANKS) + 1)
    for numbers in combinations(range(first, first + len(RANKS)), count)
}
"""By the mask of cards of one suit: what picks what belongs to them."""

PAUS, COPAS, ESPADAS, OUROS = dict.fromkeys(SUIT_MASKS.values())
"""The suits as masks."""


def picked(mask: int, items: tuple[T, ...]) -> tuple[T, ...]:
    """Of forty items, one a card of the pack, those of the cards of a mask, in the order of the pack."""
    by_suit = PICKERS
    return (
        by_suit[mask & PAUS](items)
        + by_suit[mask & COPAS](items)
        + by_suit[mask & ESPADAS](items)
        + by_suit[mask & OUROS](items)
    )


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a mask in the order of the pack."""
    return picked(mask, PACK)


def mask_of(cards: tuple[str, ...]) -> int:
    """Different cards as a mask."""
    # As in `_picker`: of one card an `itemgetter` gives the bit itself.
    return sum(itemgetter(*cards)(BITS)) if len(cards) > 1 else sum([BITS[card] for card in cards])
