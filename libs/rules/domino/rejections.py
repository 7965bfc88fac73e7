"""Why a move is refused: the closed list of codes. Facts never tell more than the seat may know."""

from __future__ import annotations

from enum import StrEnum

from libs.rules.game import Rejection


class Code(StrEnum):
    """Stable reasons. They are checked in this order of kinds: over, stale, turn, legality."""

    NOT_STARTED = "NOT_STARTED"
    """No round has been dealt yet."""
    MATCH_OVER = "MATCH_OVER"
    """Somebody has won."""
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The table has no such seat."""
    STALE = "STALE"
    """The round or the turn that the move names has passed."""
    NOT_YET = "NOT_YET"
    """The move names a round or turn that has not begun."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is awaited."""
    TILE_NOT_IN_HAND = "TILE_NOT_IN_HAND"
    """The seat does not hold this tile."""
    OPENING_TILE_REQUIRED = "OPENING_TILE_REQUIRED"
    """The first round is opened with the 6-6 (D-01)."""
    END_NOT_ALLOWED = "END_NOT_ALLOWED"
    """The first tile of a round lies at no end: name none."""
    END_REQUIRED = "END_REQUIRED"
    """Name the end, left or right, that the tile is played to (D-10)."""
    TILE_DOES_NOT_FIT = "TILE_DOES_NOT_FIT"
    """The tile does not show the number of this end."""


def refused(code: Code, **facts: int | str) -> Rejection:
    """A rejection with its facts as text."""
    return Rejection(code.value, {name: str(value) for name, value in facts.items()})
