"""What natural cards may be a meld together, with the wilds that they cannot do without (C-02 to C-05).

Wilds are all alike here: one that stands as itself fills the place that any other would. So a hand is, for each face, how
many of it there are, and a number of wilds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from libs.rules.cacheta.cards import FACES
from libs.rules.cacheta.rule_set import RuleSet

RANKS_OF_A_SUIT = 13
SLOTS = 14
"""C-05: the places of a run, from the ace below the two to the ace above the king."""
SHORTEST = 3
DOUBLES = 2
"""C-04: so many cards of a set may repeat a suit that is in it."""

_NO_LIMIT = 99


class Group(NamedTuple):
    """The natural cards of a meld as faces; the wilds that it needs, and how many more it could take.

    `slots` are their places in a run, from 0 (the low ace) to 13 (the high one), and empty for a set.
    """

    faces: tuple[int, ...]
    slots: tuple[int, ...]
    needs: int
    room: int


class Bounds(NamedTuple):
    """What the switches say of a meld: the most wilds in it, and the most suits of a set."""

    wilds: int
    suits: int


def bounds_of(rules: RuleSet) -> Bounds:
    """The bounds that these switches set (C-03, C-04)."""
    most = _NO_LIMIT if rules.cacheta_max_wilds == "none" else int(rules.cacheta_max_wilds)
    return Bounds(most, 4 if rules.four_suit_set else 3)


def groups_of(counts: bytearray, lowest: int, wilds: int, bounds: Bounds) -> Iterator[Group]:
    """Every group that holds this face and none below it, and needs at most so many wilds."""
    most = min(wilds, bounds.wilds)
    yield from _runs(counts, lowest, most, bounds)
    yield from _sets(counts, lowest, most, bounds)


def _runs(counts: bytearray, lowest: int, most: int, bounds: Bounds) -> Iterator[Group]:
    """Runs from the lowest face up; an ace may stand above the king as well, never both (C-05)."""
    rank = lowest % RANKS_OF_A_SUIT
    base = lowest - rank
    is_ace = rank == 0
    for slots in _climbs(counts, base, (rank,), most, 1, SLOTS - 1 if is_ace else SLOTS):
        yield from _run(base, slots, most, bounds)
    if is_ace:
        for slots in _climbs(counts, base, (SLOTS - 1,), most, -1, 0):
            if len(slots) > 1:
                yield from _run(base, slots[::-1], most, bounds)


def _climbs(
    counts: bytearray, base: int, slots: tuple[int, ...], gaps: int, step: int, end: int
) -> Iterator[tuple[int, ...]]:
    """The natural cards that a run may have, from its first slot towards `end`, with at most so many gaps."""
    yield slots
    slot = slots[-1]
    for left in range(gaps, -1, -1):
        slot += step
        if slot == end:
            return
        if counts[base + slot % RANKS_OF_A_SUIT]:
            yield from _climbs(counts, base, (*slots, slot), left, step, end)


def _run(base: int, slots: tuple[int, ...], most: int, bounds: Bounds) -> Iterator[Group]:
    needs = max(slots[-1] - slots[0] + 1, SHORTEST) - len(slots)
    if needs <= most:
        faces = tuple([base + slot % RANKS_OF_A_SUIT for slot in slots])
        yield Group(faces, slots, needs, min(bounds.wilds, SLOTS - len(slots)) - needs)


def _sets(counts: bytearray, lowest: int, most: int, bounds: Bounds) -> Iterator[Group]:
    """Sets of this rank: three suits (four by switch) and at most two doubles of suits that are in it (C-04)."""
    choices: list[tuple[int, ...]] = [(lowest,) * copies for copies in range(1, counts[lowest] + 1)]
    for number in range(lowest + RANKS_OF_A_SUIT, FACES, RANKS_OF_A_SUIT):
        if counts[number]:
            choices = [
                (*chosen, *(number,) * copies) for chosen in choices for copies in range(counts[number] + 1)
            ]
    largest = bounds.suits + DOUBLES
    for chosen in choices:
        suits = len(set(chosen))
        needs = max(0, SHORTEST - suits)
        # A single card with two wilds is a run as well, and a run has more room.
        if len(chosen) == 1 or suits > bounds.suits or needs > most:
            continue
        if len(chosen) - suits <= DOUBLES and len(chosen) + needs <= largest:
            yield Group(chosen, (), needs, min(bounds.wilds, largest - len(chosen)) - needs)


def lonely(counts: bytearray, wilds: int) -> list[int]:
    """The faces, one for each card, that are in no group whatever else happens: a first look that spares most searches.

    Two wilds make a meld of any card; a single one needs a neighbour beside it, and without wilds it needs two.
    """
    if wilds >= 2:
        return []
    enough = 2 - wilds
    alone: list[int] = []
    for number, count in enumerate(counts):
        if count and not _has_company(counts, number, enough):
            alone.extend([number] * count)
    return alone


def _has_company(counts: bytearray, number: int, enough: int) -> bool:
    """Whether so many other cards could be in a meld of three with this one."""
    rank = number % RANKS_OF_A_SUIT
    base = number - rank
    suits = 0
    for other in range(rank, FACES, RANKS_OF_A_SUIT):
        suits += counts[other] > 0
    if suits > enough:
        return True
    for slot in (rank, SLOTS - 1) if rank == 0 else (rank,):
        near = [
            0 <= slot + step < SLOTS and counts[base + (slot + step) % RANKS_OF_A_SUIT] > 0
            for step in (-2, -1, 1, 2)
        ]
        if enough == 1:
            if any(near):
                return True
        elif (near[0] and near[1]) or (near[1] and near[2]) or (near[2] and near[3]):
            return True
    return False
