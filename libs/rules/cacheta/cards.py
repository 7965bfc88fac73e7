"""The pack of Cacheta and its wilds (C-01): the two packs of the Buraco family without jokers.

A code is rank, suit and pack, as `libs.rules.buraco.cards` has it. A *face* is a card without its pack, such as `9P`.

>>> wild_faces("8Pa"), wild_faces("KOb"), wild_faces("AEa")
(('9P', '9E'), ('AC', 'AO'), ('2P', '2E'))
"""

from __future__ import annotations

from collections.abc import Mapping

from libs.rules.buraco.cards import NATURALS, RANK, RANKS, SUIT, SUITS, face

PACK = NATURALS
"""The 104 cards in the order in which they are shuffled: pack by pack, suit by suit (P C E O), from ace to king."""

CARDS = frozenset(PACK)
"""The same, to ask whether a text is a card at all."""

SAME_COLOUR: Mapping[str, tuple[str, str]] = {
    "P": ("P", "E"),
    "E": ("P", "E"),
    "C": ("C", "O"),
    "O": ("C", "O"),
}
"""The two suits of a suit's colour: black, or red."""

FACE: Mapping[str, int] = {card: SUIT[card] * len(RANKS) + RANK[card] - 1 for card in PACK}
"""The number of a card's face: suits in the order of SUITS, in each from ace (0) to king (12)."""

FACES = len(SUITS) * len(RANKS)


def wild_faces(vira: str) -> tuple[str, str]:
    """The wilds' faces: the rank after the vira's in both suits of its colour; after a king the ace (C-01)."""
    rank = RANKS[RANK[vira] % len(RANKS)]
    first, second = SAME_COLOUR[vira[1]]
    return rank + first, rank + second


WILDS: Mapping[str, frozenset[str]] = {
    vira: frozenset(card for card in PACK if face(card) in wild_faces(vira)) for vira in PACK
}
"""The four wild cards, by the vira."""
