"""The pack of Sueca as small numbers, so that a hand is a bit mask and following suit is one `and`.

Card n is of suit n // 10 in `PCEO` and of strength n % 10 in `23456QJK7A`. The order of strength is the suit's own and
is never derived from points: the zero-point cards differ in strength (ruling S-03 and the platform's table).

>>> [name_of(card) for card in (0, 8, 9, 39)], points_of(number_of("7C"))
(['2P', '7P', 'AP', 'AO'], 10)
"""

from __future__ import annotations

RANKS = "23456QJK7A"
"""From the weakest to the strongest."""

SUITS = "PCEO"
"""Paus, copas, espadas, ouros."""

NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 40 cards by number, in the order in which they are shuffled."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}
"""The number of each card by its name."""

POINTS: tuple[int, ...] = (0, 0, 0, 0, 0, 2, 3, 4, 10, 11) * len(SUITS)
"""The points of each card by number; a pack has 120."""

SUIT_MASKS: tuple[int, ...] = tuple(0x3FF << 10 * suit for suit in range(len(SUITS)))
"""The cards of each suit as a mask."""


def name_of(card: int) -> str:
    """The name of a card, such as `7C`."""
    return NAMES[card]


def number_of(name: str) -> int:
    """The number of a card; raises KeyError for a name that is none."""
    return NUMBERS[name]


def points_of(card: int) -> int:
    """The points of a card."""
    return POINTS[card]
