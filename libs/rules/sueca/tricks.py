"""What may be played to a trick, and who wins it (S-03)."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.sueca.cards import STRENGTHS, SUIT_MASKS


def legal_cards(held: int, led: str | None) -> int:
    """The cards of a hand, both as masks, that may follow the led card (None: the seat leads).

    Suit must be followed by who can; who cannot plays any card, with no duty to trump or to overtake (S-03).
    """
    if led is None:
        return held
    return held & SUIT_MASKS[led] or held


def trick_winner(cards: Sequence[str], trump: str) -> int:
    """Which of the cards, in the order of play, wins: the highest trump, else the highest of the suit that was led.

    >>> trick_winner(["KC", "7C", "2E", "JC"], trump="O"), trick_winner(["KC", "7C", "2E", "JC"], trump="E")
    (1, 2)
    """
    best, suit, winner = STRENGTHS[cards[0]], cards[0][1], 0
    for place in range(1, len(cards)):
        card = cards[place]
        if card[1] == suit:
            if STRENGTHS[card] > best:
                best, winner = STRENGTHS[card], place
        elif card[1] == trump:
            best, suit, winner = STRENGTHS[card], trump, place
    return winner
