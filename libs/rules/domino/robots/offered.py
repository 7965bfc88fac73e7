"""What every robot of Dominó starts from: the moves that it may offer, and its seat."""

from __future__ import annotations

from libs.rules.domino.moves import DominoMove
from libs.rules.domino.view import DominoView


def offered(view: DominoView) -> list[DominoMove]:
    """The legal moves, at least one; raises ValueError when there is none."""
    moves = [legal.move for legal in view.legal_moves]
    if not moves:
        raise ValueError("this seat has nothing to do")
    return moves


def own_seat(view: DominoView) -> int:
    """The seat whose view it is; raises ValueError for a spectator's."""
    if view.seat is None:
        raise ValueError("a spectator has nothing to do")
    return view.seat
