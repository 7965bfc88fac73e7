"""Signals between partners (R-23): four gestures, each of which means a manilha's suit for one hand and one side.

Everybody sees a gesture; only the side that makes it is told what it means in this hand.

The tables of hand n are one draw, `draws.below("signals-<n>", 552)`, read as d. The 24 orders of the suits P C E O are
numbered as `itertools.permutations` gives them; side 0 has order d // 23, side 1 the order d mod 23 of those that are
left, so that the two always differ and each pair of tables is equally likely.

>>> len(ORDERS), ORDERS[0], ORDERS[-1]
(24, 'PCEO', 'OECP')
"""

from __future__ import annotations

from itertools import permutations
from typing import Literal, get_args

import msgspec

from libs.rules.shuffle import Draws

Gesture = Literal["piscar", "sobrancelha", "bochecha", "lingua"]

GESTURES: tuple[Gesture, ...] = get_args(Gesture)
"""The four gestures: a wink, an eyebrow, a cheek, the tongue."""

ORDERS: tuple[str, ...] = tuple("".join(order) for order in permutations("PCEO"))
"""Every order of the four suits."""


class SentSignal(msgspec.Struct, frozen=True, gc=False):
    """A gesture that a seat has made in this hand."""

    seat: int
    gesture: str


def signal_tables(hand: int, draws: Draws) -> tuple[str, ...]:
    """For each side the suits that its gestures mean in this hand, in the order of GESTURES, such as `("CPOE", "PCEO")`."""
    others = len(ORDERS) - 1
    first, second = divmod(draws.below(f"signals-{hand}", len(ORDERS) * others), others)
    return ORDERS[first], ORDERS[second + 1 if second >= first else second]


def sent_by(signals: tuple[SentSignal, ...], seat: int) -> tuple[str, ...]:
    """The gestures that a seat has made in this hand: one that comes again would say nothing new."""
    return tuple([signal.gesture for signal in signals if signal.seat == seat]) if signals else ()
