"""All of Truco that other parts ask for."""

from __future__ import annotations

from libs.rules.family import Family, members
from libs.rules.truco.events import EVENT_TYPES
from libs.rules.truco.game import TRUCO_003, TRUCO_004, TRUCO_PAULISTA
from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.notation import TRUCO_NOTATION
from libs.rules.truco.robots import TRUCO_ROBOTS
from libs.rules.truco.story import picture, tell
from libs.rules.truco.view import TrucoSeen, TrucoView

TRUCO = Family(
    name="truco",
    games=(TRUCO_PAULISTA, TRUCO_003, TRUCO_004),
    robots=TRUCO_ROBOTS,
    event_types=EVENT_TYPES,
    moves=members(TrucoMove),
    seen=members(TrucoSeen),
    view=TrucoView,
    tell=tell,
    picture=picture,
    notation=TRUCO_NOTATION,
)
