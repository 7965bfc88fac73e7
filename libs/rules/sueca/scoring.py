"""What a hand of Sueca is worth (S-04 to S-07)."""

from __future__ import annotations

from typing import Literal

TieCarry = Literal["cumulative", "single"]

GAME_POINTS_TO_WIN = 4
TRICKS = 10
TIE = 60


def hand_points(points: int, tricks: int, carry: int) -> int:
    """The game points of the side that won a hand with these card points (61 to 120) and tricks.

    All ten tricks are 4, whatever the carry (S-06); else 1, or 2 from 91 points on, and the carry (S-04, S-05).
    """
    if tricks == TRICKS:
        return GAME_POINTS_TO_WIN
    return (2 if points > 90 else 1) + carry


def carry_after_tie(carry: int, tie_carry: TieCarry) -> int:
    """The carry after one more 60-60: one more for each (S-05 `cumulative`), or never more than one (`single`)."""
    return carry + 1 if tie_carry == "cumulative" else 1


def capped(score: int) -> int:
    """A score as it is shown: never above what wins (S-07)."""
    return min(score, GAME_POINTS_TO_WIN)
