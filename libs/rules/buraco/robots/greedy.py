"""The yardstick: lays whatever it can at once, the longest first, takes a lixo that it can lay the top of, and throws its
dearest card. It keeps no wild, watches nobody and plans nothing.
"""

from __future__ import annotations

from libs.rules.buraco.cards import IS_WILD, TABLE_VALUE
from libs.rules.buraco.legal import Legal
from libs.rules.buraco.melds import enlarged, judge
from libs.rules.buraco.moves import BuracoMove, Discard, DrawStock, EndTurn, ExtendMeld, LayMeld, TakeLixo
from libs.rules.buraco.robots.offered import described
from libs.rules.buraco.robots.reading import Reading, read
from libs.rules.buraco.view import BuracoView
from libs.rules.chance import Chance


def greedy_move(view: BuracoView, chance: Chance) -> BuracoMove:
    """A draw, or what can be laid, or a discard. Raises ValueError when there is nothing to do."""
    legal = described(view)
    if view.phase == "draw":
        return _draw(view, legal)
    if legal.new_melds:
        return LayMeld(legal.turn, max(legal.new_melds, key=len))
    for addition in legal.additions:
        if addition.together:
            return ExtendMeld(legal.turn, addition.meld, addition.together)
        return ExtendMeld(legal.turn, addition.meld, (addition.cards[chance.randrange(len(addition.cards))],))
    if not legal.discards:
        return EndTurn(legal.turn)
    return Discard(legal.turn, max(legal.discards, key=lambda card: (not IS_WILD[card], TABLE_VALUE[card])))


def _draw(view: BuracoView, legal: Legal) -> BuracoMove:
    if legal.justifications:
        way = max(legal.justifications, key=lambda one: len(one.cards))
        return TakeLixo(legal.turn, way.cards, way.meld)
    if legal.take_lixo and _can_lay(read(view), view.lixo[-1]):
        return TakeLixo(legal.turn)
    return DrawStock(legal.turn)


def _can_lay(reading: Reading, top: str) -> bool:
    """Whether the top card goes onto a meld, or into one with two cards of the hand."""
    if any(enlarged(reading.rules, shape, (top,)) for shape in reading.own):
        return True
    hand = reading.hand
    return any(
        judge(reading.rules, (top, first, second))
        for place, first in enumerate(hand)
        for second in hand[place + 1 :]
    )
