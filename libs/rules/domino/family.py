"""All of Dominó that other parts ask for."""

from __future__ import annotations

from libs.rules.domino.events import EVENT_TYPES
from libs.rules.domino.game import DOMINO
from libs.rules.domino.moves import DominoMove
from libs.rules.domino.notation import DOMINO_NOTATION
from libs.rules.domino.robots import DOMINO_ROBOTS
from libs.rules.domino.story import picture, tell
from libs.rules.domino.view import DominoSeen, DominoView
from libs.rules.family import Family, members

DOMINO_FAMILY = Family(
    name="domino",
    games=(DOMINO,),
    robots=DOMINO_ROBOTS,
    event_types=EVENT_TYPES,
    moves=members(DominoMove),
    seen=members(DominoSeen),
    view=DominoView,
    tell=tell,
    picture=picture,
    notation=DOMINO_NOTATION,
)
"""Dominó with its one preset."""
