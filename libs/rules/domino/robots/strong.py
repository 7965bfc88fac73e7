"""The stronger robot that a person may sit with: it weighs the hands that the others may hold.

From some dozens of deals that fit what it has seen, passes above all, it estimates what each of its moves brings in chances to
win the match, if everybody plays on plainly.
"""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.domino.moves import DominoMove
from libs.rules.domino.robots.equity import equity
from libs.rules.domino.robots.offered import offered, own_seat
from libs.rules.domino.robots.playout import PLACES, outcome
from libs.rules.domino.robots.simple import ends_after
from libs.rules.domino.robots.worlds import Worlds
from libs.rules.domino.view import DominoView

WORLDS = 60
"""Deals looked into for a move: more cost time and bring little."""


def strong_move(view: DominoView, chance: Chance) -> DominoMove:
    """The best move by its estimate. Raises ValueError when there is nothing to do."""
    moves = offered(view)
    seat = own_seat(view)
    if len(moves) == 1:
        return moves[0]
    side = seat % 2
    ours, theirs = view.score[side], view.score[1 - side]
    after = [ends_after(move, view.ends) for move in moves]
    bits = [1 << PLACES[move.tile] for move in moves]
    worths = [0.0] * len(moves)
    worlds = Worlds(view)
    for _ in range(WORLDS):
        hands = list(worlds.draw(chance))
        own = hands[seat]
        for place, bit in enumerate(bits):
            hands[seat] = own ^ bit
            winner, points = outcome(hands, seat, after[place])
            if winner == side:
                worths[place] += equity(ours + points, theirs)
            else:
                worths[place] += equity(ours, theirs + points)
    return moves[worths.index(max(worths))]
