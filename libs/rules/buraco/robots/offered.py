"""What every robot of the family starts from: the moves that its view describes; and the robot that looks no further."""

from __future__ import annotations

from libs.rules.buraco.legal import Legal
from libs.rules.buraco.moves import BuracoMove
from libs.rules.buraco.view import BuracoView
from libs.rules.chance import Chance


def described(view: BuracoView) -> Legal:
    """What this seat may do; raises ValueError when it has nothing to do."""
    if view.legal is None or view.seat is None:
        raise ValueError("this seat has nothing to do")
    return view.legal


def random_move(view: BuracoView, chance: Chance) -> BuracoMove:
    """Any described move, each equally likely. Raises ValueError when there is none."""
    described(view)
    moves = view.legal_moves
    return moves[chance.randrange(len(moves))].move
