"""What every robot of Truco starts from: the moves that it may offer, and its seat."""

from __future__ import annotations

from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.view import TrucoView


def offered(view: TrucoView) -> list[TrucoMove]:
    """The legal moves that the rules do not punish, at least one; raises ValueError when there is none."""
    moves = [legal.move for legal in view.legal_moves if not legal.consequence]
    if not moves:
        raise ValueError("this seat has nothing to do")
    return moves


def own_seat(view: TrucoView) -> int:
    """The seat whose view it is; raises ValueError for a spectator's."""
    if view.seat is None:
        raise ValueError("a spectator has nothing to do")
    return view.seat
