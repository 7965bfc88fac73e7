"""What happened in a match of Dominó. These structs are the storage format: fields are never renamed or removed."""

from __future__ import annotations

from typing import Literal

import msgspec

from libs.rules.domino.moves import End

Ending = Literal["went_out", "blocked", "blocked_tied"]
"""How a round ends: somebody has no tile left (D-05), or none fits: fewer pips win (D-06), equal ones lose for who
placed the last tile (D-07)."""


class RoundDealt(msgspec.Struct, frozen=True, gc=False):
    """A round was dealt: seven tiles a seat, in dealt order. `starter` opens it, with `opening` if that is named (D-01)."""

    round: int
    starter: int
    opening: str | None
    tiles: tuple[tuple[str, ...], ...]


class TilePlayed(msgspec.Struct, frozen=True, gc=False):
    """A seat played a tile to an end (none for the first one); `ends` are the open numbers then, left and right.

    `next_seat` is to play, or passes; None when the round is over.
    """

    round: int
    turn: int
    seat: int
    tile: str
    end: End | None
    ends: tuple[int, int]
    next_seat: int | None


class SeatPassed(msgspec.Struct, frozen=True, gc=False):
    """A seat has nothing that fits before this turn, and passed at once (D-04). `next_seat` is to play, or passes."""

    round: int
    turn: int
    seat: int
    next_seat: int


class RoundEnded(msgspec.Struct, frozen=True, gc=False):
    """A round is over. `seat` placed the last tile, `pips` are what each seat's hand counts, `points` are the winning
    side's, `score` is the score after it, and `next_starter` opens the next round, if there is one (D-02).
    """

    round: int
    ending: Ending
    seat: int
    pips: tuple[int, ...]
    winner_side: int
    points: int
    score: tuple[int, int]
    next_starter: int


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """A side has 50 points or more (D-09)."""

    winner_side: int
    score: tuple[int, int]


DominoEvent = RoundDealt | TilePlayed | SeatPassed | RoundEnded | MatchEnded

EVENT_TYPES: dict[str, type[DominoEvent]] = {
    "domino.round_dealt": RoundDealt,
    "domino.tile_played": TilePlayed,
    "domino.seat_passed": SeatPassed,
    "domino.round_ended": RoundEnded,
    "domino.match_ended": MatchEnded,
}
"""The registered names of the event types, as stored."""
