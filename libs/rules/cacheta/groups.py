"""What natural cards may be a meld together, with the wilds that they cannot do without (C-02 to C-05).

Wilds are all alike here: one that stands as itself fills the place that any other would. So a hand is, for each face, how
many of it there are, and a number of wilds. These counts are one whole number, two bits a face, so that what was found out
of some cards is found again whenever they are left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from libs.rules.cacheta.cards import FACE, FACES, WILDS
from libs.rules.cacheta.rule_set import RuleSet

RANKS_OF_A_SUIT = 13
SLOTS = 14
"""C-05: the places of a run, from the ace below the two to the ace above the king."""
SHORTEST = 3
DOUBLES = 2
"""C-04: so many cards of a set may repeat a suit that is in it."""

NO_LIMIT = 99
"""C-03: as many wilds as one likes."""


class Group(NamedTuple):
    """The natural cards of a meld as faces and as counts; the wilds that it needs, and how many more it could take.

    `slots` are their places in a run, from 0 (the low ace) to 13 (the high one), and empty for a set.
    """

    faces: tuple[int, ...]
    counts: int
    slots: tuple[int, ...]
    needs: int
    room: int


class Bounds(NamedTuple):
    """What the switches say of a meld: the most wilds in it, and the most suits of a set."""

    wilds: int
    suits: int


def bounds_of(rules: RuleSet) -> Bounds:
    """The bounds that these switches set (C-03, C-04)."""
    most = NO_LIMIT if rules.cacheta_max_wilds == "none" else int(rules.cacheta_max_wilds)
    return Bounds(most, 4 if rules.four_suit_set else 3)


def counted(cards: Sequence[str], vira: str) -> tuple[int, int]:
    """How many natural cards there are of each face, and how many wilds."""
    counts, wilds, is_wild = 0, 0, WILDS[vira]
    for card in cards:
        if card in is_wild:
            wilds += 1
        else:
            counts += ONE[card]
    return counts, wilds


ONE = {card: 1 << 2 * number for card, number in FACE.items()}
"""A card as counts."""


def groups_of(counts: int, lowest: int, wilds: int, bounds: Bounds) -> list[Group]:
    """Every group that holds this face and none below it, and needs at most so many wilds."""
    most = min(wilds, bounds.wilds)
    groups = _runs(counts, lowest, most, bounds)
    _add_sets(groups, counts, lowest, most, bounds)
    return groups


def _runs(counts: int, lowest: int, most: int, bounds: Bounds) -> list[Group]:
    """Runs from the lowest face up; an ace may stand above the king as well, never both (C-05)."""
    rank = lowest % RANKS_OF_A_SUIT
    suit = counts >> 2 * (lowest - rank)
    groups: list[Group] = []
    end = SLOTS if rank else SLOTS - 1
    climbing: list[tuple[tuple[int, ...], int]] = [((rank,), most)]
    while climbing:
        slots, gaps = climbing.pop()
        _add_run(groups, lowest - rank, slots, most, bounds)
        after = slots[-1] + 1
        climbing += [
            ((*slots, slot), gaps - (slot - after))
            for slot in range(after, min(after + gaps + 1, end))
            if suit >> 2 * (slot % RANKS_OF_A_SUIT) & 3
        ]
    falling: list[tuple[tuple[int, ...], int]] = [] if rank else [((SLOTS - 1,), most)]
    while falling:
        slots, gaps = falling.pop()
        if len(slots) > 1:
            _add_run(groups, lowest, slots, most, bounds)
        before = slots[0] - 1
        falling += [
            ((slot, *slots), gaps - (before - slot))
            for slot in range(before, max(before - gaps - 1, 0), -1)
            if suit >> 2 * slot & 3
        ]
    return groups


def _add_run(groups: list[Group], base: int, slots: tuple[int, ...], most: int, bounds: Bounds) -> None:
    size = slots[-1] - slots[0] + 1
    needs = max(size, SHORTEST) - len(slots)
    if needs <= most:
        faces = tuple([base + slot % RANKS_OF_A_SUIT for slot in slots])
        room = min(bounds.wilds, SLOTS - len(slots)) - needs
        groups.append(Group(faces, sum([1 << 2 * number for number in faces]), slots, needs, room))


def _add_sets(groups: list[Group], counts: int, lowest: int, most: int, bounds: Bounds) -> None:
    """Sets of this rank: three suits (four by switch) and at most two doubles of suits that are in it (C-04)."""
    others = [
        (number, copies)
        for number in range(lowest + RANKS_OF_A_SUIT, FACES, RANKS_OF_A_SUIT)
        if (copies := counts >> 2 * number & 3)
    ]
    if len(others) + 1 + most < SHORTEST:
        return
    choices: list[tuple[int, ...]] = [
        (lowest,) * copies for copies in range(1, (counts >> 2 * lowest & 3) + 1)
    ]
    for number, held in others:
        choices += [(*chosen, *(number,) * copies) for chosen in choices for copies in range(1, held + 1)]
    largest = bounds.suits + DOUBLES
    for chosen in choices:
        suits = len(set(chosen))
        needs = max(0, SHORTEST - suits)
        # A single card with two wilds is a run as well, and a run has more room.
        if len(chosen) == 1 or suits > bounds.suits or needs > most:
            continue
        if len(chosen) - suits <= DOUBLES and len(chosen) + needs <= largest:
            room = min(bounds.wilds, largest - len(chosen)) - needs
            groups.append(Group(chosen, sum([1 << 2 * number for number in chosen]), (), needs, room))


def _melds_of_three() -> list[tuple[int, ...]]:
    suits = range(0, FACES, RANKS_OF_A_SUIT)
    runs = [
        tuple(suit + slot % RANKS_OF_A_SUIT for slot in range(low, low + SHORTEST))
        for suit in suits
        for low in range(SLOTS - SHORTEST + 1)
    ]
    sets = [
        tuple(suit + rank for suit in three)
        for rank in range(RANKS_OF_A_SUIT)
        for three in combinations(suits, SHORTEST)
    ]
    return runs + sets


MELDS_OF_THREE: Sequence[tuple[int, ...]] = _melds_of_three()
"""Every meld of three natural cards, as faces."""


def _companies() -> list[tuple[int, ...]]:
    """For each face the pairs of faces, as counts, that make a meld of three with it."""
    pairs: list[list[int]] = [[] for _ in range(FACES)]
    for meld in MELDS_OF_THREE:
        for number in meld:
            pairs[number].append(sum(1 << 2 * other for other in meld if other != number))
    return [tuple(of_a_face) for of_a_face in pairs]


_COMPANIES = _companies()
_NEAR = [reduce(or_, of_a_face) for of_a_face in _COMPANIES]
_ONE_OF_EACH = sum(1 << 2 * number for number in range(FACES))


def has_lonely_cards(counts: int, wilds: int) -> bool:
    """Whether two cards are in no group whatever else happens: a first look that spares most searches.

    Two wilds make a meld of any card; a single one needs a neighbour beside it, and without wilds it needs two.
    """
    if wilds >= 2:
        return False
    there = (counts | counts >> 1) & _ONE_OF_EACH
    alone = 0
    left = there
    while left:
        bit = left & -left
        left ^= bit
        number = bit.bit_length() - 1 >> 1
        if there & _NEAR[number] and (wilds or any(there & two == two for two in _COMPANIES[number])):
            continue
        alone += counts >> 2 * number & 3
        if alone > 1:
            return True
    return False
