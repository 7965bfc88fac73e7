"""The two packs of Mau Mau, and which cards may follow which (M-01, M-03, M-04).

A card is its rank and its suit: ranks `A 2 … 10 J Q K`, suits `P` paus, `C` copas, `E` espadas, `O` ouros; `10C` is the ten
of copas. Twins are alike in everything, so no card says which pack it is from. Tables are computed once, here.

>>> len(PACK), RANK["10C"], SUIT["10C"]
(104, '10', 'C')
>>> "JP" in FOLLOWS["C"]["8C"], "JP" in FOLLOWS["C"]["7C"], "8P" in FOLLOWS["E"]["JC"]
(True, False, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Suit = Literal["P", "C", "E", "O"]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: tuple[Suit, ...] = ("P", "C", "E", "O")

FACES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards of one pack: AP 2P … KP, AC … KC, AE … KE, AO … KO."""

PACK: tuple[str, ...] = FACES * 2
"""All 104 cards, in the order in which they are shuffled: one pack after the other."""

RANK: Mapping[str, str] = {rank + suit: rank for suit in SUITS for rank in RANKS}
"""The rank of each card."""

SUIT: Mapping[str, Suit] = {rank + suit: suit for suit in SUITS for rank in RANKS}
"""The suit of each card."""


def _follows(suit: Suit, top: str, card: str) -> bool:
    """Whether a card may follow another, on which this suit counts, when no penalty is pending (M-01, M-03)."""
    if SUIT[card] == suit:
        return True
    if RANK[card] == "J":
        return RANK[top] != "7"
    # On a Jack only the named suit and Jacks count.
    return RANK[card] == RANK[top]


FOLLOWS: Mapping[str, Mapping[str, frozenset[str]]] = {
    suit: {top: frozenset(card for card in FACES if _follows(suit, top, card)) for top in FACES}
    for suit in SUITS
}
"""What may be played, by the suit that counts and the card on top. Only on a Jack may the suit be another than the card's own."""

SEVENS: frozenset[str] = frozenset(card for card in FACES if RANK[card] == "7")
"""What may be played while a penalty is pending (M-04)."""

JACKS: frozenset[str] = frozenset(card for card in FACES if RANK[card] == "J")
"""The cards that name a suit (M-03)."""
