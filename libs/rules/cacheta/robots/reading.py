"""How near a hand is to going out: for each of its cards, how many of the others would lie in melds if it were discarded.

Nine cards lie down as three melds of three, or as two longer ones. A *block* is what the hand has of a meld: a whole one, or
two cards that miss a third. Wilds fill any place, so they are counted and left aside. Sets of bits are whole numbers: of the
hand's places, and of faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from libs.rules.cacheta.cards import FACE, FACES, WILDS
from libs.rules.cacheta.groups import MELDS_OF_THREE, RANKS_OF_A_SUIT, SLOTS

HAND = 9


class Reading(NamedTuple):
    """For each card of the hand, by its place, what is left when it is discarded: how many cards lie in the best layout, wilds
    included, and the faces (as bits) of which one more would lie there.
    """

    lying: tuple[int, ...]
    helpers: tuple[int, ...]


class _Block(NamedTuple):
    """Cards of the hand as bits of their places, how many, and the faces that make the block larger."""

    cards: int
    has: int
    misses: int


def _thirds() -> list[list[int]]:
    """For each two faces the faces, as bits, that make a meld of three with them."""
    table = [[0] * FACES for _ in range(FACES)]
    for meld in MELDS_OF_THREE:
        for first, second, third in permutations(meld):
            table[first][second] |= 1 << third
    return table


_THIRDS = _thirds()


@lru_cache(maxsize=2048)
def reading(cards: tuple[str, ...], vira: str) -> Reading:
    """The reading of these cards under this vira. Without a wild one less lies: it is never worth discarding."""
    naturals = [(place, FACE[card]) for place, card in enumerate(cards) if card not in WILDS[vira]]
    wilds = len(cards) - len(naturals)
    layouts = sorted(set(_layouts(naturals)), key=lambda one: -one.has)
    lying = [min(HAND, layouts[0].has + wilds - 1)] * len(cards)
    helpers = [0] * len(cards)
    for place, _ in naturals:
        has, misses, bit = 0, 0, 1 << place
        for one in layouts:
            if one.has < has:
                break
            if not one.cards & bit:
                has = one.has
                misses |= one.misses
        lying[place] = min(HAND, has + wilds)
        helpers[place] = misses
    return Reading(tuple(lying), tuple(helpers))


@lru_cache(maxsize=2048)
def lying_now(cards: tuple[str, ...], vira: str) -> int:
    """How many of these nine cards lie in the best layout."""
    naturals = [(place, FACE[card]) for place, card in enumerate(cards) if card not in WILDS[vira]]
    return min(HAND, max(one.has for one in _layouts(naturals)) + len(cards) - len(naturals))


def _layouts(naturals: Sequence[tuple[int, int]]) -> Iterator[_Block]:
    """What the hand has of layouts of nine: up to three blocks, a meld of which it has nothing begun by a single card."""
    melds, pairs = _blocks(naturals)
    blocks = [*melds, *pairs]
    count = len(naturals)
    yield _Block(0, min(3, max(count - 1, 0)), 0)
    for at, (first, had, missed) in enumerate(blocks):
        yield _Block(first, had + min(2, max(count - had - 1, 0)), missed)
        for where in range(at + 1, len(blocks)):
            cards, has, misses = blocks[where]
            if cards & first:
                continue
            both, together, wanted = cards | first, had + has, missed | misses
            yield _Block(both, together + min(1, max(count - together - 1, 0)), wanted)
            for others, more, needs in blocks[where + 1 :]:
                if not others & both:
                    yield _Block(both | others, together + more, wanted | needs)
    if len(melds) > 1:
        yield from _two_long_melds(naturals, melds)


def _blocks(naturals: Sequence[tuple[int, int]]) -> tuple[list[_Block], list[_Block]]:
    """The melds of three in the hand, and the pairs that miss a third."""
    melds: list[_Block] = []
    pairs: list[_Block] = []
    for at, (place, number) in enumerate(naturals):
        with_first = _THIRDS[number]
        for where in range(at + 1, len(naturals)):
            other, second = naturals[where]
            thirds = with_first[second]
            if not thirds:
                continue
            both = 1 << place | 1 << other
            pairs.append(_Block(both, 2, thirds))
            melds += [
                _Block(both | 1 << last, 3, 0) for last, third in naturals[where + 1 :] if thirds >> third & 1
            ]
    return melds, pairs


def _two_long_melds(naturals: Sequence[tuple[int, int]], melds: Sequence[_Block]) -> Iterator[_Block]:
    """Two melds of eight cards together, which one more makes nine."""
    longer = [[(meld, _growth(naturals, meld.cards)) for meld in melds]]
    for _ in range(2):
        longer.append(
            [
                (_Block(meld.cards | 1 << place, meld.has + 1, 0), _growth(naturals, meld.cards | 1 << place))
                for meld, growth in longer[-1]
                for place, number in naturals
                if growth >> number & 1 and not meld.cards >> place & 1
            ]
        )
    for small, large in ((1, 1), (0, 2)):
        for first, growth in longer[small]:
            for second, other_growth in longer[large]:
                if not first.cards & second.cards:
                    yield _Block(first.cards | second.cards, 8, growth | other_growth)


def _growth(naturals: Sequence[tuple[int, int]], cards: int) -> int:
    """The faces, as bits, of which one makes this meld longer: the ends of a run, the doubles of a set (C-04)."""
    numbers = sorted(number for place, number in naturals if cards >> place & 1)
    base = numbers[0] - numbers[0] % RANKS_OF_A_SUIT
    if numbers[-1] >= base + RANKS_OF_A_SUIT:
        return sum(1 << number for number in set(numbers) if numbers.count(number) == 1)
    slots = [number - base for number in numbers]
    if slots[0] == 0 and slots[1] != 1:
        slots = [*slots[1:], SLOTS - 1]
    ends = [slots[0] - 1, slots[-1] + 1]
    return sum(1 << base + slot % RANKS_OF_A_SUIT for slot in ends if 0 <= slot < SLOTS)
