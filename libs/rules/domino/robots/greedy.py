"""The yardstick: gets rid of its heaviest tile, wherever that fits. It counts nothing and remembers no pass."""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.domino.moves import DominoMove
from libs.rules.domino.robots.offered import offered
from libs.rules.domino.tiles import PIPS
from libs.rules.domino.view import DominoView


def greedy_move(view: DominoView, chance: Chance) -> DominoMove:
    """The heaviest tile that fits, to either end. Raises ValueError when there is nothing to do."""
    moves = offered(view)
    most = max(PIPS[move.tile] for move in moves)
    heaviest = [move for move in moves if PIPS[move.tile] == most]
    return heaviest[chance.randrange(len(heaviest))]
