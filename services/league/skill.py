"""How strong players are, by the results of pairs; apart from points, and for matchmaking alone.

Plackett–Luce by openskill. A rating depends on the order of the matches: that order is the log's. Each event holds the
rating that it led to, so a rebuild gives what was live, and never computes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from openskill.models import PlackettLuce


class Rating(msgspec.Struct, frozen=True):
    """A normal distribution of what a player may be worth."""

    mu: float
    sigma: float


_MODEL: Final = PlackettLuce()

FIRST_RATING: Final = Rating(_MODEL.mu, _MODEL.sigma)
"""Of whom nothing is known."""


def rate(
    sides: Mapping[int, Sequence[str]], ranks: Mapping[int, int], before: Mapping[str, Rating]
) -> dict[str, Rating]:
    """The players' ratings after a match; a side's lower rank is better, equal ranks are a draw."""
    order = sorted(sides)
    teams = [
        [_MODEL.create_rating([before[player].mu, before[player].sigma]) for player in sides[side]]
        for side in order
    ]
    rated = _MODEL.rate(teams, ranks=[float(ranks[side]) for side in order])
    return {
        player: Rating(after.mu, after.sigma)
        for side, team in zip(order, rated, strict=True)
        for player, after in zip(sides[side], team, strict=True)
    }
