"""The 28 tiles, and sets of them as masks: what fits an end, or what a hand still holds, is then one `and`.

A tile's name is its two numbers, the lower one first: `0-0`, `3-5`, `6-6`. Tile n of `NAMES` is bit n of a mask. Tables are
computed once, here.

>>> NAMES[0], NAMES[7], NAMES[-1], len(NAMES)
('0-0', '1-1', '6-6', 28)
>>> FITTING[3, 5] & BITS["1-3"] != 0, FITTING[3, 5] & BITS["1-4"] != 0
(True, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress, product

NUMBERS = range(7)
"""The numbers that a half can show."""

NAMES: tuple[str, ...] = tuple(f"{low}-{high}" for low in NUMBERS for high in NUMBERS if low <= high)
"""The tiles, in the order in which they are shuffled."""

BITS: Mapping[str, int] = {name: 1 << place for place, name in enumerate(NAMES)}
"""The mask that holds this tile alone."""

HALVES: Mapping[str, tuple[int, int]] = {name: (int(name[0]), int(name[2])) for name in NAMES}
"""The two numbers of a tile, the lower one first."""

PIPS: Mapping[str, int] = {name: low + high for name, (low, high) in HALVES.items()}
"""What a tile counts at the end of a round."""

WITH_NUMBER: tuple[int, ...] = tuple(
    sum(BITS[name] for name in NAMES if number in HALVES[name]) for number in NUMBERS
)
"""The tiles that show a number, as a mask."""

FITTING: Mapping[tuple[int, int], int] = {
    (left, right): WITH_NUMBER[left] | WITH_NUMBER[right] for left in NUMBERS for right in NUMBERS
}
"""The tiles that fit at least one of two ends, as a mask."""

BEYOND: Mapping[str, Mapping[int, int]] = {name: {a: b, b: a} for name, (a, b) in HALVES.items()}
"""By a tile and the number that it is joined by: the number that is open then. What a tile does not show is not in it."""

ALL = (1 << len(NAMES)) - 1
"""Every tile."""


def mask_of(names: tuple[str, ...]) -> int:
    """The mask of some tiles; raises KeyError for a name that is none."""
    return sum(map(BITS.__getitem__, names))


def pips_left(names: tuple[str, ...], mask: int) -> int:
    """The pips of those of some tiles that are in a mask."""
    pips = 0
    for name in names:
        if BITS[name] & mask:
            pips += PIPS[name]
    return pips


def _by_mask(number: int) -> dict[int, tuple[str, ...]]:
    tiles = [name for name in NAMES if number in HALVES[name]]
    chosen = [tuple(compress(tiles, bits)) for bits in product((False, True), repeat=len(tiles))]
    return {mask_of(some): some for some in chosen}


NAMES_WITH_NUMBER: tuple[Mapping[int, tuple[str, ...]], ...] = tuple(map(_by_mask, NUMBERS))
"""By a number, and a mask of tiles that all show it: their names. A table, because every move of a match asks for them."""
