"""The Liga's numbers: a versioned value that every event names. docs/league.md says them to people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

Outcome = Literal["win", "draw", "loss", "abandoned"]

League = Literal["bronze", "prata", "ouro", "platina", "diamante", "pro"]

Feat = Literal["zap_on_last_trick", "bandeira", "canastra_de_1000"]

LEAGUES: Final[tuple[League, ...]] = get_args(League)
"""From the one in which everybody starts to the highest."""

FIRST_LEAGUE: Final[League] = LEAGUES[0]


class Policy(msgspec.Struct, frozen=True):
    """One version of the numbers. A week is scored by one policy from its first match to its last correction."""

    name: str
    win_points: int
    draw_points: int
    loss_points: int
    abandoned_points: int
    bonus_matches: int
    bonus_percent: int
    zone_part: int
    trophies: int
    medals: tuple[int, ...]
    feats: tuple[Feat, ...]

    def points(self, outcome: Outcome, number_of_day: int) -> int:
        """What a match gives that was the player's `number_of_day`-th of its day by end time, counted from 1.

        Abandoning costs the same on every match.
        """
        if outcome == "abandoned":
            return self.abandoned_points
        given = {"win": self.win_points, "draw": self.draw_points, "loss": self.loss_points}[outcome]
        return given * self.percent(number_of_day) // 100

    def percent(self, number_of_day: int) -> int:
        """By how much the match's points are multiplied, in percent."""
        return self.bonus_percent if number_of_day <= self.bonus_matches else 100

    def promoted(self, league: League, players: int) -> int:
        """How many of a league's players go up: ceil(n/5), nobody from Pro."""
        return 0 if league == LEAGUES[-1] else -(-players // self.zone_part)

    def relegated(self, league: League, players: int) -> int:
        """How many go down: floor(n/5), nobody from Bronze."""
        return 0 if league == LEAGUES[0] else players // self.zone_part


LIGA_1: Final = Policy(
    name="liga-1",
    win_points=100,
    draw_points=50,
    loss_points=10,
    abandoned_points=-200,
    bonus_matches=3,
    bonus_percent=150,
    zone_part=5,
    trophies=3,
    medals=(10, 100, 1000),
    feats=("zap_on_last_trick", "bandeira", "canastra_de_1000"),
)

POLICIES: Final[Mapping[str, Policy]] = {policy.name: policy for policy in (LIGA_1,)}
"""Every policy that ever scored a week, by the name that its events have."""

CURRENT: Final = LIGA_1
"""By which a week that begins now is scored."""


def higher(league: League) -> League:
    """The next league up; Pro is the highest."""
    return LEAGUES[min(LEAGUES.index(league) + 1, len(LEAGUES) - 1)]


def lower(league: League) -> League:
    """The next league down; Bronze is the lowest."""
    return LEAGUES[max(LEAGUES.index(league) - 1, 0)]
