"""What every robot of Mau Mau starts from: the moves that it may offer, and its seat; and the robot that looks no further."""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.mau_mau.moves import MauMauMove, PlayCard
from libs.rules.mau_mau.view import MauMauView


def offered(view: MauMauView) -> list[MauMauMove]:
    """The legal moves that draw no five cards by rule, and no card without the call that it needs: robots call by
    themselves (M-08). At least one; raises ValueError when there is none.
    """
    moves = [legal.move for legal in view.legal_moves if not legal.consequence]
    if any(isinstance(move, PlayCard) and move.call for move in moves):
        moves = [move for move in moves if not isinstance(move, PlayCard) or move.call]
    if not moves:
        raise ValueError("this seat has nothing to do")
    return moves


def own_seat(view: MauMauView) -> int:
    """The seat whose view it is; raises ValueError for a spectator's."""
    if view.seat is None:
        raise ValueError("a spectator has nothing to do")
    return view.seat


def random_move(view: MauMauView, chance: Chance) -> MauMauMove:
    """Any legal move that draws no five cards by rule, each equally likely. Raises ValueError when there is none."""
    moves = offered(view)
    return moves[chance.randrange(len(moves))]
