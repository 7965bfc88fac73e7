"""Why a move is refused: the closed list of codes. Facts never tell more than the seat may know."""

from __future__ import annotations

from enum import StrEnum

from libs.rules.game import Rejection


class Code(StrEnum):
    """Stable reasons. They are checked in this order of kinds: over, stale, phase, turn, legality."""

    NOT_STARTED = "NOT_STARTED"
    """No hand has been dealt yet."""
    MATCH_OVER = "MATCH_OVER"
    """Somebody has won."""
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The table has no such seat."""
    STALE = "STALE"
    """What the move answers has passed: the hand, the trick, the raise or the question."""
    NOT_YET = "NOT_YET"
    """The move names a hand or trick that has not begun."""
    WRONG_PHASE = "WRONG_PHASE"
    """The match waits for another kind of move."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is awaited."""
    CARD_REQUIRED = "CARD_REQUIRED"
    """Name a card, and only a card."""
    POSITION_REQUIRED = "POSITION_REQUIRED"
    """In a blind hand name a position, and only a position (R-20)."""
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    """The seat does not hold this card, or nothing at this position."""
    COVERED_LEAD = "COVERED_LEAD"
    """Who leads a trick plays an open card (R-21)."""
    COVER_NOT_ALLOWED = "COVER_NOT_ALLOWED"
    """This table plays without covered cards (R-21)."""
    RAISE_NOT_ALLOWED = "RAISE_NOT_ALLOWED"
    """Not the next step, or not this side's right (R-11, R-15, R-18)."""
    RAISE_NOT_CALLED = "RAISE_NOT_CALLED"
    """The answer names another value than the one that was called."""
    SIGNAL_NOT_ALLOWED = "SIGNAL_NOT_ALLOWED"
    """This table plays without signals, the hand is blind, or there is no such gesture (R-20, R-23)."""
    SIGNAL_ALREADY_SENT = "SIGNAL_ALREADY_SENT"
    """The seat has made this gesture in this hand: it would say nothing new (R-23)."""


def refused(code: Code, **facts: int | str) -> Rejection:
    """A rejection with its facts as text."""
    return Rejection(code.value, {name: str(value) for name, value in facts.items()})
