"""What a score is worth: the chance to win the match from it, by a plain model of how hands go.

A hand pays 1, 3, 6 or 12 as often as it does between robots that raise with sense. Who plays well wins two thirds
of the hands to come, so that it need not stake a match on one of them: with even chances in its place the robot was
measurably weaker against all the others (`carteado arena`).
"""

from __future__ import annotations

from functools import cache

TARGET = 12
_WINS_A_HAND = 0.66
_PAYS = ((1, 0.62), (3, 0.28), (6, 0.07), (12, 0.03))


@cache
def equity(ours: int, theirs: int) -> float:
    """The chance to win from this score; scores above 12 count as 12."""
    if ours >= TARGET:
        return 1.0
    if theirs >= TARGET:
        return 0.0
    won = sum(share * equity(ours + points, theirs) for points, share in _PAYS)
    lost = sum(share * equity(ours, theirs + points) for points, share in _PAYS)
    return _WINS_A_HAND * won + (1 - _WINS_A_HAND) * lost
