"""What can be asked and answered in a hand: its turns and its moves, made once and the same in every match.

They are what a state waits for, what clocks are named with and what legal moves are listed from, so that a card makes none
of them anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import msgspec

from libs.rules.game import Awaited, LegalMove, Seat
from libs.rules.sueca.cards import PACK
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.rules.sueca.scoring import TRICKS

Listed = LegalMove[SuecaMove]

Moves = tuple[tuple[Listed, ...], ...]
"""The moves of a hand, by trick and by the card's place in the pack."""


class Pause(msgspec.Struct, frozen=True, gc=False):
    """Nobody's turn: before the first deal, when a trick is complete, and when the match is over."""

    hand: int
    trick: int
    leader: int
    seat: ClassVar[None] = None
    next_seat: ClassVar[None] = None
    awaited: ClassVar[None] = None

    @property
    def after(self) -> Pause:
        """No card ends a pause."""
        return self


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Whose turn it is to play to a trick that `leader` leads, and what comes `after` that card.

    `next_seat` is who plays then, None where this card completes the trick.
    """

    hand: int
    trick: int
    leader: int
    seat: int
    next_seat: int | None
    awaited: Awaited
    after: Turn | Pause


Turns = tuple[tuple[Turn, ...], ...]
"""The first turns of a hand's tricks, by trick and by who leads."""

_COUNTED = range(TRICKS + 2)
"""Tricks are counted from 1, and one more is begun when the last one has ended."""
_SEATS = 4
_ALONE = tuple([(Seat(seat),) for seat in range(_SEATS)])
_HANDS_KEPT = 64


@lru_cache(maxsize=_HANDS_KEPT)
def moves_of(hand: int) -> Moves:
    """All moves of a hand; hands are counted from 1."""
    return tuple([tuple([LegalMove(PlayCard(hand, trick, card)) for card in PACK]) for trick in _COUNTED])


@lru_cache(maxsize=_HANDS_KEPT)
def turns_of(hand: int, seconds: int) -> Turns:
    """The turns of a hand in which a card has so many seconds."""
    return tuple(
        [tuple([_first(hand, trick, leader, seconds) for leader in range(_SEATS)]) for trick in _COUNTED]
    )


def _first(hand: int, trick: int, leader: int, seconds: int) -> Turn:
    """The first turn of a trick: seats are numbered in order of play (G-02), so that one leads to the next."""
    turn = _turn(Pause(hand, trick, leader), _SEATS - 1, seconds)
    for lying in (2, 1, 0):
        turn = _turn(turn, lying, seconds)
    return turn


def _turn(after: Turn | Pause, lying: int, seconds: int) -> Turn:
    """The turn before another one, or before the trick's end, with so many cards on the table."""
    seat = (after.leader + lying) % _SEATS
    awaited = Awaited(f"{after.hand}.{after.trick}.{lying}", _ALONE[seat], seconds)
    return Turn(after.hand, after.trick, after.leader, seat, after.seat, awaited, after)
