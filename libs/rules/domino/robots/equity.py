"""What a score is worth: the chance to win the match from it, by a plain model of how rounds go.

Each side wins half of the rounds to come, and a round pays as much as it does between robots that play with sense.
"""

from __future__ import annotations

from functools import cache

from libs.rules.domino.scoring import POINTS_TO_WIN

_PAYS = ((6, 0.15), (11, 0.25), (16, 0.25), (22, 0.2), (30, 0.15))


@cache
def equity(ours: int, theirs: int) -> float:
    """The chance to win from this score; scores of 50 and more count as 50."""
    if ours >= POINTS_TO_WIN:
        return 1.0
    if theirs >= POINTS_TO_WIN:
        return 0.0
    won = sum(share * equity(ours + points, theirs) for points, share in _PAYS)
    lost = sum(share * equity(ours, theirs + points) for points, share in _PAYS)
    return (won + lost) / 2
