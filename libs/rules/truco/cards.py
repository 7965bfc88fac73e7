"""The pack of Truco and the strength of its cards (R-01, R-02).

A card's code is its rank and its suit: ranks `4 5 6 7 Q J K A 2 3`, suits `P` paus, `C` copas, `E` espadas, `O` ouros;
`7C` is the seven of copas. Tables are computed once, here.

>>> MANILHA_RANK["7"], MANILHA_RANK["3"]
('Q', '4')
>>> STRENGTHS["4O"]["3P"] == STRENGTHS["4O"]["3O"] < STRENGTHS["4O"]["5O"] < STRENGTHS["4O"]["5P"]
True
"""

from __future__ import annotations

from collections.abc import Mapping

RANKS = "4567QJKA23"
"""From the weakest to the strongest."""

MANILHA_SUITS = "OECP"
"""Suits from the weakest manilha (ouros) to the strongest (paus, the zap)."""

PACK: tuple[str, ...] = tuple(rank + suit for suit in "PCEO" for rank in RANKS)
"""The 40 cards in the order in which they are shuffled: 4P 5P … 3P, 4C … 3C, 4E … 3E, 4O … 3O."""

MANILHA_RANK: Mapping[str, str] = {rank: RANKS[(place + 1) % len(RANKS)] for place, rank in enumerate(RANKS)}
"""The manilhas' rank by the vira's rank: the next one, and the four after the three (R-02)."""

COVERED_STRENGTH = 0
"""What a covered card is worth: less than any open one, whatever its face (R-21)."""


def _strengths(vira_rank: str) -> dict[str, int]:
    manilha = MANILHA_RANK[vira_rank]
    return {
        card: 11 + MANILHA_SUITS.index(card[1]) if card[0] == manilha else 1 + RANKS.index(card[0])
        for card in PACK
    }


_BY_RANK = {rank: _strengths(rank) for rank in RANKS}

STRENGTHS: Mapping[str, Mapping[str, int]] = {card: _BY_RANK[card[0]] for card in PACK}
"""The strength of every card, by the vira: 1 to 10 by rank alone, 11 to 14 for the manilhas by suit."""

FIRST_MANILHA_STRENGTH = 11
"""From this strength on a card is a manilha."""
