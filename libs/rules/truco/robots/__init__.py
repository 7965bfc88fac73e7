"""The robots of Truco. They see a seat's view and nothing else, and never make a move that the rules punish.

From weak to strong: `random` (any move), `greedy` (its strongest card; the yardstick of the arena), `simple` (plays its own
cards soundly) and `strong` (weighs the hands that the others may hold). People sit with the last two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from libs.rules.chance import Chance
from libs.rules.robots import Robots, random_move
from libs.rules.truco.moves import Signal, TrucoMove
from libs.rules.truco.robots.greedy import greedy_move
from libs.rules.truco.robots.simple import simple_move
from libs.rules.truco.robots.strong import strong_move
from libs.rules.truco.view import TrucoView

Robot = Callable[[TrucoView, Chance], TrucoMove]

ROBOTS: Mapping[str, Robot] = {
    "random": random_move,
    "greedy": greedy_move,
    "simple": simple_move,
    "strong": strong_move,
}
"""The robots by strength."""

TRUCO_ROBOTS = Robots(ROBOTS, goes_on=lambda move: isinstance(move, Signal))
"""The robots of every preset of Truco; after a signal the seat is still to act."""
