"""Why a move is refused: the closed list of codes. Facts never tell more than the seat may know."""

from __future__ import annotations

from enum import StrEnum

from libs.rules.game import Rejection


class Code(StrEnum):
    """Stable reasons. They are checked in this order of kinds: over, stale, turn, phase, legality."""

    NOT_STARTED = "NOT_STARTED"
    """No cards have been dealt yet."""
    MATCH_OVER = "MATCH_OVER"
    """The match has ended."""
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The table has no such seat, or it is one's own."""
    STALE = "STALE"
    """The turn that the move names has passed."""
    NOT_YET = "NOT_YET"
    """The move names a turn that has not begun."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is awaited."""
    PENALTY_PENDING = "PENALTY_PENDING"
    """Only a seven answers a seven; else one takes the penalty (M-04)."""
    NO_PENALTY_PENDING = "NO_PENALTY_PENDING"
    """There is no penalty to take."""
    ALREADY_DRAWN = "ALREADY_DRAWN"
    """One draws once a turn (M-02)."""
    DRAW_FIRST = "DRAW_FIRST"
    """Who passes has drawn before (M-02)."""
    MUST_PLAY = "MUST_PLAY"
    """There is nothing to draw, and the seat holds a legal card (M-02)."""
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    """The seat does not hold this card."""
    CARD_DOES_NOT_FOLLOW = "CARD_DOES_NOT_FOLLOW"
    """Neither the suit that counts nor the rank on top, nor a Jack that may be played here (M-01, M-03)."""
    SUIT_REQUIRED = "SUIT_REQUIRED"
    """A Jack names a suit (M-03)."""
    SUIT_NOT_ASKED = "SUIT_NOT_ASKED"
    """Only a Jack names a suit, and not as the last card (M-03, M-07)."""
    CALL_NOT_PLAYED = "CALL_NOT_PLAYED"
    """This table plays without the call "mau-mau" (M-08)."""
    ALREADY_ACCUSED = "ALREADY_ACCUSED"
    """This seat has been accused in this turn (M-08)."""


def refused(code: Code, **facts: int | str) -> Rejection:
    """A rejection with its facts as text."""
    return Rejection(code.value, {name: str(value) for name, value in facts.items()})
