"""The deal of a round, so described that anyone can repeat it from the match's secret once that is revealed.

Round n (counted from 1) shuffles `tiles.NAMES` under the label `round-<n>`. Of the shuffled tiles the first seven go to
seat 0, the next seven to seat 1, and so on: all 28 are dealt. Who holds the 6-6 opens the first round with it (D-01).
"""

from __future__ import annotations

from libs.rules.domino.events import RoundDealt
from libs.rules.domino.state import SEATS, State
from libs.rules.domino.tiles import NAMES
from libs.rules.shuffle import Draws

TILES_PER_SEAT = 7
FIRST_TILE = "6-6"


def _shared_out(draws: Draws, number: int) -> tuple[tuple[str, ...], ...]:
    order = draws.shuffled(f"round-{number}", NAMES)
    return tuple(
        [tuple(order[start : start + TILES_PER_SEAT]) for start in range(0, len(order), TILES_PER_SEAT)]
    )


def first_round(draws: Draws) -> RoundDealt:
    """The deal of round 1: the 6-6 says who opens (D-01)."""
    tiles = _shared_out(draws, 1)
    starter = next(seat for seat in range(SEATS) if FIRST_TILE in tiles[seat])
    return RoundDealt(1, starter, FIRST_TILE, tiles)


def later_round(draws: Draws, number: int, starter: int) -> RoundDealt:
    """The deal of a round after the first, opened with any tile (D-01)."""
    return RoundDealt(number, starter, None, _shared_out(draws, number))


def is_fair_deal(dealt: RoundDealt, before: State, draws: Draws) -> bool:
    """Whether a deal, and who opens it, is what these draws give after the state before it."""
    starter = before.standing.next_starter
    if starter is None:
        return dealt == first_round(draws)
    return dealt == later_round(draws, before.deal.round + 1, starter)
