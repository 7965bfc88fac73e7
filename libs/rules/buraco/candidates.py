"""Which melds the cards of a hand make: longest first, the clean ones before the others.

A meld is named once, as long as it can be with at most one wild: who wants a shorter one knows what to leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from libs.rules.buraco.cards import RANKS, SUIT, SUITS
from libs.rules.buraco.held import ACE_BIT, ACES, JOKER, RANK_BITS, SUIT_BITS, TWO_BIT, Held
from libs.rules.buraco.melds import ACE_HIGH, ACE_LOW, longest_run
from libs.rules.buraco.rule_set import RuleSet

Ranks = tuple[str, ...]
"""Cards of one suit by rank, the first one of each; `+A` and `+2` are the second ace and the second 2."""


Names = Mapping[str, str]
"""The card of each face, as a hand names it."""
Picks = tuple[Callable[[Names], tuple[str, ...]], ...]
"""By suit, what picks the cards of some ranks."""


class Runs(NamedTuple):
    """The runs that a suit's cards make, whichever suit it is."""

    clean: tuple[Picks, ...]
    dirty: tuple[tuple[Picks, Picks | None], ...]
    """Cards that any wild of another suit makes a run of, and the same cards with the 2 of the suit as a wild, if there is one."""
    twos_away: tuple[Picks, ...]
    """Runs in which the suit's 2, which could be at home, is the wild; it comes last."""


def new_melds(rules: RuleSet, held: Held) -> list[tuple[str, ...]]:
    """The cards of each meld, in no order within it."""
    clean: list[tuple[str, ...]] = []
    dirty: list[tuple[str, ...]] = []
    wilds = held.wilds if rules.max_wilds_per_meld else ()
    faces, twins = held.faces, held.twins
    names: Names | None = None
    tails: list[tuple[str, tuple[str, ...]]] = []
    # Neighbours, or with a wild two that leave one place between them: without them a suit makes nothing.
    ends = faces | (faces & ACES) << ACE_HIGH - ACE_LOW
    nearby = ends & ends >> 1
    nearby = nearby | ends & ends >> 2 if wilds else nearby & ends >> 2
    for number, (suit, place, mask) in _SUIT_PLACES:
        if not nearby & mask:
            continue
        runs = _runs(rules, faces >> place & RANK_BITS, twins >> place & _MOVABLE)
        if runs is None:
            continue
        if names is None:
            names = held.names
            tails = [(wild[1], (names[wild],)) for wild in wilds]
        for picks in runs.clean:
            clean.append(picks[number](names))  # noqa: PERF401 -- mostly none or one
        if not tails:
            continue
        for picks, with_two in runs.dirty:
            cards = picks[number](names)
            for of, tail in tails:
                if of != suit:
                    dirty.append(cards + tail)
                elif with_two is not None:
                    dirty.append(with_two[number](names))
        for picks in runs.twos_away:
            dirty.append(picks[number](names))  # noqa: PERF401 -- as above
    if rules.sets:
        _add_sets(rules, held, wilds, clean, dirty)
    if rules.wild_melds:
        twos = [card for card in held.cards if card[0] == "2"]
        jokers = [card for card in held.cards if card[:2] == JOKER]
        dirty.extend(
            [tuple(sorted(cards, key=SUIT.__getitem__)) for cards in (twos, jokers) if len(cards) >= 3]
        )
    if len(clean) > 1:
        clean.sort(key=len, reverse=True)
    if len(dirty) > 1:
        dirty.sort(key=len, reverse=True)
    return clean + dirty


_SUIT_PLACES = tuple(
    enumerate(
        [
            (suit, SUIT_BITS * place, (1 << SUIT_BITS) - 1 << SUIT_BITS * place)
            for place, suit in enumerate(SUITS)
        ]
    )
)
"""Each suit with where its bits begin, and all of them."""


@lru_cache(maxsize=4096)
def _picks(ranks: Ranks) -> Picks:
    return tuple([itemgetter(*[rank + suit for rank in ranks]) for suit in SUITS])


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
def _runs(rules: RuleSet, ranks: int, twins: int) -> Runs | None:
    """What a suit of these ranks makes, if anything; `twins` are those of aces and 2s."""
    slots, ladder = slots_of(rules, ranks, twins)
    groups = _groups(slots)
    # The same cards in two orders are one meld, and so are those that the 2 makes at home and away.
    clean = {}
    for low, high in groups:
        if high - low >= 2:
            place, cards = _placed(low, high, 0, ladder)
            clean[place] = cards
    if not rules.max_wilds_per_meld:
        return Runs(tuple(map(_picks, clean.values())), (), ()) if clean else None
    dirty = {}
    with_two = set()
    for span in _joined(groups):
        place, cards = _placed(*span, ladder)
        has_two = place & _TWO != 0
        if _takes_wild(rules, len(cards), has_two):
            held_two = twins if has_two else ranks
            two = "" if not held_two & TWO_BIT else "+2" if has_two else "2"
            dirty[place] = (_picks(cards), _picks((*cards, two)) if two else None)
            if two == "2":
                with_two.add(place | _TWO)
    away = {}
    if slots & _TWO:
        for span in _joined(_groups(slots & ~_TWO)):
            place, cards = _placed(*span, ladder)
            place |= _TWO
            if place in clean:
                clean[place] = (*cards, "2")
            elif place not in with_two:
                away[place] = (*cards, "2")
    if not clean and not dirty and not away:
        return None
    return Runs(tuple(map(_picks, clean.values())), tuple(dirty.values()), tuple(map(_picks, away.values())))


def _takes_wild(rules: RuleSet, length: int, has_two: bool) -> bool:
    """Whether cards that leave room for a wild are a run with one."""
    if length >= longest_run(rules):
        return False
    # Where no wild may stand beside a 2 at home, the 2 is a wild too.
    return not has_two or rules.natural_two_plus_wild or (rules.max_wilds_per_meld > 1 and length > 2)


_MOVABLE = ACE_BIT | TWO_BIT
_TWO = 1 << 2
_HIGH_ACE = 1 << ACE_HIGH
_LADDER = ("", *RANKS, "A")
_LADDER_OF_TWO_ACES = ("", *RANKS, "+A")


def slots_of(rules: RuleSet, ranks: int, twins: int) -> tuple[int, Ranks]:
    """The slots that a suit's cards fill as naturals, as bits, and the card of each; a lone ace stands at both ends."""
    slots = ranks << 1
    if rules.special_threes:
        slots &= -1 << 4
    elif rules.natural_two == "never" or (
        rules.natural_two == "between_ace_and_three" and slots & _ACE_AND_THREE != _ACE_AND_THREE
    ):
        slots &= ~_TWO
    if ranks & ACE_BIT:
        slots |= _HIGH_ACE
    return slots, _LADDER_OF_TWO_ACES if twins & ACE_BIT else _LADDER


_ACE_AND_THREE = 1 << ACE_LOW | 1 << 3


def _groups(slots: int) -> list[tuple[int, int]]:
    """The lowest and the highest of each group of neighbours."""
    found = []
    while slots:
        lowest = slots & -slots
        carried = slots + lowest
        found.append((lowest.bit_length() - 1, (slots ^ carried).bit_length() - 2))
        slots &= carried
    return found


def _joined(groups: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Two cards or more that leave room for a wild: across a gap, whose slot stands last, or at an end."""
    found = []
    alone = dict.fromkeys(groups)
    for low, high in pairwise(groups):
        if low[1] + 2 == high[0]:
            found.append((low[0], high[1], low[1] + 1))
            alone.pop(low, None)
            alone.pop(high, None)
    return [*found, *[(low, high, 0) for low, high in alone if low < high]]


def _placed(low: int, high: int, gap: int, ladder: Ranks) -> tuple[int, Ranks]:
    """The cards from slot to slot but for one, and their slots as bits; a lone ace at both ends is counted as low and shown
    as high.
    """
    slots = (2 << high) - (1 << low)
    if gap:
        slots ^= 1 << gap
    if slots & _HIGH_ACE and ladder is _LADDER:
        slots = slots & ~_HIGH_ACE | 1 << ACE_LOW
        low = max(low, 2)
    return slots, (*ladder[low:gap], *ladder[gap + 1 : high + 1]) if gap else ladder[low : high + 1]
