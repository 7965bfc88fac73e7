"""What melds and hands are worth to a robot, in points of the deal: what they are, and what may become of them.

The numbers were tried in `carteado arena`; they are guesses about people, and no rule rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libs.rules.buraco.cards import BLACK_THREES, IS_WILD, JOKER_RANK, RANK, SUIT, TABLE_VALUE
from libs.rules.buraco.melds import CANASTRA, Shape
from libs.rules.buraco.robots.reading import Reading

_CLEAN, _DIRTY = 200, 100
_HOPE = {3: 0.13, 4: 0.24, 5: 0.42, 6: 0.66}
"""How likely a run of so many cards becomes a canastra, with all the time of a deal."""
_HOPE_OF_SET = {3: 0.05, 4: 0.12, 5: 0.24, 6: 0.5}
_TOWARDS_500 = {10: 12, 11: 30, 12: 80}
_ALL_TIME = 8.0
"""So many turns left are all the time that hopes need."""

_FOES_PACE = 0.6
_FOES_MORTO = 3.0
_FOES_CANASTRA = 2.0
"""How many turns the others need for a card of a hand, for a morto, for a canastra."""

_NEIGHBOUR = 9.0
_ONE_APART = 6.0
_PAIR = 7.0
_FITS_SOON = 7.0
_WILD_KEPT = 42.0
_LOCK_KEPT = 17.0
_RUSH_FOR_MORTO = 6.0
_RUSH_TO_END = 4.0
"""What each card that leaves the hand brings nearer, while a morto or the end is to be reached."""


def patience(reading: Reading) -> float:
    """From 1, while there is time for everything, to 0 when the deal is about to end."""
    left = min(reading.turns_left, _FOES_PACE * reading.fewest_of_foes + _turns_before_foes_end(reading))
    return min(1.0, left / _ALL_TIME)


def _turns_before_foes_end(reading: Reading) -> float:
    """What the others still have to do before they may go out, in turns."""
    return (0.0 if reading.foes_have_morto else _FOES_MORTO) + (
        0.0 if reading.foes_have_canastra else _FOES_CANASTRA
    )


def table_worth(reading: Reading, shapes: Iterable[Shape], time: float) -> float:
    """The cards and canastras of these melds of the own side, and their hopes; what a canastra opens counts once."""
    total = 0.0
    has_any = qualifies = False
    for shape in shapes:
        total += sum([TABLE_VALUE[card] for card in shape.cards]) + meld_worth(shape, time)
        if len(shape.cards) >= CANASTRA:
            has_any = True
            qualifies |= shape.clean or reading.rules.go_out == "any"
    if has_any:
        total += 200.0 * reading.red_threes
    if qualifies:
        total += 45.0
    return total


def meld_worth(shape: Shape, time: float) -> float:
    """The bonus of a canastra, or the hope of one."""
    length = len(shape.cards)
    prize = _CLEAN if shape.clean else _DIRTY
    if length >= CANASTRA:
        if shape.kind == "run" and shape.clean:
            if length >= 13:
                return 1000.0 if length == 14 else 500.0
            return prize + time * _TOWARDS_500.get(length, 0)
        return float(prize)
    hopes = _HOPE if shape.kind == "run" else _HOPE_OF_SET
    hope = hopes.get(length, 0.0)
    if not shape.clean and shape.kind == "set":
        hope *= 1.3
    return prize * hope * time


def hand_worth(reading: Reading, hand: Sequence[str], shapes: Sequence[Shape], time: float) -> float:
    """What the cards of a hand promise, less what they cost when the deal ends with them."""
    rules = reading.rules
    promise = 0.0
    for card in hand:
        promise += card_promise(reading, card, hand, shapes)
    risk = 1.0 - 0.75 * time
    cost = sum(
        [
            rules.black_three_in_hand if rules.special_threes and card in BLACK_THREES else TABLE_VALUE[card]
            for card in hand
        ]
    )
    total = promise * time - cost * risk
    count = len(hand)
    if reading.may_take_morto:
        return total - _RUSH_FOR_MORTO * count
    if reading.may_go_out:
        return total - _RUSH_TO_END * count
    # Neither a morto nor an end: with fewer than three cards one only draws and throws.
    return total - (25.0 if count < 3 else 0.0)


def card_promise(reading: Reading, card: str, others: Iterable[str], shapes: Iterable[Shape]) -> float:
    """What a card may be good for, beside the other cards of the hand and the own melds."""
    if IS_WILD[card]:
        return _WILD_KEPT + (6.0 if RANK[card] == JOKER_RANK else 0.0)
    if reading.rules.special_threes and card in BLACK_THREES:
        return _LOCK_KEPT
    rank, suit = RANK[card], SUIT[card]
    best = 0.0
    for other in others:
        if other == card or IS_WILD[other]:
            continue
        if SUIT[other] == suit:
            distance = abs(RANK[other] - rank)
            if 1 in (rank, RANK[other]):
                distance = min(distance, abs(14 - max(rank, RANK[other])))
            if distance == 1:
                best += _NEIGHBOUR
            elif distance == 2:
                best += _ONE_APART
        elif RANK[other] == rank and reading.rules.sets:
            best += _PAIR
    for shape in shapes:
        if shape.kind == "run" and SUIT[shape.cards[len(shape.cards) // 2]] == suit:
            low, high = shape.low, shape.low + len(shape.cards) - 1
            if rank in (low - 2, high + 2) or (rank == 1 and high == 12):
                best += _FITS_SOON
    return min(best, 22.0)
