"""The weaker robot that a person may sit with: it looks after its own next turn, and remembers who passed at what.

It plays doubles early, leaves open what it holds more of and what an opponent has passed at, and spares its partner the
numbers that the partner has passed at.
"""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.domino.moves import DominoMove
from libs.rules.domino.robots.offered import offered, own_seat
from libs.rules.domino.tiles import BEYOND, HALVES, PIPS
from libs.rules.domino.view import DominoView

_DOUBLE = 3.0
_NEXT_FITS = 2.0
"""For each tile left in hand that an open end would take."""
_OPPONENT_LACKS = 4.0
_PARTNER_LACKS = -3.0


def simple_move(view: DominoView, chance: Chance) -> DominoMove:
    """The move that looks best at first sight, ties by chance. Raises ValueError when there is nothing to do."""
    moves = offered(view)
    seat = own_seat(view)
    held = view.hands[seat].tiles
    lacking = lacking_numbers(view)
    worths = [_worth(move, seat, held, view.ends, lacking) for move in moves]
    best = max(worths)
    choices = [move for move, worth in zip(moves, worths, strict=True) if worth == best]
    return choices[chance.randrange(len(choices))]


def _worth(
    move: DominoMove,
    seat: int,
    held: Sequence[str],
    ends: tuple[int, int] | None,
    lacking: Sequence[frozenset[int]],
) -> float:
    low, high = HALVES[move.tile]
    worth = float(PIPS[move.tile]) + (_DOUBLE if low == high else 0.0)
    after = ends_after(move, ends)
    worth += _NEXT_FITS * sum(not set(after).isdisjoint(HALVES[tile]) for tile in held if tile != move.tile)
    for number in after:
        for other in range(4):
            if number in lacking[other]:
                worth += _PARTNER_LACKS if (other - seat) % 2 == 0 else _OPPONENT_LACKS
    return worth


def ends_after(move: DominoMove, ends: tuple[int, int] | None) -> tuple[int, int]:
    """What is open once a legal move is made."""
    if ends is None:
        return HALVES[move.tile]
    left, right = ends
    beyond = BEYOND[move.tile]
    return (beyond[left], right) if move.end == "left" else (left, beyond[right])


def lacking_numbers(view: DominoView) -> tuple[frozenset[int], ...]:
    """By seat, the numbers that it is known not to hold, because it passed when they were open (D-04)."""
    lacking: list[set[int]] = [set(), set(), set(), set()]
    for passed in view.passes:
        # The tile of the turn before left these ends open.
        lacking[passed.seat].update(view.plays[passed.turn - 2].ends)
    return tuple(map(frozenset, lacking))
