"""Who plays which seat where two robots are measured against each other.

Between two sides each robot has one. Where more play (in Mau Mau and Cacheta each for itself) the robots share the sides
by halves, drawn anew for each deal: no robot always sits behind the other, as it would if they took turns. Of an odd number
one robot has one side more, and the other one when the deal is played again with the robots swapped.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from libs.rules.family import AnyGame
from libs.rules.game import Seat


def owners(game: AnyGame, players: int, deal: str, swapped: int) -> Sequence[int]:
    """By seat, which robot plays it: 0 or 1. `swapped` is 0, or 1 for the same deal with the robots swapped."""
    sides = [game.side_of(Seat(seat)) for seat in range(players)]
    present = sorted(set(sides))
    if len(present) > 2:
        chance = random.Random(f"{deal}/halves")  # noqa: S311 -- repeatable on purpose; nothing is at stake
        first = set(chance.sample(present, len(present) // 2))
    else:
        first = {present[0]}
    return [(0 if side in first else 1) ^ swapped for side in sides]
