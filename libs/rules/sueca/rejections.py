"""Why a move is refused: the closed list of codes. Facts never tell more than the seat may know."""

from __future__ import annotations

from enum import StrEnum

from libs.rules.game import Rejection


class Code(StrEnum):
    """Stable reasons. They are checked in this order of kinds: over, stale, turn, legality."""

    NOT_STARTED = "NOT_STARTED"
    """No hand has been dealt yet."""
    MATCH_OVER = "MATCH_OVER"
    """Somebody has won."""
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The table has no such seat."""
    STALE = "STALE"
    """The trick that the move answers has passed, or the seat has played to it."""
    NOT_YET = "NOT_YET"
    """The move names a hand or trick that has not begun."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is awaited."""
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    """The seat does not hold this card."""
    MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"
    """The seat holds a card of the suit that was led (S-03)."""


def refused(code: Code, **facts: int | str) -> Rejection:
    """A rejection with its facts as text."""
    return Rejection(code.value, {name: str(value) for name, value in facts.items()})
