"""Which melds the cards of a hand make: longest first, the clean ones before the others.

A meld is named once, as long as it can be with at most one wild: who wants a shorter one knows what to leave out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from libs.rules.buraco.cards import RANKS, SUIT, SUITS
from libs.rules.buraco.held import ACE_BIT, JOKER, RANK_BITS, SUIT_BITS, TWO_BIT, Held
from libs.rules.buraco.melds import ACE_HIGH, ACE_LOW, judged_anew
from libs.rules.buraco.rule_set import RuleSet

Ranks = tuple[str, ...]
"""Cards of one suit by rank, the first one of each; `+A` and `+2` are the second ace and the second 2."""


class Runs(NamedTuple):
    """The runs that a suit's cards make, whichever suit it is."""

    clean: tuple[Ranks, ...]
    dirty: tuple[tuple[Ranks, bool, str], ...]
    """Cards that a wild makes a run of: whether one of no home here does, and which 2 of the suit, if any."""
    twos_away: tuple[Ranks, ...]
    """Runs in which the suit's 2, which could be at home, is the wild; it comes last."""


def new_melds(rules: RuleSet, held: Held) -> list[tuple[str, ...]]:
    """The cards of each meld, in no order within it."""
    clean: list[tuple[str, ...]] = []
    dirty: list[tuple[str, ...]] = []
    wilds = held.wilds if rules.max_wilds_per_meld else ()
    faces, twins = held.faces, held.twins
    for suit in SUITS:
        ranks = faces & RANK_BITS
        if ranks & ranks - 1:
            runs = _runs(rules, ranks, twins & (ACE_BIT | TWO_BIT))
            if runs.clean:
                names = held.names
                clean.extend([tuple([names[rank + suit] for rank in run]) for run in runs.clean])
            if wilds and (runs.dirty or runs.twos_away):
                _add_dirty(runs, suit, wilds, held.names, dirty)
        faces >>= SUIT_BITS
        twins >>= SUIT_BITS
    if rules.sets:
        _add_sets(rules, held, wilds, clean, dirty)
    if rules.wild_melds:
        twos = [card for card in held.cards if card[0] == "2"]
        jokers = [card for card in held.cards if card[:2] == JOKER]
        dirty.extend(
            [tuple(sorted(cards, key=SUIT.__getitem__)) for cards in (twos, jokers) if len(cards) >= 3]
        )
    clean.sort(key=len, reverse=True)
    dirty.sort(key=len, reverse=True)
    return clean + dirty


def _add_dirty(
    runs: Runs, suit: str, wilds: Sequence[str], names: Mapping[str, str], dirty: list[tuple[str, ...]]
) -> None:
    for ranks, takes_foreign, two in runs.dirty:
        cards = tuple([names[rank + suit] for rank in ranks])
        for wild in wilds:
            if wild[1] == suit:
                if two:
                    dirty.append((*cards, names[two + suit]))
            elif takes_foreign:
                dirty.append((*cards, names[wild]))
    dirty.extend([tuple([names[rank + suit] for rank in ranks]) for ranks in runs.twos_away])


def _add_sets(
    rules: RuleSet,
    held: Held,
    wilds: Sequence[str],
    clean: list[tuple[str, ...]],
    dirty: list[tuple[str, ...]],
) -> None:
    by_rank: dict[str, list[str]] = {rank: [] for rank in RANKS if rank != "2"}
    if rules.special_threes:
        del by_rank["3"]
    for card in held.cards:
        if card[0] in by_rank and card[1] != JOKER[1]:
            by_rank[card[0]].append(card)
    for found in by_rank.values():
        if len(found) >= 2:
            cards = tuple(sorted(found, key=SUIT.__getitem__))
            if len(cards) >= 3:
                clean.append(cards)
            if rules.wild_in_sets:
                dirty.extend([(*cards, held.names[shown]) for shown in wilds])


@lru_cache(maxsize=8192)
def _runs(rules: RuleSet, ranks: int, twins: int) -> Runs:
    """What a suit of these ranks makes; `twins` are those of aces and 2s."""
    slots = slots_of(rules, ranks, twins)
    runs = _consecutive(slots)
    # The same cards in two orders are one meld, and so are those that the 2 makes at home and away.
    clean = {frozenset(span.values()): tuple(span.values()) for span in _spans(runs)}
    if not rules.max_wilds_per_meld:
        return Runs(tuple([run for run in clean.values() if _is_run(rules, run)]), (), ())
    dirty = []
    with_two = set()
    for span in {frozenset(span.values()): span for span in _spans(_joined(runs))}.values():
        cards = tuple(span.values())
        takes_foreign = _is_run(rules, cards, _FOREIGN)
        two = "" if not ranks & TWO_BIT else "2" if 2 not in span else "+2" if twins & TWO_BIT else ""
        if two and not _is_run(rules, (*cards, two)):
            two = ""
        if two:
            with_two.add(frozenset((*cards, two)))
        if two or takes_foreign:
            dirty.append((cards, takes_foreign, two))
    away: dict[frozenset[str], Ranks] = {}
    if 2 in slots:
        without = {slot: rank for slot, rank in slots.items() if slot != 2}
        for span in _spans(_joined(_consecutive(without))):
            run = (*span.values(), "2")
            same = frozenset(run)
            if same in clean:
                clean[same] = run
            elif same not in with_two:
                away[same] = run
    return Runs(
        tuple([run for run in clean.values() if _is_run(rules, run)]),
        tuple(dirty),
        tuple([run for run in away.values() if _is_run(rules, run)]),
    )


_FOREIGN = "2Ca"
_MOVABLE = frozenset(["A", "2", "+A", "+2"])
_SECOND = {"+A": "APb", "+2": "2Pb"}


def _is_run(rules: RuleSet, ranks: Ranks, *wild: str) -> bool:
    """Whether these cards of a suit are a meld, and with a wild of no home in it."""
    if len(ranks) + len(wild) < 3:
        return False
    if _MOVABLE.isdisjoint(ranks):
        # Neighbours, or two groups of them with room for one wild between; too few to be too long.
        return True
    cards = (*[_SECOND.get(rank, f"{rank}Pa") for rank in ranks], *wild)
    return judged_anew(rules, cards) is not None


def slots_of(rules: RuleSet, ranks: int, twins: int) -> dict[int, str]:
    """A suit's cards by slot, each natural; a lone ace stands at both ends."""
    slots: dict[int, str] = {}
    if ranks & ACE_BIT and not rules.special_threes:
        slots[ACE_LOW] = "A"
    lowest = 4 if rules.special_threes else 3 if rules.natural_two == "never" else 2
    slots.update([(rank, RANKS[rank - 1]) for rank in range(lowest, 14) if ranks >> rank - 1 & 1])
    if rules.natural_two == "between_ace_and_three" and not (ACE_LOW in slots and 3 in slots):
        slots.pop(2, None)
    if ranks & ACE_BIT:
        slots[ACE_HIGH] = "+A" if twins & ACE_BIT else "A"
    return slots


def _consecutive(slots: Mapping[int, str]) -> list[dict[int, str]]:
    """The longest runs of consecutive slots."""
    runs: list[dict[int, str]] = []
    last = -1
    for slot, rank in slots.items():
        if slot != last + 1:
            runs.append({})
        runs[-1][slot] = rank
        last = slot
    return runs


def _joined(runs: list[dict[int, str]]) -> list[dict[int, str]]:
    """Runs that leave room for one wild: across a gap, or at an end."""
    spans = [{**low, **high} for low, high in pairwise(runs) if max(low) + 2 == min(high)]
    crossed = {slot for span in spans for slot in span}
    return [*spans, *[run for run in runs if not crossed.issuperset(run)]]


def _spans(runs: list[dict[int, str]]) -> Iterator[dict[int, str]]:
    """The runs of two slots or more; one whose lone ace stands at both ends, once with each."""
    for span in runs:
        if len(span) < 2:
            continue
        if ACE_LOW in span and ACE_HIGH in span and span[ACE_LOW] == span[ACE_HIGH]:
            yield {slot: rank for slot, rank in span.items() if slot != ACE_HIGH}
            yield {slot: rank for slot, rank in span.items() if slot != ACE_LOW}
        else:
            yield span
