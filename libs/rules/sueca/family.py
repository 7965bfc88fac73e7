"""All of Sueca that other parts ask for."""

from __future__ import annotations

from libs.rules.family import Family, members
from libs.rules.sueca.events import EVENT_TYPES
from libs.rules.sueca.game import SUECA as SUECA_GAME
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.notation import SUECA_NOTATION
from libs.rules.sueca.robots import SUECA_ROBOTS
from libs.rules.sueca.story import picture, tell
from libs.rules.sueca.view import SuecaSeen, SuecaView

SUECA = Family(
    name="sueca",
    games=(SUECA_GAME,),
    robots=SUECA_ROBOTS,
    event_types=EVENT_TYPES,
    moves=members(SuecaMove),
    seen=members(SuecaSeen),
    view=SuecaView,
    tell=tell,
    picture=picture,
    notation=SUECA_NOTATION,
)
