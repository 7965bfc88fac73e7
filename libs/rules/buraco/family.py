"""All of Buraco, Tranca and Canastra that other parts ask for."""

from __future__ import annotations

from libs.rules.buraco.events import EVENT_TYPES
from libs.rules.buraco.moves import BuracoMove
from libs.rules.buraco.notation import BURACO_NOTATION
from libs.rules.buraco.presets import BURACO_FAMILY
from libs.rules.buraco.robots import BURACO_ROBOTS
from libs.rules.buraco.story import picture, tell
from libs.rules.buraco.view import BuracoSeen, BuracoView
from libs.rules.family import Family, members

BURACO = Family(
    name="buraco",
    games=BURACO_FAMILY,
    robots=BURACO_ROBOTS,
    event_types=EVENT_TYPES,
    moves=members(BuracoMove),
    seen=members(BuracoSeen),
    view=BuracoView,
    tell=tell,
    picture=picture,
    notation=BURACO_NOTATION,
)
