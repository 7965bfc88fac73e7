"""The stronger robot that a person may sit with: it weighs the hands that the others may hold.

It draws some deals that fit what it sees and plays each of its cards on in all of them; the card that brings most on
average is played.
"""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.robots.playout import played_out
from libs.rules.sueca.robots.reading import Reading, allowed, move_of, read
from libs.rules.sueca.robots.worlds import draw
from libs.rules.sueca.scoring import TIE, TRICKS, hand_points
from libs.rules.sueca.view import SuecaView

WORLDS = 24
"""Deals looked into for a move: more cost time and bring little."""

_POINT = 1 / 40
"""What a card point is worth beside a game point: what is nearly won counts too."""


def strong_move(view: SuecaView, chance: Chance) -> SuecaMove:
    """The best move by its estimate. Raises ValueError when there is nothing to do."""
    reading = read(view)
    cards = _different(reading)
    if len(cards) == 1:
        return move_of(view, cards[0])
    worlds = draw(reading, chance, WORLDS)
    side = reading.seat % 2

    def worth(card: int) -> float:
        return sum([_worth(*played_out(reading, world, card), side, view.carry) for world in worlds])

    return move_of(view, max(cards, key=worth))


def _different(reading: Reading) -> list[int]:
    """The cards that may be played; of those that nothing tells apart, the lowest alone."""
    may = allowed(reading.hand, reading.plays)
    cards: list[int] = []
    for card in range(40):
        if not may >> card & 1:
            continue
        neighbour = bool(cards) and cards[-1] == card - 1 and card % 10 in (1, 2, 3, 4)
        if neighbour and card % 10:
            cards[-1] = card
        else:
            cards.append(card)
    return cards


def _worth(points: int, tricks: int, side: int, carry: int) -> float:
    """What the end of a hand is worth to a side, in game points."""
    if side == 1:
        points, tricks = 120 - points, TRICKS - tricks
    worth = (points - TIE) * _POINT
    if points > TIE:
        return worth + hand_points(points, tricks, carry)
    if points < TIE:
        return worth - hand_points(120 - points, TRICKS - tricks, carry)
    return worth
