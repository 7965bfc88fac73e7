"""Which melds the cards of a hand may make: the candidates that are judged, longest first, the clean ones before the others.

A meld is named once, as long as it can be with at most one wild: who wants a shorter one knows what to leave out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from libs.rules.buraco.cards import JOKERS, PACKS, RANKS, SUITS
from libs.rules.buraco.laying import suit_of
from libs.rules.buraco.melds import ACE_HIGH, ACE_LOW, Shape, enlarged
from libs.rules.buraco.rule_set import RuleSet

Held = Mapping[str, Sequence[str]]
"""The cards of a hand by face, the one to be named first."""

JOKER = "JK"
WILD_FACES = (*(f"2{suit}" for suit in SUITS), JOKER)


@lru_cache(maxsize=8192)
def addable_faces(rules: RuleSet, shape: Shape) -> frozenset[str]:
    """The faces of which one card may be added to a meld (B-11)."""
    if shape.kind == "run":
        own = [rank + SUITS[suit_of(shape)] for rank in RANKS]
    else:
        own = [RANKS[shape.low - 1] + suit for suit in SUITS if shape.low]
    faces = {*own, *WILD_FACES}
    return frozenset(
        [
            shown
            for shown in faces
            if (card := _another(shown, shape)) is not None and enlarged(rules, shape, (card,)) is not None
        ]
    )


def _another(shown: str, shape: Shape) -> str | None:
    """A card of this face that is not in the meld."""
    copies = JOKERS if shown == JOKER else [shown + letter for letter in PACKS]
    return next((card for card in copies if card not in shape.cards), None)


def new_melds(rules: RuleSet, held: Held) -> list[tuple[str, ...]]:
    """The cards of each candidate, in no order within it; not every one is legal."""
    clean: list[tuple[str, ...]] = []
    dirty: list[tuple[str, ...]] = []
    wilds = [shown for shown in WILD_FACES if shown in held] if rules.max_wilds_per_meld else []
    for suit in SUITS:
        slots = _slots(rules, held, suit)
        own_two = f"2{suit}"
        clean.extend([tuple(span.values()) for span in _spans(slots, joined=False)])
        if not wilds:
            continue
        for span in _spans(slots, joined=True):
            for shown in wilds:
                copies = held[shown]
                wild = copies[0] if shown != own_two or 2 not in span else (copies[1:] or (None,))[0]
                if wild is not None:
                    dirty.append((*span.values(), wild))
        if own_two in wilds and 2 in slots:
            without = {slot: card for slot, card in slots.items() if slot != 2}
            dirty.extend([(*span.values(), held[own_two][0]) for span in _spans(without, joined=True)])
    if rules.sets:
        _add_sets(rules, held, wilds, clean, dirty)
    if rules.wild_melds:
        dirty.append(tuple([card for shown in WILD_FACES[:-1] for card in held.get(shown, ())]))
        dirty.append(tuple(held.get(JOKER, ())))
    clean.sort(key=len, reverse=True)
    dirty.sort(key=len, reverse=True)
    return list({frozenset(cards): cards for cards in (*clean, *dirty) if len(cards) >= 3}.values())


def _add_sets(
    rules: RuleSet,
    held: Held,
    wilds: Sequence[str],
    clean: list[tuple[str, ...]],
    dirty: list[tuple[str, ...]],
) -> None:
    for rank in RANKS:
        if rank == "2" or (rank == "3" and rules.special_threes):
            continue
        cards = tuple([card for suit in SUITS for card in held.get(rank + suit, ())])
        if len(cards) >= 3:
            clean.append(cards)
        if len(cards) >= 2 and rules.wild_in_sets:
            dirty.extend([(*cards, held[shown][0]) for shown in wilds])


def _slots(rules: RuleSet, held: Held, suit: str) -> dict[int, str]:
    """The cards of a suit by slot, each natural; a lone ace stands at both ends."""
    slots: dict[int, str] = {}
    aces = held.get(f"A{suit}", ())
    if aces and not rules.special_threes:
        slots[ACE_LOW] = aces[0]
    lowest = 4 if rules.special_threes else 3 if rules.natural_two == "never" else 2
    for rank in range(lowest, 14):
        cards = held.get(RANKS[rank - 1] + suit, ())
        if cards:
            slots[rank] = cards[0]
    if rules.natural_two == "between_ace_and_three" and not (ACE_LOW in slots and 3 in slots):
        slots.pop(2, None)
    if aces:
        slots[ACE_HIGH] = aces[-1]
    return slots


def _spans(slots: Mapping[int, str], *, joined: bool) -> Iterator[dict[int, str]]:
    """The longest runs of consecutive slots; `joined` ones leave room for one wild: across a gap, or at an end."""
    runs: list[dict[int, str]] = []
    last = -1
    for slot, card in slots.items():
        if slot != last + 1:
            runs.append({})
        runs[-1][slot] = card
        last = slot
    spans = list(runs)
    if joined:
        spans = [{**low, **high} for low, high in pairwise(runs) if max(low) + 2 == min(high)]
        crossed = {slot for span in spans for slot in span}
        spans += [run for run in runs if not crossed.issuperset(run)]
    for span in spans:
        if len(span) < 2:
            continue
        if ACE_LOW in span and ACE_HIGH in span and span[ACE_LOW] == span[ACE_HIGH]:
            yield {slot: card for slot, card in span.items() if slot != ACE_HIGH}
            yield {slot: card for slot, card in span.items() if slot != ACE_LOW}
        else:
            yield span


def extending_run(rules: RuleSet, shape: Shape, held: Held) -> tuple[str, ...]:
    """The naturals of a hand that prolong a meld at once: all of a set's rank, all that follow upon a run's ends."""
    if shape.kind == "set":
        rank = RANKS[shape.low - 1]
        return tuple([card for suit in SUITS for card in held.get(rank + suit, ())])
    if shape.kind == "wilds":
        return ()
    slots = _slots(rules, held, SUITS[suit_of(shape)])
    low, high = _extent(shape)
    found: list[str] = []
    for ends in (range(high + 1, ACE_HIGH + 1), range(low - 1, 0, -1)):
        for slot in ends:
            card = slots.get(slot)
            if card is None or card in found:
                break
            found.append(card)
    return tuple(found)


def _extent(shape: Shape) -> tuple[int, int]:
    """The lowest and the highest slot that a natural of a run fills."""
    filled = [shape.low + place for place, card in enumerate(shape.cards) if card not in shape.wilds]
    return filled[0], filled[-1]


def slots_to_fill(rules: RuleSet, shape: Shape, top: str, held: Held) -> Iterator[tuple[str, ...]]:
    """Cards of a hand that fill the slots between a run and a card that does not touch it, a wild among them at most."""
    suit = SUITS[suit_of(shape)] if shape.kind == "run" else ""
    if top[1] != suit:
        return
    slots = _slots(rules, held, suit)
    low, high = _extent(shape)
    rank = RANKS.index(top[0]) + 1
    for place in (ACE_LOW, ACE_HIGH) if rank == 1 else (rank,):
        between = range(high + 1, place) if place > high else range(place + 1, low)
        cards = tuple([slots[slot] for slot in between if slot in slots])
        lacking = len(between) - len(cards)
        if cards and lacking <= 1:
            yield cards
        if lacking == 1:
            for shown in WILD_FACES:
                if shown in held and held[shown][-1] not in cards:
                    yield (*cards, held[shown][-1])
