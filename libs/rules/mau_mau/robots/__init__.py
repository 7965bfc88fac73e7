"""The robots of Mau Mau. They see a seat's view and nothing else, and never make a move that draws five cards by rule.

From weak to strong: `random` (any move), `greedy` (whatever goes, the cards that hurt first; the yardstick of the arena),
`simple` (plays its own cards soundly) and `strong` (weighs what it is left with by learned numbers). People sit with the last two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from libs.rules.chance import Chance
from libs.rules.mau_mau.moves import Accuse, DrawCard, MauMauMove
from libs.rules.mau_mau.robots.greedy import greedy_move
from libs.rules.mau_mau.robots.offered import random_move
from libs.rules.mau_mau.robots.simple import simple_move
from libs.rules.mau_mau.robots.strong import strong_move
from libs.rules.mau_mau.view import MauMauView
from libs.rules.robots import Robots

Robot = Callable[[MauMauView, Chance], MauMauMove]

ROBOTS: Mapping[str, Robot] = {
    "random": random_move,
    "greedy": greedy_move,
    "simple": simple_move,
    "strong": strong_move,
}
"""The robots by strength."""

MAU_MAU_ROBOTS = Robots(ROBOTS, goes_on=lambda move: isinstance(move, DrawCard | Accuse))
"""The robots of Mau Mau; after a draw or an accusation the seat is still to act."""
