"""What happened in a match of Sueca. These structs are the storage format: fields are never renamed or removed."""

from __future__ import annotations

from typing import final

import msgspec


class HandDealt(msgspec.Struct, frozen=True, gc=False):
    """A hand was dealt: ten cards a seat in dealt order; `trump_card` is the dealer's last one (S-01, S-02)."""

    hand: int
    dealer: int
    leader: int
    trump_card: str
    cards: tuple[tuple[str, ...], ...]


@final
class CardPlayed(msgspec.Struct, frozen=True, gc=False):
    """A seat played a card. `next_seat` is who plays next, None when this card completes the trick."""

    hand: int
    trick: int
    seat: int
    card: str
    next_seat: int | None


@final
class TrickEnded(msgspec.Struct, frozen=True, gc=False):
    """A seat won a trick with the points of its cards, and leads the next one if there is one."""

    hand: int
    trick: int
    winner_seat: int
    points: int


class HandEnded(msgspec.Struct, frozen=True, gc=False):
    """A hand is over: the points of both sides' cards, the side that scores (None: 60-60) and its game points, the score
    after it (capped, S-07) and what the next decided hand is worth on top (S-05). A bandeira is all ten tricks (S-04).
    """

    hand: int
    card_points: tuple[int, int]
    winner_side: int | None
    points: int
    is_bandeira: bool
    score: tuple[int, int]
    carry: int


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """A side has won."""

    winner_side: int
    score: tuple[int, int]


SuecaEvent = HandDealt | CardPlayed | TrickEnded | HandEnded | MatchEnded

EVENT_TYPES: dict[str, type[SuecaEvent]] = {
    "sueca.hand_dealt": HandDealt,
    "sueca.card_played": CardPlayed,
    "sueca.trick_ended": TrickEnded,
    "sueca.hand_ended": HandEnded,
    "sueca.match_ended": MatchEnded,
}
"""The registered names of the event types, as stored."""
