"""How a round ends, and what follows: the next deal, or the end of the match (C-11, C-12, C-13)."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.cacheta.deal import next_round
from libs.rules.cacheta.events import CachetaEvent, MatchEnded, RoundEnded, RoundVoided, WentOut
from libs.rules.cacheta.state import State
from libs.rules.shuffle import Draws

MOST_TURNS = 600
"""C-07: after so many turns a round is void."""

MOST_VOIDS = 3
"""C-11: so many void rounds in a row end the match."""

LOST_TO_NINE = 1
LOST_TO_TEN = 2


def round_won(state: State, out: WentOut, draws: Draws) -> Sequence[CachetaEvent]:
    """Everybody else loses one point, or two to a hand of ten, down to none; the last one left has won (C-12)."""
    lost = LOST_TO_TEN if out.discard is None else LOST_TO_NINE
    points = tuple([had if seat == out.seat else max(had - lost, 0) for seat, had in enumerate(state.points)])
    fallen = tuple([seat for seat, had in enumerate(state.points) if had and not points[seat]])
    ended = RoundEnded(state.round, out.seat, lost, points, fallen)
    if sum(1 for left in points if left) == 1:
        return (ended, MatchEnded(out.seat, points))
    return (ended, next_round(state, points, draws))


def round_void(state: State, reason: str, draws: Draws) -> Sequence[CachetaEvent]:
    """Nobody loses anything; after the third void round in a row who has the most points has won, if only one has (C-11)."""
    running = state.voids + 1
    voided = RoundVoided(state.round, reason, running)
    if running < MOST_VOIDS:
        return (voided, next_round(state, state.points, draws))
    most = max(state.points)
    first = state.points.index(most)
    return (voided, MatchEnded(first if state.points.count(most) == 1 else None, state.points))
