"""The robots of Sueca. They see a seat's view and nothing else.

From weak to strong: `random` (any card that may be played), `greedy` (takes what it can; the yardstick of the arena), `simple`
(plays its own cards soundly) and `strong` (weighs the hands that the others may hold). People sit with the last two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from libs.rules.chance import Chance
from libs.rules.robots import Robots, random_move
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.robots.greedy import greedy_move
from libs.rules.sueca.robots.simple import simple_move
from libs.rules.sueca.robots.strong import strong_move
from libs.rules.sueca.view import SuecaView

Robot = Callable[[SuecaView, Chance], SuecaMove]

ROBOTS: Mapping[str, Robot] = {
    "random": random_move,
    "greedy": greedy_move,
    "simple": simple_move,
    "strong": strong_move,
}
"""The robots by strength."""

SUECA_ROBOTS = Robots(ROBOTS)
"""The robots of Sueca; every move ends the turn of who makes it."""
