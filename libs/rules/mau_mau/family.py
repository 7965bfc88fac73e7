"""All of Mau Mau that other parts ask for."""

from __future__ import annotations

from libs.rules.family import Family, members
from libs.rules.mau_mau.events import EVENT_TYPES
from libs.rules.mau_mau.game import MAU_MAU
from libs.rules.mau_mau.moves import MauMauMove
from libs.rules.mau_mau.notation import MAU_MAU_NOTATION
from libs.rules.mau_mau.robots import MAU_MAU_ROBOTS
from libs.rules.mau_mau.story import picture, tell
from libs.rules.mau_mau.view import MauMauSeen, MauMauView

MAU_MAU_FAMILY = Family(
    name="mau_mau",
    games=(MAU_MAU,),
    robots=MAU_MAU_ROBOTS,
    event_types=EVENT_TYPES,
    moves=members(MauMauMove),
    seen=members(MauMauSeen),
    view=MauMauView,
    tell=tell,
    picture=picture,
    notation=MAU_MAU_NOTATION,
)
