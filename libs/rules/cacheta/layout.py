"""Whether a hand can be laid down whole (C-06): the partition of nine or ten cards into runs and sets.

The search takes the lowest face that is left, tries every group that can hold it with the wilds that it cannot do without,
and at last hands the wilds that are over to the groups that have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from libs.rules.cacheta.arrange import arranged
from libs.rules.cacheta.cards import FACE, FACES, WILDS
from libs.rules.cacheta.groups import Bounds, Group, bounds_of, groups_of, lonely
from libs.rules.cacheta.rule_set import RuleSet

Melds = tuple[tuple[str, ...], ...]


class Layout(msgspec.Struct, frozen=True, gc=False):
    """What a hand of ten can do: lie down whole as `melds` (None if it cannot), or without one of `discards`, which are in
    the hand's order.
    """

    melds: Melds | None
    discards: tuple[str, ...]

    @property
    def goes_out(self) -> bool:
        """Whether the hand may go out at all."""
        return self.melds is not None or bool(self.discards)


def layout(rules: RuleSet, vira: str, cards: tuple[str, ...]) -> Layout:
    """What these ten cards can do under this vira (C-06)."""
    return _layout(cards, vira, bounds_of(rules))


def melds_without(rules: RuleSet, vira: str, cards: Sequence[str], discard: str) -> Melds:
    """The melds of the cards that are left after this discard; raises ValueError if they do not fit."""
    melds = whole(tuple([card for card in cards if card != discard]), vira, bounds_of(rules))
    if melds is None:
        raise ValueError(f"the hand does not fit without {discard}")
    return melds


@lru_cache(maxsize=4096)
def _layout(cards: tuple[str, ...], vira: str, bounds: Bounds) -> Layout:
    """Kept, because a hand is asked for its legal moves and then judged."""
    counts, wilds = counted(cards, vira)
    alone = lonely(counts, wilds)
    if len(alone) > 1:
        return Layout(None, ())
    fitting = set[int]()
    for number in alone or [number for number in range(FACES) if counts[number]]:
        counts[number] -= 1
        if fits(counts, wilds, bounds):
            fitting.add(number)
        counts[number] += 1
    a_wild_may_go = wilds > 0 and not alone and fits(counts, wilds - 1, bounds)
    is_wild = WILDS[vira]
    discards = [card for card in cards if (a_wild_may_go if card in is_wild else FACE[card] in fitting)]
    return Layout(None if alone else whole(cards, vira, bounds), tuple(discards))


def whole(cards: tuple[str, ...], vira: str, bounds: Bounds) -> Melds | None:
    """The melds of all these cards, or None if no partition of them is legal."""
    counts, wilds = counted(cards, vira)
    groups: list[Group] = []
    if not _covered(counts, 0, wilds, 0, bounds, groups):
        return None
    return arranged(sorted(groups), cards, WILDS[vira])


def fits(counts: bytearray, wilds: int, bounds: Bounds) -> bool:
    """Whether these faces and wilds can be laid down whole; afterwards the counts are as they were."""
    return _covered(counts, 0, wilds, 0, bounds, [])


def counted(cards: Sequence[str], vira: str) -> tuple[bytearray, int]:
    """How many natural cards there are of each face, and how many wilds."""
    counts, wilds, is_wild = bytearray(FACES), 0, WILDS[vira]
    for card in cards:
        if card in is_wild:
            wilds += 1
        else:
            counts[FACE[card]] += 1
    return counts, wilds


def _covered(
    counts: bytearray, lowest: int, wilds: int, room: int, bounds: Bounds, groups: list[Group]
) -> bool:
    """Whether the faces from this one up, and the wilds, can all be placed; `room` is what earlier groups can take.

    On success `groups` has the partition.
    """
    while lowest < FACES and not counts[lowest]:
        lowest += 1
    if lowest == FACES:
        return wilds <= room
    for group in groups_of(counts, lowest, wilds, bounds):
        for number in group.faces:
            counts[number] -= 1
        is_covered = _covered(counts, lowest, wilds - group.needs, room + group.room, bounds, groups)
        for number in group.faces:
            counts[number] += 1
        if is_covered:
            groups.append(group)
            return True
    return False
