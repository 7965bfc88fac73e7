"""What happened in a match of Sueca, in card numbers (see `cards`). A storage format: fields are never renamed."""

from __future__ import annotations

import msgspec


class HandDealt(msgspec.Struct, frozen=True, gc=False):
    """A hand was dealt: ten cards a seat in dealt order; `trump_card` is the dealer's last one (S-01, S-02)."""

    hand: int
    dealer: int
    trump_card: int
    cards: tuple[tuple[int, ...], ...]


class CardPlayed(msgspec.Struct, frozen=True, gc=False):
    """A seat played a card; `next_seat` is None when it completes the trick."""

    hand: int
    trick: int
    seat: int
    card: int
    next_seat: int | None


class TrickEnded(msgspec.Struct, frozen=True, gc=False):
    """A seat won a trick with its card points, and leads the next one if there is one."""

    hand: int
    trick: int
    winner_seat: int
    points: int


class HandEnded(msgspec.Struct, frozen=True, gc=False):
    """A hand is over: the side that scores (None: 60-60), its game points, the score and the carry after it."""

    hand: int
    winner_side: int | None
    points: int
    score: tuple[int, int]
    carry: int


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """A side has won."""

    winner_side: int
    score: tuple[int, int]


SuecaEvent = HandDealt | CardPlayed | TrickEnded | HandEnded | MatchEnded
