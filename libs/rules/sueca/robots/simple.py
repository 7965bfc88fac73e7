"""The robot that people sit with first: it plays its own cards soundly and looks no further."""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.robots.reading import move_of, read
from libs.rules.sueca.robots.sensible import sensible_card
from libs.rules.sueca.view import SuecaView


def simple_move(view: SuecaView, chance: Chance) -> SuecaMove:  # noqa: ARG001 -- every robot is given chance
    """See `sensible.sensible_card`. Raises ValueError when there is nothing to do."""
    reading = read(view)
    others = reading.unseen
    for seat, known in enumerate(reading.known):
        if seat != reading.seat:
            others |= known
    return move_of(view, sensible_card(reading.hand, others, reading.plays, reading.trump))
