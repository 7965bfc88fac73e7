"""What can be asked and answered in a hand: its moves and its moments, made once and the same in every match.

They are what legal moves are listed from and clocks are named with, so that a card makes none of them anew.
"""

from __future__ import annotations

from functools import lru_cache

from libs.rules.game import Awaited, LegalMove, Seat
from libs.rules.sueca.cards import PACK
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.rules.sueca.scoring import TRICKS

Listed = LegalMove[SuecaMove]

Moves = tuple[tuple[Listed, ...], ...]
"""The moves of a hand, by trick and by the card's place in the pack."""

Moments = tuple[tuple[tuple[Awaited, ...], ...], ...]
"""Who may be awaited in a hand: by trick, by how many cards lie there, and by seat."""

_COUNTED = range(TRICKS + 2)
"""Tricks are counted from 1, and one more is begun when the last one has ended."""
_SEATS = range(4)
_HANDS_KEPT = 64


@lru_cache(maxsize=_HANDS_KEPT)
def moves_of(hand: int) -> Moves:
    """All moves of a hand; hands are counted from 1."""
    return tuple([tuple([LegalMove(PlayCard(hand, trick, card)) for card in PACK]) for trick in _COUNTED])


@lru_cache(maxsize=_HANDS_KEPT)
def moments_of(hand: int, seconds: int) -> Moments:
    """All moments of a hand in which a card has so many seconds."""
    return tuple([tuple([_at(f"{hand}.{trick}.{lying}", seconds) for lying in _SEATS]) for trick in _COUNTED])


def _at(moment: str, seconds: int) -> tuple[Awaited, ...]:
    return tuple([Awaited(moment, (Seat(seat),), seconds) for seat in _SEATS])
