"""The robots of the family. They see a seat's view and nothing else.

From weak to strong: `random` (any described move), `greedy` (lays all it can; the yardstick of the arena), `simple` (plays
its own cards soundly) and `strong` (watches the others too). People sit with the last two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from libs.rules.buraco.moves import BuracoMove, ExtendMeld, LayMeld
from libs.rules.buraco.robots.greedy import greedy_move
from libs.rules.buraco.robots.simple import simple_move
from libs.rules.buraco.robots.strong import strong_move
from libs.rules.buraco.view import BuracoView
from libs.rules.chance import Chance
from libs.rules.robots import Robots, random_move

Robot = Callable[[BuracoView, Chance], BuracoMove]

ROBOTS: Mapping[str, Robot] = {
    "random": random_move,
    "greedy": greedy_move,
    "simple": simple_move,
    "strong": strong_move,
}
"""The robots by strength."""

BURACO_ROBOTS = Robots(ROBOTS, goes_on=lambda move: isinstance(move, LayMeld | ExtendMeld))
"""The robots of every preset of the family; after laying, the same turn goes on."""
