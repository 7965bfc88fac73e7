"""What a meld on the table takes in: the faces that may be added to it, and which cards of a hand prolong it at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_

import msgspec

from libs.rules.buraco.candidates import slots_of
from libs.rules.buraco.cards import ANY_COPY, FACE, JOKERS, PACKS, RANK, RANKS, SUIT, SUITS
from libs.rules.buraco.held import FACE_BIT, JOKER, RANK_BITS, SUIT_BITS, WILD_FACES, Held
from libs.rules.buraco.laying import suit_of
from libs.rules.buraco.melds import (
    ACE_HIGH,
    ACE_LOW,
    LONGEST_RUN,
    LONGEST_SET,
    Shape,
    ace_slot,
    judged_anew,
    longest_run,
)
from libs.rules.buraco.rule_set import RuleSet

_COPIES: Mapping[str, tuple[str, ...]] = {
    **{rank + suit: tuple([rank + suit + letter for letter in PACKS]) for rank in RANKS for suit in SUITS},
    JOKER: JOKERS,
}
_BY_SLOT = tuple([("", *[rank + suit for rank in f"{RANKS}A"]) for suit in SUITS])
"""By suit, the face of each slot."""
_BITS_BY_SLOT = tuple([(0, *[FACE_BIT[shown] for shown in faces[1:]]) for faces in _BY_SLOT])


class Reach(msgspec.Struct, frozen=True, gc=False):
    """What a meld takes in: faces as bits (see `held`), which may be of any pack.

    `adds` may be added, each alone; `nearest` are the naturals that prolong it, `later` those that come after them; `touches`
    are all that are added or nearest. Of naturals that prolong it at once there is `room` for so many whatever they are; more
    may have to be judged. `above` and `below` are the faces of the slots beyond a run's naturals, the nearest first.
    """

    adds: int
    nearest: int
    later: int
    touches: int
    room: int
    above: tuple[int, ...] = ()
    below: tuple[int, ...] = ()


@lru_cache(maxsize=8192)
def reach(rules: RuleSet, shape: Shape) -> Reach:
    """What this meld takes in."""
    if shape.kind == "run" and len(shape.wilds) <= 1:
        if not shape.wilds:
            return _run_reach(rules, suit_of(shape), shape.low, len(shape.cards))
        wild = shape.wilds[0]
        wild_face = FACE[wild]
        place = shape.cards.index(wild)
        return _run_reach(
            rules, suit_of(shape), shape.low, len(shape.cards), wild_face, place, is_bound=bool(shape.bound)
        )
    alike, suits = _alike(shape)
    adds = _renamed(_faces(rules, alike), suits)
    if shape.kind == "run":
        return _reach_of_run(rules, shape, suit_of(shape), adds)
    nearest = _bits([RANKS[shape.low - 1] + suit for suit in SUITS]) if shape.kind == "set" else 0
    return Reach(adds, nearest, 0, adds | nearest, LONGEST_SET)


@lru_cache(maxsize=8192)
def _run_reach(
    rules: RuleSet,
    suit: int,
    low: int,
    length: int,
    wild: str = "",
    place: int = 0,
    *,
    is_bound: bool = False,
) -> Reach:
    """What a run of a suit takes in that holds this wild at most: which copies of its cards it holds makes no difference."""
    own = SUITS[suit]
    swapped = {**_SAME_SUITS, SUITS[0]: own, own: SUITS[0]}
    cards = [shown + PACKS[0] for shown in _BY_SLOT[0][low : low + length]]
    if length == LONGEST_RUN:
        cards[-1] = cards[-1][:2] + PACKS[1]
    wilds: tuple[str, ...] = ()
    if wild:
        shown = wild if wild == JOKER else wild[0] + swapped[wild[1]]
        wilds = (shown + PACKS[shown + PACKS[0] in cards],)
        cards[place] = wilds[0]
    alike = Shape("run", tuple(cards), low, wilds, wilds if is_bound else ())
    return _reach_of_run(rules, alike, suit, _renamed(_faces(rules, alike), swapped))


def _reach_of_run(rules: RuleSet, shape: Shape, suit: int, adds: int) -> Reach:
    above, below = _beyond(rules, shape, suit)
    nearest = reduce(or_, (*above[:1], *below[:1]), 0)
    later = reduce(or_, (*above[1:2], *below[1:2]), 0)
    return Reach(adds, nearest, later, adds | nearest, _room(rules, shape), above, below)


_SAME_SUITS = {suit: suit for suit in SUITS}


def _renamed(faces: Iterable[str], suits: Mapping[str, str]) -> int:
    return _bits([shown if shown == JOKER else shown[0] + suits[shown[1]] for shown in faces])


def _bits(faces: Iterable[str]) -> int:
    return reduce(or_, [FACE_BIT[shown] for shown in faces], 0)


def _room(rules: RuleSet, shape: Shape) -> int:
    """How many naturals beyond a run's ends leave its gaps as they are, and room for its wilds."""
    if shape.wilds and not rules.natural_two_plus_wild:
        return 0
    return longest_run(rules) - len(shape.cards)


def _alike(shape: Shape) -> tuple[Shape, Mapping[str, str]]:
    """A meld that takes in the same cards but for the suits, and the suits that stand for its own.

    Suits are named as they come in `SUITS`, copies as they come in a pack: there are few such melds.
    """
    renamed: dict[str, str] = {}
    suits: dict[str, str] = {}
    taken: dict[str, int] = {}
    for card in shape.cards:
        shown = FACE[card]
        if shown != JOKER:
            suit = suits.get(shown[1])
            if suit is None:
                suit = suits[shown[1]] = SUITS[len(suits)]
            shown = shown[0] + suit
        copy = taken.get(shown, 0)
        taken[shown] = copy + 1
        renamed[card] = shown + ANY_COPY[copy]
    for suit in SUITS:
        if suit not in suits:
            suits[suit] = SUITS[len(suits)]
    alike = Shape(
        shape.kind,
        tuple(renamed.values()),
        shape.low,
        tuple([renamed[card] for card in shape.wilds]),
        tuple([renamed[card] for card in shape.bound]),
    )
    return alike, {there: here for here, there in suits.items()}


@lru_cache(maxsize=4096)
def _faces(rules: RuleSet, shape: Shape) -> tuple[str, ...]:
    """The faces of which one card may be added."""
    if shape.kind == "run":
        suit = SUITS[suit_of(shape)]
        own = [RANKS[rank - 1] + suit for rank in _ranks_in_reach(shape)]
        # A wild that is never at home in this run may be added if any other such wild may.
        wilds = [shown for shown in WILD_FACES if shown != f"2{suit}" and _another(shown, shape)]
        fitting = wilds if wilds and _fits(rules, shape, wilds[0]) else []
        return (*fitting, *[shown for shown in own if _fits(rules, shape, shown)])
    own = [RANKS[shape.low - 1] + suit for suit in SUITS if shape.low]
    return tuple([shown for shown in {*own, *WILD_FACES} if _fits(rules, shape, shown)])


def _fits(rules: RuleSet, shape: Shape, shown: str) -> bool:
    card = _another(shown, shape)
    if card is None:
        return False
    found = judged_anew(rules, (*shape.cards, card), shape.bound, ace_slot(shape))
    return found is not None and found.kind == shape.kind


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
    return next((card for card in _COPIES[shown] if card not in shape.cards), None)


def _beyond(rules: RuleSet, shape: Shape, suit: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The faces of the slots above a run's naturals, and below them, the nearest first."""
    faces = _BITS_BY_SLOT[suit]
    low, high = _extent(shape)
    lowest = 4 if rules.special_threes else 3 if rules.natural_two == "never" else ACE_LOW
    return faces[high + 1 :], faces[lowest:low][::-1]


def _extent(shape: Shape) -> tuple[int, int]:
    """The lowest and the highest slot that a natural of a run fills."""
    filled = [shape.low + place for place, card in enumerate(shape.cards) if card not in shape.wilds]
    return filled[0], filled[-1]


def extending(rules: RuleSet, beyond: Reach, held: Held) -> tuple[str, ...]:
    """The naturals of a hand that prolong a meld at once: all of a set's rank, all that follow upon a run's ends."""
    if not beyond.above and not beyond.below:
        return tuple(
            sorted(
                [card for card in held.cards if FACE_BIT[FACE[card]] & beyond.nearest], key=SUIT.__getitem__
            )
        )
    found: list[str] = []
    shown = held.shown
    for place, bit in enumerate(beyond.above, ACE_HIGH + 1 - len(beyond.above)):
        if not bit & shown:
            break
        card = held.first(bit)
        found.append(held.names.get(f"+{FACE[card]}", card) if place == ACE_HIGH else card)
    for bit in beyond.below:
        if not bit & shown:
            break
        card = held.first(bit)
        if card in found or (card[0] == "2" and not _two_is_home(rules, card[1], held)):
            break
        found.append(card)
    return tuple(found)


def _two_is_home(rules: RuleSet, suit: str, held: Held) -> bool:
    if rules.natural_two != "between_ace_and_three":
        return True
    return f"A{suit}" in held.names and f"3{suit}" in held.names


def slots_to_fill(rules: RuleSet, shape: Shape, top: str, held: Held) -> Iterator[tuple[str, ...]]:
    """Cards of a hand that fill the slots between a run and a card that does not touch it.

    What the hand lacks of them is a wild of the hand, or of the run, whose places in it cards of the hand take.
    """
    if shape.kind != "run" or top[1] != SUITS[suit_of(shape)]:
        return
    suit, place_of_suit = top[1], SUIT_BITS * SUIT[top]
    slots, ladder = slots_of(rules, held.faces >> place_of_suit & RANK_BITS, held.twins >> place_of_suit)
    low, high = _extent(shape)
    gaps = [
        slot
        for slot in range(low + 1, high)
        if slots >> slot & 1 and shape.cards[slot - shape.low] in shape.wilds
    ]
    rank = RANKS.index(top[0]) + 1
    for place in (ACE_LOW, ACE_HIGH) if rank == 1 else (rank,):
        between = range(high + 1, place) if place > high else range(place + 1, low)
        cards = tuple([held.names[ladder[slot] + suit] for slot in between if slots >> slot & 1])
        lacking = len(between) - len(cards)
        if cards and lacking <= 1:
            yield cards
        if lacking == 1:
            for shown in held.wilds:
                wild = held.last(shown)
                if wild not in cards:
                    yield (*cards, wild)
        if 1 <= lacking <= len(gaps):
            for freed in combinations(gaps, lacking):
                yield (*cards, *[held.names[ladder[slot] + suit] for slot in freed])
