"""The stronger robot that a person may sit with: it plays its cards soundly and watches the others.

It throws what the others can use least, and the less the more lies in the lixo; holds a black three for the day on which
the lixo must be locked; and goes out when that wins.
"""

from __future__ import annotations

from libs.rules.buraco.cards import BLACK_THREES, IS_WILD, RANK, SUIT
from libs.rules.buraco.melds import Shape, enlarged
from libs.rules.buraco.moves import BuracoMove, Discard, DrawStock, EndTurn, TakeLixo
from libs.rules.buraco.robots.offered import described
from libs.rules.buraco.robots.reading import Reading, read
from libs.rules.buraco.robots.sound import best_laying
from libs.rules.buraco.robots.taking import best_way_to_take
from libs.rules.buraco.robots.worth import hand_worth, meld_worth, patience
from libs.rules.buraco.view import BuracoView
from libs.rules.chance import Chance

_PER_CARD_OF_THE_LIXO = 5.0
"""What each card of the lixo is worth to who takes it."""
_UNKNOWN_USE = 0.25
"""How likely the next player can use a card that fits no meld that is seen."""


def strong_move(view: BuracoView, chance: Chance) -> BuracoMove:  # noqa: ARG001 -- every robot is given chance
    """The best move by its estimate. Raises ValueError when there is nothing to do."""
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

    def after(card: str) -> float:
        left = [other for other in reading.hand if other != card]
        return hand_worth(reading, left, reading.own, time) - gift(view, reading, card, time)

    return Discard(legal.turn, max(legal.discards, key=after))


def gift(view: BuracoView, reading: Reading, card: str, time: float) -> float:
    """What a discard gives to the others."""
    if reading.rules.special_threes and card in BLACK_THREES:
        return 0.0
    lixo = _PER_CARD_OF_THE_LIXO * view.lixo_count * (0.3 + time)
    direct = max([_gain(reading, shape, card, time) for shape in reading.foes], default=0.0)
    if direct > 0:
        return direct + lixo
    if IS_WILD[card]:
        return 60.0 + lixo
    use = _UNKNOWN_USE
    if _is_seen_dead(view, card):
        use *= 0.5
    return use * (12.0 + lixo)


def _gain(reading: Reading, shape: Shape, card: str, time: float) -> float:
    larger = enlarged(reading.rules, shape, (card,))
    if larger is None:
        return 0.0
    return max(5.0, meld_worth(larger, time) - meld_worth(shape, time) + 10.0)


def _is_seen_dead(view: BuracoView, card: str) -> bool:
    """Whether neighbours of a card lie on the own side's table, so that the others can hardly have them."""
    mine = [meld for meld in view.melds if view.seat is not None and meld.side == view.seat % 2]
    near = {
        one
        for meld in mine
        for one in meld.cards
        if SUIT[one] == SUIT[card] and abs(RANK[one] - RANK[card]) in (1, 2)
    }
    return len(near) >= 2
