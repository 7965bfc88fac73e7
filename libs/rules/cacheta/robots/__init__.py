"""The robots of Cacheta. They see a seat's view and nothing else, and never make a claim that would burn them.

From weak to strong: `random` (any move), `greedy` (keeps cards that have neighbours; the yardstick of the arena), `simple`
(keeps cards that lie in melds) and `strong` (counts the cards to come). People sit with the last two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from libs.rules.cacheta.moves import AnnounceNaBoa, CachetaMove
from libs.rules.cacheta.robots.greedy import greedy_move
from libs.rules.cacheta.robots.offered import random_move
from libs.rules.cacheta.robots.simple import simple_move
from libs.rules.cacheta.robots.strong import strong_move
from libs.rules.cacheta.view import CachetaView
from libs.rules.chance import Chance
from libs.rules.robots import Robots

Robot = Callable[[CachetaView, Chance], CachetaMove]

ROBOTS: Mapping[str, Robot] = {
    "random": random_move,
    "greedy": greedy_move,
    "simple": simple_move,
    "strong": strong_move,
}
"""The robots by strength."""

CACHETA_ROBOTS = Robots(ROBOTS, goes_on=lambda move: isinstance(move, AnnounceNaBoa))
"""The robots of every preset of Cacheta; after an announcement the seat is still to act."""
