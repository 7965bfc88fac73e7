"""A robot that plays its own cards soundly and watches nobody: it lays what is worth laying, keeps wilds and neighbours."""

from __future__ import annotations

from libs.rules.buraco.moves import BuracoMove, Discard, DrawStock, EndTurn, TakeLixo
from libs.rules.buraco.robots.offered import described
from libs.rules.buraco.robots.reading import read
from libs.rules.buraco.robots.sound import best_laying
from libs.rules.buraco.robots.taking import best_way_to_take
from libs.rules.buraco.robots.worth import hand_worth, patience
from libs.rules.buraco.view import BuracoView
from libs.rules.chance import Chance


def simple_move(view: BuracoView, chance: Chance) -> BuracoMove:  # noqa: ARG001 -- every robot is given chance
    """The move that its own cards ask for. Raises ValueError when there is nothing to do."""
    legal = described(view)
    reading = read(view)
    if view.phase == "draw":
        way = best_way_to_take(view, reading, legal)
        return DrawStock(legal.turn) if way is None else TakeLixo(legal.turn, way.cards, way.meld)
    laying = best_laying(reading, legal)
    if laying is not None:
        return laying
    if not legal.discards:
        return EndTurn(legal.turn)
    time = patience(reading)

    def kept(card: str) -> float:
        left = [other for other in reading.hand if other != card]
        return hand_worth(reading, left, reading.own, time)

    return Discard(legal.turn, max(legal.discards, key=kept))
