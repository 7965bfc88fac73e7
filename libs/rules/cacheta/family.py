"""All of Cacheta that other parts ask for."""

from __future__ import annotations

from libs.rules.cacheta.events import EVENT_TYPES
from libs.rules.cacheta.game import CACHETA
from libs.rules.cacheta.moves import CachetaMove
from libs.rules.cacheta.notation import CACHETA_NOTATION
from libs.rules.cacheta.robots import CACHETA_ROBOTS
from libs.rules.cacheta.story import picture, tell
from libs.rules.cacheta.view import CachetaSeen, CachetaView
from libs.rules.family import Family, members

CACHETA_FAMILY = Family(
    name="cacheta",
    games=(CACHETA,),
    robots=CACHETA_ROBOTS,
    event_types=EVENT_TYPES,
    moves=members(CachetaMove),
    seen=members(CachetaSeen),
    view=CachetaView,
    tell=tell,
    picture=picture,
    notation=CACHETA_NOTATION,
)
