"""A match of Dominó as one viewer may know it; mirrors `carteado.games.domino.v1` field by field."""

from __future__ import annotations

import msgspec

from libs.rules.domino.events import MatchEnded, RoundEnded, SeatPassed, TilePlayed
from libs.rules.domino.moves import DominoMove
from libs.rules.game import LegalMove


class HandView(msgspec.Struct, frozen=True, gc=False):
    """What is known of a seat's tiles: faces only where the viewer may see them, in dealt order."""

    seat: int
    count: int
    tiles: tuple[str, ...] = ()


class DominoView(msgspec.Struct, frozen=True, gc=False):
    """The match as one viewer may know it.

    `phase` is `play` or `over`. `turn` is the place of the next tile in the round, counted from 1, and `to_play` who plays
    it. `ends` are the open numbers, left and right; None while no tile lies. `plays` and `passes` are the round's, each in
    their order; a pass came before the tile of its turn. `opening` is the tile that the round must be opened with, if it must.
    """

    phase: str
    score: tuple[int, int]
    round: int
    starter: int
    opening: str | None
    turn: int
    to_play: int | None
    ends: tuple[int, int] | None
    plays: tuple[TilePlayed, ...]
    passes: tuple[SeatPassed, ...]
    hands: tuple[HandView, ...]
    legal_moves: tuple[LegalMove[DominoMove], ...]
    winner: int | None
    seat: int | None


class RoundDealtSeen(msgspec.Struct, frozen=True, gc=False):
    """A new round, without its tiles."""

    round: int
    starter: int
    opening: str | None


DominoSeen = RoundDealtSeen | TilePlayed | SeatPassed | RoundEnded | MatchEnded
