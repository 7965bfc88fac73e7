"""Why a move is refused: the closed list of codes. Facts never tell more than the seat may know."""

from __future__ import annotations

from enum import StrEnum

from libs.rules.game import Rejection


class Code(StrEnum):
    """Stable reasons. They are checked in this order of kinds: over, stale, turn, phase, legality."""

    NOT_STARTED = "NOT_STARTED"
    """Nothing has been dealt yet."""
    MATCH_OVER = "MATCH_OVER"
    """The match is over."""
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    """The table has no such seat."""
    STALE = "STALE"
    """The turn that the move names has passed."""
    NOT_YET = "NOT_YET"
    """The turn that the move names has not begun."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat is awaited."""
    DRAW_FIRST = "DRAW_FIRST"
    """A turn begins with a card from the stock or with the lixo (B-04)."""
    ALREADY_DREW = "ALREADY_DREW"
    """One draw a turn (B-04)."""
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    """The seat does not hold this card, or names it twice."""
    LIXO_EMPTY = "LIXO_EMPTY"
    """There is nothing to take (B-03)."""
    LIXO_LOCKED = "LIXO_LOCKED"
    """A black three lies on top (T-07)."""
    LIXO_EXHAUSTED = "LIXO_EXHAUSTED"
    """Too many turns passed without a card from the stock or a card laid (B-28)."""
    NO_JUSTIFICATION_ASKED = "NO_JUSTIFICATION_ASKED"
    """This lixo is taken without laying its top card (B-28)."""
    TOP_NOT_JUSTIFIED = "TOP_NOT_JUSTIFIED"
    """The top card must go straight to the table, with two cards of the hand or onto a meld (B-29, B-30, B-31)."""
    NOT_A_MELD = "NOT_A_MELD"
    """The cards are no run and no set (B-06 to B-09, B-20 to B-22, T-08)."""
    DUPLICATE_MELD = "DUPLICATE_MELD"
    """The side has a meld of this rank or suit (B-24)."""
    NO_SUCH_MELD = "NO_SUCH_MELD"
    """One's own side has no such meld (B-26)."""
    CARD_BARRED = "CARD_BARRED"
    """The only card of the lixo is not discarded in the turn that took it (B-32, B-33)."""
    KEEP_A_CARD = "KEEP_A_CARD"
    """The hand may not be emptied now, nor left with a single card (B-39)."""
    MUST_DISCARD = "MUST_DISCARD"
    """A turn ends with a discard wherever one is possible (B-04, T-05)."""


def refused(code: Code, **facts: int | str) -> Rejection:
    """A rejection with its facts as text."""
    return Rejection(code.value, {name: str(value) for name, value in facts.items()})
