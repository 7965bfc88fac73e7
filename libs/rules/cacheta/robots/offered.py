"""What every robot of Cacheta starts from: the moves that it may offer, its seat and its cards; and the robot that looks no
further.
"""

from __future__ import annotations

from typing import TypeVar

from libs.rules.cacheta.groups import NO_LIMIT, Bounds
from libs.rules.cacheta.layout import Layout, judged
from libs.rules.cacheta.moves import CachetaMove, JumpQueue, PassJump
from libs.rules.cacheta.view import CachetaView
from libs.rules.chance import Chance

Kind = TypeVar("Kind", bound=CachetaMove)


def offered(view: CachetaView) -> list[CachetaMove]:
    """The legal moves that the rules do not punish, at least one; raises ValueError when there is none."""
    moves = [legal.move for legal in view.legal_moves if not legal.consequence]
    if not moves:
        raise ValueError("this seat has nothing to do")
    return moves


def first_of(moves: list[CachetaMove], kind: type[Kind]) -> Kind | None:
    """The first move of this kind, if there is one."""
    return next((move for move in moves if isinstance(move, kind)), None)


def own_cards(view: CachetaView) -> tuple[str, ...]:
    """The cards of the seat whose view it is; raises ValueError for a spectator's."""
    if view.seat is None:
        raise ValueError("a spectator has nothing to do")
    return view.hands[view.seat].cards


def bounds(view: CachetaView) -> Bounds:
    """What melds are judged by at this table."""
    return Bounds(NO_LIMIT if view.max_wilds is None else view.max_wilds, 4 if view.four_suit_set else 3)


def with_discard(view: CachetaView) -> Layout:
    """What the own cards could do with the top of the discard pile."""
    assert view.discard_top is not None, "somebody has just discarded"
    return judged((*own_cards(view), view.discard_top), view.vira, bounds(view))


def answer(view: CachetaView, moves: list[CachetaMove]) -> JumpQueue | PassJump | None:
    """What to say to a discard that may be claimed: the claim, exactly if it goes out; None outside the window."""
    passed = first_of(moves, PassJump)
    if passed is None:
        return None
    claim = first_of(moves, JumpQueue)
    return claim if claim is not None and with_discard(view).goes_out else passed


def random_move(view: CachetaView, chance: Chance) -> CachetaMove:
    """Any legal move that the rules do not punish, each equally likely. Raises ValueError when there is none."""
    moves = offered(view)
    return moves[chance.randrange(len(moves))]
