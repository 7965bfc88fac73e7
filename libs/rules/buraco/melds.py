"""What cards are together: a run, a set, or nothing (B-06 to B-25, T-08, T-09).

A wild has no fixed place (B-11), so a meld is judged as a whole whenever a card is added. A run fills slots 1 (ace
low), 2, …, 13 (king), 14 (ace high); in Tranca slots 4 to 14. Slots are bits of a whole number, and a run is legal
exactly when its wilds fill the gaps between its naturals, and what is left of them finds room at the ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from libs.rules.buraco.cards import JOKER_RANK, RANK, SUIT
from libs.rules.buraco.rule_set import RuleSet

Kind = Literal["run", "set", "wilds"]

CANASTRA = 7
"""B-51: so many cards make a canastra."""

ACE_LOW, ACE_HIGH = 1, 14
LONGEST_RUN = 14
LONGEST_SET = 8
"""B-21: natural cards of one rank that there are."""


class Shape(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What cards are together, in the order in which they are shown (B-11).

    `low` is the slot of a run's first card, and a set's rank. `wilds` are the cards that act as wilds; `bound` are the 2s
    among them that may not go home any more (B-10, `cleaning`).
    """

    kind: Kind
    cards: tuple[str, ...]
    low: int
    wilds: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether every card stands for itself."""
        return not self.wilds and self.kind != "wilds"


def judge(
    rules: RuleSet, cards: Sequence[str], bound: tuple[str, ...] = (), ace_at: int | None = None
) -> Shape | None:
    """The shape of these cards, or None if they are no meld.

    `bound` are 2s that stay wild; `ace_at` is the slot where the meld's only ace has stood: it stays there if it can, which
    tells the two runs of thirteen apart (B-15).
    """
    return _judged(rules, tuple(cards), bound, ace_at) if len(cards) >= 3 else None


def judged_anew(
    rules: RuleSet, cards: tuple[str, ...], bound: tuple[str, ...] = (), ace_at: int | None = None
) -> Shape | None:
    """As `judge` of three cards or more, for who keeps the answer: nothing of it is kept here."""
    rank = 0
    is_set = True
    others: list[str] = []
    wilds: list[str] = []
    for card in cards:
        value = RANK[card]
        if value in (JOKER_RANK, 2):
            wilds.append(card)
            continue
        others.append(card)
        if rank and value != rank:
            is_set = False
        rank = value
    if not others:
        return _wild_meld(rules, wilds)
    if len(others) >= 2 and is_set:
        return _set(rules, others, wilds, rank)
    return _run(rules, others, wilds, bound, ace_at)


# Kept, because the same cards are asked about from move to move until a hand or a meld changes.
_judged = lru_cache(maxsize=8192)(judged_anew)


def _wild_meld(rules: RuleSet, wilds: list[str]) -> Shape | None:
    if not rules.wild_melds or len({RANK[card] for card in wilds}) != 1:
        return None
    return Shape("wilds", tuple(wilds), RANK[wilds[0]], tuple(wilds))


def _set(rules: RuleSet, others: list[str], wilds: list[str], rank: int) -> Shape | None:
    if not rules.sets or len(others) > LONGEST_SET or (rank == 3 and rules.special_threes):
        return None
    if len(wilds) > (rules.max_wilds_per_meld if rules.wild_in_sets else 0):
        return None
    return Shape("set", (*others, *wilds), rank, tuple(wilds))


def _run(
    rules: RuleSet, others: list[str], wilds: list[str], bound: tuple[str, ...], ace_at: int | None
) -> Shape | None:
    suit = SUIT[others[0]]
    aces: list[str] = []
    slots: dict[int, str] = {}
    for card in others:
        if SUIT[card] != suit:
            return None
        rank = RANK[card]
        if rank == 1:
            aces.append(card)
        elif rank in slots:
            return None
        else:
            slots[rank] = card
    if len(aces) > 2 or (rules.special_threes and (3 in slots or len(aces) > 1)):
        return None
    if not wilds and not aces:
        low = min(slots)
        if max(slots) - low >= len(slots):
            return None
        return Shape("run", tuple([slots[slot] for slot in range(low, low + len(slots))]), low)
    home = None
    if wilds and rules.natural_two != "never" and not rules.special_threes:
        home = next(
            (card for card in wilds if RANK[card] == 2 and SUIT[card] == suit and card not in bound), None
        )
    # With a 2 at home there is a wild less: that is better than any other reading.
    free = [card for card in wilds if card != home] if home else wilds
    readings = _readings(rules, slots, len(aces), len(free), has_two=home is not None)
    if home and not readings:
        home, free = None, wilds
        readings = _readings(rules, slots, len(aces), len(free), has_two=False)
    if not readings:
        return None
    places = readings[0]
    if len(readings) > 1:
        places = min(readings, key=lambda reading: _rating(rules, reading, ace_at))
    slots.update(zip(places, aces, strict=True))
    if home:
        slots[2] = home
    return _shown(rules, slots, free, bound)


def _readings(
    rules: RuleSet, slots: Mapping[int, str], aces: int, free: int, *, has_two: bool
) -> list[tuple[int, ...]]:
    """The ways to place aces, beside a 2 at home or not, that leave few enough wilds and fill every gap."""
    if free > rules.max_wilds_per_meld or (has_two and free and not rules.natural_two_plus_wild):
        return []
    naturals = len(slots) + aces + has_two
    if naturals < 2 or naturals + free > longest_run(rules):
        return []
    low = 2 if has_two else min(slots, default=ACE_HIGH)
    high = max(slots, default=2)
    found = []
    for places in _ACE_ONLY_HIGH if aces == 1 and rules.special_threes else _ACE_PLACES[aces]:
        is_low = ACE_LOW in places
        if has_two and rules.natural_two == "between_ace_and_three" and not (is_low and 3 in slots):
            continue
        first = ACE_LOW if is_low else low
        last = ACE_HIGH if ACE_HIGH in places else high
        if last - first < naturals + free:
            found.append(places)
    return found


_ACE_PLACES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((),),
    ((ACE_LOW,), (ACE_HIGH,)),
    ((ACE_LOW, ACE_HIGH),),
)
"""By the number of aces: the slots in which they may stand."""
_ACE_ONLY_HIGH = ((ACE_HIGH,),)


def longest_run(rules: RuleSet) -> int:
    """From ace to ace, or from the 4 to the ace where threes are special (T-08)."""
    return LONGEST_RUN - 3 if rules.special_threes else LONGEST_RUN


def _rating(rules: RuleSet, places: tuple[int, ...], ace_at: int | None) -> tuple[bool, bool]:
    """First the reading that leaves the only ace where it stood; then the one that pays more."""
    moved = ace_at is not None and ace_at not in places
    unpaid = rules.run500 == "ace_high" if ACE_LOW in places else rules.run500 != "ace_high"
    return moved, unpaid


def _shown(rules: RuleSet, placed: dict[int, str], free: list[str], bound: tuple[str, ...]) -> Shape:
    """The run in slot order, its wilds in the gaps first, else at the high end, else at the low one (B-11)."""
    low, high = min(placed), max(placed)
    if not free:
        return Shape("run", tuple([placed[slot] for slot in range(low, high + 1)]), low)
    at_end: list[str] = []
    waiting = list(free)
    # With several wilds a bound one takes no part in the choice of gaps; the order given is kept.
    for slot in range(low, high):
        if slot not in placed:
            placed[slot] = waiting.pop(0)
    for card in waiting:
        if high < ACE_HIGH:
            high += 1
            placed[high] = card
        else:
            low -= 1
            placed[low] = card
        at_end.append(card)
    if rules.cleaning == "never":
        kept = tuple([card for card in free if RANK[card] == 2])
    elif rules.cleaning == "not_from_end":
        kept = tuple([card for card in free if RANK[card] == 2 and (card in bound or card in at_end)])
    else:
        kept = ()
    return Shape("run", tuple([placed[slot] for slot in range(low, high + 1)]), low, tuple(free), kept)


def ace_slot(shape: Shape) -> int | None:
    """Where the only ace of a run stands, for the judgement of the next addition."""
    if shape.kind != "run":
        return None
    first, last = shape.cards[0], shape.cards[-1]
    is_low = shape.low == ACE_LOW and RANK[first] == 1
    is_high = shape.low + len(shape.cards) - 1 == ACE_HIGH and RANK[last] == 1
    if is_low == is_high:
        return None
    return ACE_LOW if is_low else ACE_HIGH


def enlarged(rules: RuleSet, shape: Shape, added: Sequence[str]) -> Shape | None:
    """A meld with cards added, or None if that is no meld of its kind (B-11)."""
    if len(added) == 1 and shape.kind == "run":
        prolonged = _prolonged(shape, added[0])
        if prolonged is not None:
            return prolonged
    found = judge(rules, (*shape.cards, *added), shape.bound, ace_slot(shape))
    return found if found is not None and found.kind == shape.kind else None


def _prolonged(shape: Shape, card: str) -> Shape | None:
    """A run of one wild at most with a natural from the 4 to the king beyond an end that is a natural too: nothing else in it
    moves (B-11). None says nothing.
    """
    cards, wilds, rank = shape.cards, shape.wilds, RANK[card]
    first, last = cards[0], cards[-1]
    if rank < 4 or SUIT[card] != SUIT[first]:
        return None
    if wilds and (len(wilds) > 1 or wilds[0] in (first, last)):
        return None
    if rank == shape.low + len(cards):
        return Shape("run", (*cards, card), shape.low, wilds, shape.bound)
    if rank == shape.low - 1:
        return Shape("run", (card, *cards), rank, wilds, shape.bound)
    return None


def is_canastra(rules: RuleSet, shape: Shape) -> bool:
    """Seven cards or more (B-51); a set only by switch (B-23)."""
    return len(shape.cards) >= CANASTRA and (shape.kind != "set" or rules.set_canastra)


def canastra_points(rules: RuleSet, shape: Shape) -> int:
    """The one bonus of a meld: 0, 100, 200, 500 or 1000 (B-15 to B-19)."""
    if not is_canastra(rules, shape):
        return 0
    if shape.kind == "run" and (shape.clean or not rules.big_run_needs_clean):
        if len(shape.cards) == 14 and rules.run1000:
            return 1000
        if len(shape.cards) == 13:
            if rules.run500 == "any13":
                return 500
            if rules.run500 == ("ace_low" if shape.low == ACE_LOW else "ace_high"):
                return 500
    return 200 if shape.clean else 100
