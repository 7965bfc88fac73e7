"""What may be played to a trick, and who wins it (S-03)."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.sueca.cards import SUIT_MASKS


def legal_cards(hand: int, led: int | None) -> int:
    """The cards of a hand, both as masks, that may follow the led card (None: the seat leads).

    Suit must be followed by who can; who cannot plays any card, with no duty to trump or to overtake (S-03).
    """
    if led is None:
        return hand
    return hand & SUIT_MASKS[led // 10] or hand


def trick_winner(cards: Sequence[int], trump: int) -> int:
    """Which of the cards, in the order of play, wins: the highest trump, else the highest of the suit that was led."""
    best, winner = cards[0], 0
    for place in range(1, len(cards)):
        card = cards[place]
        suit, best_suit = card // 10, best // 10
        if card > best if suit == best_suit else suit == trump:
            best, winner = card, place
    return winner
