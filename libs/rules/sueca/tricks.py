"""What may be played to a trick, and who wins it (S-03)."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.sueca.cards import BITS, PACK, SUIT_MASKS


def legal_cards(held: int, led: str | None) -> int:
    """The cards of a hand, both as masks, that may follow the led card (None: the seat leads).

    Suit must be followed by who can; who cannot plays any card, with no duty to trump or to overtake (S-03).
    """
    if led is None:
        return held
    return held & SUIT_MASKS[led] or held


def trick_winner(cards: Sequence[str], trump: str) -> int:
    """Which of the cards, in the order of play, wins: the highest of the trump's suit, else of the suit that was led.

    >>> trick_winner(["KC", "7C", "2E", "JC"], trump="4O"), trick_winner(["KC", "7C", "2E", "JC"], trump="4E")
    (1, 2)
    """
    played = sum(map(BITS.__getitem__, cards))
    able = played & SUIT_MASKS[trump] or played & SUIT_MASKS[cards[0]]
    return cards.index(PACK[able.bit_length() - 1])
