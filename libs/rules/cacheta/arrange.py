"""The melds of a partition as the table shows them: physical cards, each wild in the place that it fills."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from libs.rules.cacheta.cards import FACE
from libs.rules.cacheta.groups import SLOTS, Group


def arranged(
    groups: Sequence[Group], cards: Sequence[str], is_wild: Collection[str]
) -> tuple[tuple[str, ...], ...]:
    """The cards of each group, in order; wilds that no group needs go where there is room.

    A run has its wilds in the gaps, then above, then below; a set has them at its end.
    """
    wilds = [card for card in cards if card in is_wild]
    naturals: dict[int, list[str]] = {}
    for card in cards:
        if card not in is_wild:
            naturals.setdefault(FACE[card], []).append(card)
    over = len(wilds) - sum(group.needs for group in groups)
    melds = []
    for group in groups:
        extra = min(over, group.room)
        over -= extra
        taken = [wilds.pop(0) for _ in range(group.needs + extra)]
        own = [naturals[number].pop(0) for number in group.faces]
        melds.append(_run(dict(zip(group.slots, own, strict=True)), taken) if group.slots else (*own, *taken))
    return tuple(melds)


def _run(slots: dict[int, str], wilds: list[str]) -> tuple[str, ...]:
    low, high = min(slots), max(slots)
    waiting = iter(wilds)
    for slot in range(low, high):
        if slot not in slots:
            slots[slot] = next(waiting)
    for card in waiting:
        if high < SLOTS - 1:
            high += 1
            slots[high] = card
        else:
            low -= 1
            slots[low] = card
    return tuple([slots[slot] for slot in range(low, high + 1)])
