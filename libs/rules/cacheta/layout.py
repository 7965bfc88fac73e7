"""Whether a hand can be laid down whole (C-06): the partition of nine or ten cards into runs and sets.

The search takes the lowest face that is left, tries every group that can hold it with the wilds that it cannot do without,
and at last hands the wilds that are over to the groups that have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from libs.rules.cacheta.arrange import arranged
from libs.rules.cacheta.cards import WILDS
from libs.rules.cacheta.groups import ONE, Bounds, Group, bounds_of, counted, groups_of, has_lonely_cards
from libs.rules.cacheta.rule_set import RuleSet

MOST_WILDS = 4
"""C-01: so many wilds there are."""

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
    return judged(cards, vira, bounds_of(rules))


def melds_without(rules: RuleSet, vira: str, cards: Sequence[str], discard: str) -> Melds:
    """The melds of the cards that are left after this discard; raises ValueError if they do not fit."""
    melds = whole(tuple([card for card in cards if card != discard]), vira, bounds_of(rules))
    if melds is None:
        raise ValueError(f"the hand does not fit without {discard}")
    return melds


@lru_cache(maxsize=4096)
def judged(cards: tuple[str, ...], vira: str, bounds: Bounds) -> Layout:
    """What these ten cards can do within these bounds. Kept, because a hand is asked for its legal moves, then judged."""
    counts, wilds = counted(cards, vira)
    if not goes_out(counts, wilds, bounds):
        return Layout(None, ())
    a_wild_may_go = wilds > 0 and covers(counts, wilds - 1, 0, 0, bounds)
    is_wild = WILDS[vira]
    discards = [
        card
        for card in cards
        if (a_wild_may_go if card in is_wild else covers(counts - ONE[card], wilds, 0, 0, bounds))
    ]
    return Layout(whole(cards, vira, bounds), tuple(discards))


def goes_out(counts: int, wilds: int, bounds: Bounds) -> bool:
    """Whether ten such cards can be laid down whole, or all but one of them."""
    return not has_lonely_cards(counts, wilds) and covers(counts, wilds, 0, 1, bounds)


def whole(cards: tuple[str, ...], vira: str, bounds: Bounds) -> Melds | None:
    """The melds of all these cards, or None if no partition of them is legal."""
    counts, wilds = counted(cards, vira)
    if not covers(counts, wilds, 0, 0, bounds):
        return None
    return arranged(sorted(_partition(counts, wilds, bounds)), cards, WILDS[vira])


def _partition(counts: int, wilds: int, bounds: Bounds) -> list[Group]:
    """The groups of a hand that can be covered."""
    groups: list[Group] = []
    room = 0
    while counts:
        for group in groups_of(counts, _lowest(counts), wilds, bounds):
            if covers(counts - group.counts, wilds - group.needs, room + group.room, 0, bounds):
                groups.append(group)
                counts -= group.counts
                wilds -= group.needs
                room += group.room
                break
        else:
            raise AssertionError("a hand that can be covered has a next group")
    return groups


def _lowest(counts: int) -> int:
    return (counts & -counts).bit_length() - 1 >> 1


@lru_cache(maxsize=16384)
def covers(counts: int, wilds: int, room: int, spare: int, bounds: Bounds) -> bool:
    """Whether these cards can all be placed in melds, but for so many that are `spare`; `room` is how many wilds the melds
    that are there already could take. Kept, because the same cards are left over in many ways.
    """
    if not counts:
        return wilds <= room + spare
    lowest = _lowest(counts)
    for group in groups_of(counts, lowest, wilds, bounds):
        if covers(
            counts - group.counts, wilds - group.needs, min(room + group.room, MOST_WILDS), spare, bounds
        ):
            return True
    return spare > 0 and covers(counts - (1 << 2 * lowest), wilds, room, spare - 1, bounds)
