"""Why a move is refused: the closed list of codes. Facts never tell more than the seat may know."""

from __future__ import annotations

from enum import StrEnum

from libs.rules.game import Rejection


class Code(StrEnum):
    """Stable reasons. They are checked in this order of kinds: over, stale, phase, turn, legality."""

    NOT_STARTED = "NOT_STARTED"
    """No round has been dealt yet."""
    MATCH_OVER = "MATCH_OVER"
    """One player is left, or three rounds in a row were void."""
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The table has no such seat."""
    OUT_OF_THE_MATCH = "OUT_OF_THE_MATCH"
    """The seat has no points left (C-12)."""
    STALE = "STALE"
    """What the move answers has passed: the round, the turn, or the window."""
    NOT_YET = "NOT_YET"
    """The move names a round or turn that has not begun."""
    WRONG_PHASE = "WRONG_PHASE"
    """The match waits for another kind of move; while a discard may be claimed nobody draws (C-09)."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is awaited."""
    LIXO_EMPTY = "LIXO_EMPTY"
    """There is no discard to take (C-07)."""
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    """The seat does not hold this card."""
    HAND_DOES_NOT_FIT = "HAND_DOES_NOT_FIT"
    """The hand cannot be laid down whole, with the discard that was named or with none (C-06)."""
    DISCARD_REQUIRED = "DISCARD_REQUIRED"
    """Nine of the cards fit, so one must be named for the discard (C-06)."""
    ALREADY_ANNOUNCED = "ALREADY_ANNOUNCED"
    """The seat has said in this round that it is na boa (C-08)."""
    NOT_NA_BOA = "NOT_NA_BOA"
    """Only who announced it before the discard, or the next player, may claim (C-08, C-09)."""
    BURNT = "BURNT"
    """The seat has claimed in vain in this round (C-10)."""


def refused(code: Code, **facts: int | str) -> Rejection:
    """A rejection with its facts as text."""
    return Rejection(code.value, {name: str(value) for name, value in facts.items()})
