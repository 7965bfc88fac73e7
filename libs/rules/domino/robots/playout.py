"""Plays a round on with known tiles, quickly: how a robot looks into the hands that the others may hold.

Tiles are numbers here, ordered by weight, and hands are masks of them, so that the heaviest tile that fits is the highest bit.
Everybody plays plainly: the heaviest tile that fits, a double before other tiles of its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libs.rules.domino.tiles import HALVES, NAMES, PIPS

WEIGHED: tuple[str, ...] = tuple(
    sorted(NAMES, key=lambda name: (PIPS[name], HALVES[name][0] == HALVES[name][1], name))
)
"""The tiles from the lightest to the heaviest; tile n is bit n of a mask."""

PLACES = {name: place for place, name in enumerate(WEIGHED)}
FITTING: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        sum(1 << place for place, name in enumerate(WEIGHED) if left in HALVES[name] or right in HALVES[name])
        for right in range(7)
    )
    for left in range(7)
)
"""The tiles that fit two ends, as a mask."""

_LOW = tuple(HALVES[name][0] for name in WEIGHED)
_HIGH = tuple(HALVES[name][1] for name in WEIGHED)
_PIPS = tuple(PIPS[name] for name in WEIGHED)


class Outcome(NamedTuple):
    """The side that wins a round, and its points."""

    side: int
    points: int


def outcome(hands: Sequence[int], seat: int, ends: tuple[int, int]) -> Outcome:
    """How the round ends if this seat has just played, these ends are open, and all play on plainly."""
    left, right = ends
    hands = list(hands)
    unplayed = hands[0] | hands[1] | hands[2] | hands[3]
    while True:
        if not hands[seat]:
            return Outcome(seat & 1, _pips(hands[1 - (seat & 1)]) + _pips(hands[3 - (seat & 1)]))
        fitting = FITTING[left][right]
        if not unplayed & fitting:
            return _blocked(hands, seat & 1)
        seat = (seat + 1) & 3
        playable = hands[seat] & fitting
        while not playable:
            seat = (seat + 1) & 3
            playable = hands[seat] & fitting
        place = playable.bit_length() - 1
        bit = 1 << place
        hands[seat] ^= bit
        unplayed ^= bit
        low, high = _LOW[place], _HIGH[place]
        if low == left:
            left = high
        elif high == left:
            left = low
        elif low == right:
            right = high
        else:
            right = low


def _blocked(hands: Sequence[int], locking_side: int) -> Outcome:
    even = _pips(hands[0]) + _pips(hands[2])
    odd = _pips(hands[1]) + _pips(hands[3])
    if even == odd:
        return Outcome(1 - locking_side, even)
    return Outcome(0, odd) if even < odd else Outcome(1, even)


def _pips(mask: int) -> int:
    pips = 0
    while mask:
        place = mask.bit_length() - 1
        pips += _PIPS[place]
        mask ^= 1 << place
    return pips


def mask_of(tiles: Sequence[str]) -> int:
    """Tiles as a mask of this module."""
    mask = 0
    for tile in tiles:
        mask |= 1 << PLACES[tile]
    return mask
