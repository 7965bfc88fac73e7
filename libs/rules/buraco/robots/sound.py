"""How a sound player lays: whatever makes table and hand together worth more, one meld or card at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from libs.rules.buraco.legal import Legal
from libs.rules.buraco.melds import Shape, canastra_points, enlarged, judge
from libs.rules.buraco.moves import ExtendMeld, LayMeld
from libs.rules.buraco.robots.reading import Reading
from libs.rules.buraco.robots.worth import hand_worth, patience, table_worth
from libs.rules.buraco.scoring import worth as card_points

Laying = LayMeld | ExtendMeld

_MORTO = 130.0
"""What emptying the hand for a morto is worth: the hundred, and cards that are wanted."""
_DIRECT = 25.0
"""What it is worth besides to take the morto and play on."""


def layings(reading: Reading, legal: Legal) -> Iterator[tuple[Laying, tuple[str, ...], tuple[Shape, ...]]]:
    """Each described laying, with the cards that it takes and the own melds after it."""
    for cards in legal.new_melds:
        shape = judge(reading.rules, cards)
        if shape is not None:
            yield LayMeld(legal.turn, cards), cards, (*reading.own, shape)
    for addition in legal.additions:
        place = reading.numbers.index(addition.meld)
        ways: list[tuple[str, ...]] = [(card,) for card in addition.cards]
        if addition.together:
            ways.append(addition.together)
        for cards in ways:
            shape = enlarged(reading.rules, reading.own[place], cards)
            if shape is not None:
                melds = (*reading.own[:place], shape, *reading.own[place + 1 :])
                yield ExtendMeld(legal.turn, addition.meld, cards), cards, melds


def position_worth(reading: Reading, hand: Sequence[str], shapes: Sequence[Shape], time: float) -> float:
    """Table and hand together."""
    total = table_worth(reading, shapes, time) + hand_worth(reading, hand, shapes, time)
    if reading.may_take_morto and len(hand) <= 1:
        total += _MORTO + (0.0 if hand else _DIRECT)
    return total


def best_laying(reading: Reading, legal: Legal) -> Laying | None:
    """The laying that improves the position most; None where each makes it worse."""
    time = patience(reading)
    best = position_worth(reading, reading.hand, reading.own, time)
    found: Laying | None = None
    for move, cards, shapes in layings(reading, legal):
        left = [card for card in reading.hand if card not in cards]
        worth = position_worth(reading, left, shapes, time)
        if len(left) <= 1 and not reading.may_take_morto:
            # A single card left goes with the discard: that ends the deal too.
            going_out = _worth_of_going_out(reading, shapes)
            worth += min(going_out, 60.0) if left else going_out
        if worth > best:
            best, found = worth, move
    return found


def _worth_of_going_out(reading: Reading, shapes: Sequence[Shape]) -> float:
    """To end a deal that is won with these melds is worth everything; one that is lost, nothing."""
    lead = reading.lead + _points(reading, shapes) - _points(reading, reading.own)
    if lead > 0 or reading.turns_left < 1.0:
        return 400.0
    return -400.0


def _points(reading: Reading, shapes: Sequence[Shape]) -> int:
    rules = reading.rules
    return sum([card_points(rules, shape.cards) + canastra_points(rules, shape) for shape in shapes])
