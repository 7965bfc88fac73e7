"""The pack of the Buraco family (B-01): physical cards, since a twin is another card (B-33).

A code is rank, suit and pack: ranks `A 2 … 9 T J Q K`, suits `P` paus, `C` copas, `E` espadas, `O` ouros, packs `a` and
`b`; `7Eb` is the seven of espadas of the second pack. The jokers are `JKa` to `JKd`. Tables are computed once, here.

>>> len(pack(0)), len(pack(4)), face("TCb"), RANK["TCb"], IS_WILD["2Pa"]
(104, 108, 'TC', 10, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

RANKS = "A23456789TJQK"
SUITS = "PCEO"
PACKS = "ab"
ANY_COPY = "abcd"
JOKERS: tuple[str, ...] = tuple(f"JK{letter}" for letter in ANY_COPY)

NATURALS: tuple[str, ...] = tuple(
    rank + suit + letter for letter in PACKS for suit in SUITS for rank in RANKS
)

JOKER_RANK = 0

RANK: Mapping[str, int] = {
    **{card: RANKS.index(card[0]) + 1 for card in NATURALS},
    **dict.fromkeys(JOKERS, JOKER_RANK),
}
"""1 for an ace to 13 for a king; 0 for a joker."""

SUIT: Mapping[str, int] = {
    **{card: SUITS.index(card[1]) for card in NATURALS},
    **dict.fromkeys(JOKERS, -1),
}
"""The suit's place in `SUITS`; -1 for a joker."""

IS_WILD: Mapping[str, bool] = {card: rank in (JOKER_RANK, 2) for card, rank in RANK.items()}
"""Whether a card may stand for others: the 2s and the jokers."""

RED_THREES = frozenset(card for card in NATURALS if card[0] == "3" and card[1] in "CO")
BLACK_THREES = frozenset(card for card in NATURALS if card[0] == "3" and card[1] in "PE")

FACE: Mapping[str, str] = {card: card[:2] for card in (*NATURALS, *JOKERS)}
"""A card without its pack, in place of `face` where there are many."""

_TABLE_VALUES = {
    JOKER_RANK: 50,
    1: 15,
    2: 10,
    **dict.fromkeys(range(3, 8), 5),
    **dict.fromkeys(range(8, 14), 10),
}

TABLE_VALUE: Mapping[str, int] = {card: _TABLE_VALUES[rank] for card, rank in RANK.items()}
"""What a card is worth by the table of the sources (B-49)."""


def face(card: str) -> str:
    """A card without its pack: what it is equal to for melds."""
    return card[:2]


@cache
def pack(jokers: int) -> tuple[str, ...]:
    """The cards in the order in which they are shuffled: both packs by suit (P C E O) and rank, then the jokers."""
    return (*NATURALS, *JOKERS[:jokers])
