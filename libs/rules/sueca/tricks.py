"""What may be played to a trick, who wins it and what it is worth (S-03)."""

from __future__ import annotations

from libs.rules.sueca.cards import PACK, SUIT_MASKS, TALLIES, TALLY_POINTS


def legal_cards(held: int, asked: int) -> int:
    """The cards of a hand that may be played where these cards are asked for, all as masks.

    A trick asks for the suit that was led, and for any card before. Suit must be followed by who can; who cannot plays
    any card, with no duty to trump or to overtake (S-03).
    """
    return held & asked or held


def trick_outcome(cards: tuple[str, ...], trump: str) -> tuple[int, int]:
    """Which of the four cards, in the order of play, wins, and the points of all four.

    The highest of the trump's suit wins, else the highest of the suit that was led.

    >>> trick_outcome(("KC", "7C", "2E", "JC"), trump="4O"), trick_outcome(("KC", "7C", "2E", "JC"), trump="4E")
    ((1, 17), (2, 17))
    """
    first, second, third, fourth = cards
    tally = TALLIES[first] + TALLIES[second] + TALLIES[third] + TALLIES[fourth]
    able = tally & SUIT_MASKS[trump] or tally & SUIT_MASKS[first]
    return cards.index(PACK[able.bit_length() - 1]), tally >> TALLY_POINTS
