"""Whether the lixo is worth taking: what its cards bring at once, against what they cost if they stay in the hand."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.buraco.candidates import new_melds
from libs.rules.buraco.cards import TABLE_VALUE
from libs.rules.buraco.held import Held
from libs.rules.buraco.legal import Justification, Legal
from libs.rules.buraco.melds import Shape, enlarged, judge
from libs.rules.buraco.robots.reading import Reading
from libs.rules.buraco.robots.sound import position_worth
from libs.rules.buraco.robots.worth import patience
from libs.rules.buraco.view import BuracoView

_A_CARD_OF_THE_STOCK = 12.0
"""What drawing brings: a card that nobody has refused."""
_UNKNOWN_EARLY, _UNKNOWN_LATE = 7.0, -8.0
"""What a hidden card of the lixo brings, with all the time of a deal and with none."""


def best_way_to_take(view: BuracoView, reading: Reading, legal: Legal) -> Justification | None:
    """The best way to take the lixo, if that is better than to draw."""
    time = patience(reading)
    before = position_worth(reading, reading.hand, reading.own, time) + _A_CARD_OF_THE_STOCK
    if legal.take_lixo:
        hand, shapes = _after_laying(reading, (*reading.hand, *view.lixo), reading.own)
        hidden = _hidden(view.lixo_count - len(view.lixo), time)
        worth = position_worth(reading, hand, shapes, time) + hidden
        return Justification(()) if worth > before else None
    best: Justification | None = None
    most = before
    for way in legal.justifications:
        cards = (*way.cards, view.lixo[-1])
        melds = _with(reading, way, cards)
        if melds is None:
            continue
        hand = [card for card in reading.hand if card not in way.cards]
        hidden = _hidden(view.lixo_count - 1, time)
        known = view.lixo[:-1] if len(view.lixo) == view.lixo_count else ()
        worth = position_worth(reading, (*hand, *known), melds, time) + (0.0 if known else hidden)
        if worth > most:
            best, most = way, worth
    return best


def _hidden(count: int, time: float) -> float:
    return count * (_UNKNOWN_LATE + (_UNKNOWN_EARLY - _UNKNOWN_LATE) * time)


def _with(reading: Reading, way: Justification, cards: tuple[str, ...]) -> tuple[Shape, ...] | None:
    if way.meld is None:
        shape = judge(reading.rules, cards)
        return None if shape is None else (*reading.own, shape)
    place = reading.numbers.index(way.meld)
    shape = enlarged(reading.rules, reading.own[place], cards)
    return None if shape is None else (*reading.own[:place], shape, *reading.own[place + 1 :])


def _after_laying(
    reading: Reading, hand: Sequence[str], shapes: tuple[Shape, ...]
) -> tuple[list[str], tuple[Shape, ...]]:
    """Hand and melds after the clean melds and the single cards that would be laid at once."""
    left = list(hand)
    for _ in range(6):
        held = Held(tuple(left))
        found = [shape for cards in new_melds(reading.rules, held) if (shape := judge(reading.rules, cards))]
        clean = [shape for shape in found if shape.clean]
        if not clean:
            break
        shape = max(clean, key=lambda one: (len(one.cards), sum(TABLE_VALUE[card] for card in one.cards)))
        shapes = (*shapes, shape)
        left = [card for card in left if card not in shape.cards]
    again = True
    while again:
        again = False
        for card in left:
            for place, shape in enumerate(shapes):
                larger = enlarged(reading.rules, shape, (card,))
                if larger is not None and (larger.clean or not shape.clean):
                    shapes = (*shapes[:place], larger, *shapes[place + 1 :])
                    left.remove(card)
                    again = True
                    break
            if again:
                break
    return left, shapes
