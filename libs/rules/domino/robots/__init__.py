"""The robots of Dominó. They see a seat's view and nothing else.

From weak to strong: `random` (any move), `greedy` (its heaviest tile; the yardstick of the arena), `simple` (looks after its
next turn and remembers passes) and `strong` (weighs the hands that the others may hold). People sit with the last two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from libs.rules.chance import Chance
from libs.rules.domino.moves import DominoMove
from libs.rules.domino.robots.greedy import greedy_move
from libs.rules.domino.robots.simple import simple_move
from libs.rules.domino.robots.strong import strong_move
from libs.rules.domino.view import DominoView
from libs.rules.robots import Robots, random_move

Robot = Callable[[DominoView, Chance], DominoMove]

ROBOTS: Mapping[str, Robot] = {
    "random": random_move,
    "greedy": greedy_move,
    "simple": simple_move,
    "strong": strong_move,
}
"""The robots by strength."""

DOMINO_ROBOTS = Robots(ROBOTS)
"""The robots of Dominó; every tile ends its turn."""
