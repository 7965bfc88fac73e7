"""Which melds the cards of a hand may make: the candidates that are judged, longest first, the clean ones before the others.

A meld is named once, as long as it can be with at most one wild: who wants a shorter one knows what to leave out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from libs.rules.buraco.cards import JOKERS, PACKS, RANK, RANKS, SUITS
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
        suit = SUITS[suit_of(shape)]
        own = [RANKS[rank - 1] + suit for rank in _ranks_in_reach(shape)]
        # A wild that is never at home in this run may be added if any other such wild may.
        wilds = [shown for shown in WILD_FACES if shown != f"2{suit}" and _another(shown, shape)]
        fitting = wilds if wilds and _fits(rules, shape, wilds[0]) else []
        return frozenset([*fitting, *[shown for shown in own if _fits(rules, shape, shown)]])
    own = [RANKS[shape.low - 1] + suit for suit in SUITS if shape.low]
    return frozenset([shown for shown in {*own, *WILD_FACES} if _fits(rules, shape, shown)])


def _fits(rules: RuleSet, shape: Shape, shown: str) -> bool:
    card = _another(shown, shape)
    return card is not None and enlarged(rules, shape, (card,)) is not None


def _ranks_in_reach(shape: Shape) -> list[int]:
    """The ranks that one card more could bring into a run: no slot of a run is further from another than it is long.

    Aces and 2s have more than one place, so that nothing is concluded from where they are.
    """
    fixed = [RANK[card] for card in shape.cards if RANK[card] > 2]
    if not fixed:
        return list(range(1, 14))
    lowest, highest = max(fixed) - len(shape.cards), min(fixed) + len(shape.cards)
    ranks = [rank for rank in range(max(3, lowest), min(13, highest) + 1) if rank not in fixed]
    return [1, 2, *ranks] if lowest <= ACE_LOW or highest >= ACE_HIGH else [2, *ranks]


def _another(shown: str, shape: Shape) -> str | None:
    """A card of this face that is not in the meld."""
    copies = JOKERS if shown == JOKER else [shown + letter for letter in PACKS]
    return next((card for card in copies if card not in shape.cards), None)


def new_melds(rules: RuleSet, held: Held) -> list[tuple[str, ...]]:
    """The cards of each candidate, in no order within it; not every one is legal."""
    clean: list[tuple[str, ...]] = []
    dirty: list[tuple[str, ...]] = []
    wilds = [shown for shown in WILD_FACES if shown in held] if rules.max_wilds_per_meld else []
    first_wilds = tuple([held[shown][0] for shown in wilds])
    for of_suit in _by_suit(held).values():
        if len(of_suit) >= 2:
            runs = _runs(rules, of_suit, first_wilds)
            clean.extend(runs[0])
            dirty.extend(runs[1])
    if rules.sets:
        _add_sets(rules, held, wilds, clean, dirty)
    if rules.wild_melds:
        dirty.append(tuple([card for shown in WILD_FACES[:-1] for card in held.get(shown, ())]))
        dirty.append(tuple(held.get(JOKER, ())))
    clean.sort(key=len, reverse=True)
    dirty.sort(key=len, reverse=True)
    return list({frozenset(cards): cards for cards in (*clean, *dirty) if len(cards) >= 3}.values())


def _by_suit(held: Held) -> dict[str, tuple[str, ...]]:
    """The cards of a hand by suit, without the jokers."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(SUITS, ())
    for shown, cards in held.items():
        if shown != JOKER:
            found[shown[1]] += tuple(cards)
    return found


@lru_cache(maxsize=4096)
def _runs(
    rules: RuleSet, of_suit: tuple[str, ...], wilds: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """The candidates among a suit's cards, clean and with one of these wilds, the first of each face."""
    slots = _slots(rules, of_suit)
    runs = _consecutive(slots)
    clean = tuple([tuple(span.values()) for span in _spans(runs)])
    dirty: list[tuple[str, ...]] = []
    if not wilds:
        return clean, ()
    twos = [card for card in of_suit if card[0] == "2"]
    for span in _spans(_joined(runs)):
        for first in wilds:
            wild = (twos[1:] or (None,))[0] if first in twos and 2 in span else first
            if wild is not None:
                dirty.append((*span.values(), wild))
    if twos and 2 in slots:
        without = {slot: card for slot, card in slots.items() if slot != 2}
        dirty.extend([(*span.values(), twos[0]) for span in _spans(_joined(_consecutive(without)))])
    return clean, tuple(dirty)


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


def _slots(rules: RuleSet, of_suit: tuple[str, ...]) -> dict[int, str]:
    """The cards of a suit by slot, each natural; a lone ace stands at both ends."""
    slots: dict[int, str] = {}
    firsts: dict[int, str] = {}
    for card in of_suit:
        firsts.setdefault(RANK[card], card)
    aces = [card for card in of_suit if card[0] == "A"]
    if aces and not rules.special_threes:
        slots[ACE_LOW] = aces[0]
    lowest = 4 if rules.special_threes else 3 if rules.natural_two == "never" else 2
    slots.update([(rank, firsts[rank]) for rank in sorted(firsts) if rank >= lowest])
    if rules.natural_two == "between_ace_and_three" and not (ACE_LOW in slots and 3 in slots):
        slots.pop(2, None)
    if aces:
        slots[ACE_HIGH] = aces[-1]
    return slots


def _consecutive(slots: Mapping[int, str]) -> list[dict[int, str]]:
    """The longest runs of consecutive slots."""
    runs: list[dict[int, str]] = []
    last = -1
    for slot, card in slots.items():
        if slot != last + 1:
            runs.append({})
        runs[-1][slot] = card
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
            yield {slot: card for slot, card in span.items() if slot != ACE_HIGH}
            yield {slot: card for slot, card in span.items() if slot != ACE_LOW}
        else:
            yield span


def extending_run(rules: RuleSet, shape: Shape, held: Held) -> tuple[str, ...]:
    """The naturals of a hand that prolong a meld at once: all of a set's rank, all that follow upon a run's ends."""
    if shape.kind == "set":
        rank = RANKS[shape.low - 1]
        return tuple([card for suit in SUITS for card in held.get(rank + suit, ())])
    found: list[str] = []
    above, below = _beyond(rules, shape)
    for place, shown in enumerate(above, ACE_HIGH + 1 - len(above)):
        if shown not in held:
            break
        found.append(held[shown][-1 if place == ACE_HIGH else 0])
    for shown in below:
        if shown not in held or held[shown][0] in found:
            break
        if shown[0] == "2" and not _two_is_home(rules, shown[1], held):
            break
        found.append(held[shown][0])
    return tuple(found)


@lru_cache(maxsize=8192)
def _beyond(rules: RuleSet, shape: Shape) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The faces of the slots above a run's naturals, and below them, the nearest first."""
    if shape.kind != "run":
        return (), ()
    suit = SUITS[suit_of(shape)]
    low, high = _extent(shape)
    lowest = 4 if rules.special_threes else 3 if rules.natural_two == "never" else ACE_LOW
    above = [RANKS[(slot - 1) % 13] + suit for slot in range(high + 1, ACE_HIGH + 1)]
    return tuple(above), tuple([RANKS[slot - 1] + suit for slot in range(low - 1, lowest - 1, -1)])


def _two_is_home(rules: RuleSet, suit: str, held: Held) -> bool:
    return rules.natural_two != "between_ace_and_three" or (f"A{suit}" in held and f"3{suit}" in held)


def _extent(shape: Shape) -> tuple[int, int]:
    """The lowest and the highest slot that a natural of a run fills."""
    filled = [shape.low + place for place, card in enumerate(shape.cards) if card not in shape.wilds]
    return filled[0], filled[-1]


def slots_to_fill(rules: RuleSet, shape: Shape, top: str, held: Held) -> Iterator[tuple[str, ...]]:
    """Cards of a hand that fill the slots between a run and a card that does not touch it, a wild among them at most."""
    suit = SUITS[suit_of(shape)] if shape.kind == "run" else ""
    if top[1] != suit:
        return
    slots = _slots(rules, _by_suit(held)[suit])
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
