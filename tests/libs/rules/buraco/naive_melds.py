"""What is a meld, worked out the long way from the rulings alone: every card is tried in every place.

Nothing of the engine is used but its rule set's values. Cards are (rank, suit) with ranks 1 to 13, 0 for a joker.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

RANKS = "A23456789TJQK"

Placed = tuple[frozenset[int], frozenset[int]]
"""A run as (the slots of cards that are themselves, the slots of wilds)."""


def readings(cards: Sequence[str], switches: Mapping[str, str]) -> tuple[set[Placed], bool | None]:
    """Every way in which the cards are a run, and whether they are a clean set (True), a dirty one (False), or none."""
    return set(_runs(cards, switches)), _set(cards, switches)


def is_wild_meld(cards: Sequence[str], switches: Mapping[str, str]) -> bool:
    """B-22: 2s alone or jokers alone, by switch."""
    kinds = {card[0] if card[0] in "2J" and (card[0] == "2" or card[:2] == "JK") else "?" for card in cards}
    return switches["wild_melds"] == "true" and len(cards) >= 3 and len(kinds) == 1 and kinds <= {"2", "J"}


def _is_wild(card: str) -> bool:
    return card[0] == "2" or card[:2] == "JK"


def _set(cards: Sequence[str], switches: Mapping[str, str]) -> bool | None:
    naturals = [card for card in cards if not _is_wild(card)]
    wilds = len(cards) - len(naturals)
    if switches["sets"] != "true" or len(cards) < 3 or not 2 <= len(naturals) <= 8:
        return None
    if len({card[0] for card in naturals}) != 1:
        return None
    if switches["special_threes"] == "true" and naturals[0][0] == "3":
        return None
    most = int(switches["max_wilds_per_meld"]) if switches["wild_in_sets"] == "true" else 0
    return wilds == 0 if wilds <= most else None


def _runs(cards: Sequence[str], switches: Mapping[str, str]) -> Iterator[Placed]:
    special = switches["special_threes"] == "true"
    slots = range(4, 15) if special else range(1, 15)
    if not 3 <= len(cards) <= len(slots):
        return
    for suit in "PCEO":
        roles = [list(_roles(card, suit, special, switches)) for card in cards]
        if not all(roles):
            continue
        for chosen in itertools.product(*roles):
            own = [slot for slot in chosen if slot]
            wilds = chosen.count(0)
            if len(own) != len(set(own)) or len(own) < 2 or wilds > int(switches["max_wilds_per_meld"]):
                continue
            natural_two = 2 in own
            if natural_two and wilds and switches["natural_two_plus_wild"] != "true":
                continue
            if natural_two and switches["natural_two"] == "between_ace_and_three" and not {1, 3} <= set(own):
                continue
            for low in slots:
                span = range(low, low + len(cards))
                if span[-1] <= slots[-1] and set(own) <= set(span):
                    yield frozenset(own), frozenset(span) - frozenset(own)


def _roles(card: str, suit: str, special: bool, switches: Mapping[str, str]) -> Iterator[int]:
    """The slots in which a card is itself, and 0 where it may be a wild."""
    if _is_wild(card):
        yield 0
        if card[:2] == f"2{suit}" and switches["natural_two"] != "never" and not special:
            yield 2
        return
    if card[1] != suit:
        return
    rank = RANKS.index(card[0]) + 1
    if rank == 3 and special:
        return
    if rank == 1:
        yield 14
        if not special:
            yield 1
        return
    yield rank


def points(cards: Sequence[str], switches: Mapping[str, str]) -> set[int]:
    """What the canastra of these cards may be worth: one number, or two where a lone ace may lie at either end (B-15)."""
    if len(cards) < 7:
        return {0}
    runs, as_set = readings(cards, switches)
    if as_set is not None and not any(runs):
        return {(200 if as_set else 100) if switches["set_canastra"] == "true" else 0}
    clean = {own | wild for own, wild in runs if not wild}
    big = set(clean)
    if switches["big_run_needs_clean"] != "true":
        big = {own | wild for own, wild in runs}
    found = set()
    for span in big:
        if len(span) == 14 and switches["run1000"] == "true":
            found.add(1000)
        elif len(span) == 13:
            wanted = {"ace_low": 1, "ace_high": 2, "none": 0}.get(switches["run500"], min(span))
            found.add(500 if min(span) == wanted else 200 if clean else 100)
    return found or {200 if clean else 100}


def worth(cards: Sequence[str], switches: Mapping[str, str]) -> int:
    """The cards' own points on the table (B-49, T-11)."""
    if switches["card_values"] == "all_ten":
        return 10 * len(cards)
    table = {"A": 15, "2": 10, **dict.fromkeys("34567", 5), **dict.fromkeys("89TJQK", 10)}
    return sum(50 if card[:2] == "JK" else table[card[0]] for card in cards)


def as_faces(cards: Sequence[str]) -> Counter[str]:
    return Counter(card[:2] for card in cards)
