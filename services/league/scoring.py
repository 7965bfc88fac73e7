"""One match over all of its players: their weeks and standings change together, or not at all.

The natural key of a score is (match, player), and stands in the player's week: a match that is there is not counted
again, whatever message brings it (fault B114).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import msgspec

from libs.eventlog.decider import Command, Rejection
from libs.eventlog.together import Member
from services.league.calendar import week_of, year_of
from services.league.events import LeagueEvent
from services.league.player_week import PLAYER_WEEK, PlayerWeekState, ScoreMatch, player_week_id
from services.league.results import MatchResult
from services.league.skill import Rating, rate
from services.league.standing import STANDING, CountResult, StandingState, standing_id

ScoringState = PlayerWeekState | StandingState


def members_of(result: MatchResult, at: datetime) -> list[Member]:
    """The aggregates that a match changes when it is counted at this moment."""
    week, year = week_of(result.ended_at), year_of(at)
    return [
        member
        for player in result.players
        for member in (_week(result, week, player.player_id), _standing(result, year, player.player_id))
    ]


def decide_match(
    states: Mapping[Member, ScoringState], command: Command[MatchResult]
) -> Mapping[Member, Sequence[LeagueEvent]] | Rejection:
    """The events of a match for each of its players' weeks and standings; pure."""
    result, week, year = command.body, week_of(command.body.ended_at), year_of(command.at)
    standings = {
        player.player_id: cast("StandingState", states[_standing(result, year, player.player_id)])
        for player in result.players
    }
    ratings = _ratings(result, {player_id: one.rating for player_id, one in standings.items()})
    events: dict[Member, Sequence[LeagueEvent]] = {}
    for player in result.players:
        member = _week(result, week, player.player_id)
        score = ScoreMatch(
            result.game, week, player.player_id, result.match_id, result.ended_at, player.outcome
        )
        scored = PLAYER_WEEK.decide(cast("PlayerWeekState", states[member]), _with(command, score))
        if isinstance(scored, Rejection):
            return scored
        count = CountResult(
            result.game,
            player.player_id,
            result.match_id,
            player.outcome == "win",
            ratings[player.player_id],
        )
        counted = STANDING.decide(standings[player.player_id], _with(command, count))
        if isinstance(counted, Rejection):
            return counted
        events[member] = scored
        events[_standing(result, year, player.player_id)] = counted
    return events


def _ratings(result: MatchResult, before: Mapping[str, Rating]) -> Mapping[str, Rating]:
    if not result.ranks:
        return before
    sides: dict[int, list[str]] = {}
    for player in result.players:
        sides.setdefault(player.side, []).append(player.player_id)
    return rate(sides, dict(zip(sorted(sides), result.ranks, strict=True)), before)


def _week(result: MatchResult, week: str, player_id: str) -> Member:
    return Member(PLAYER_WEEK.category, player_week_id(result.game, week, player_id))


def _standing(result: MatchResult, year: int, player_id: str) -> Member:
    return Member(STANDING.category, standing_id(result.game, player_id, year))


def _with(command: Command[MatchResult], body: ScoreMatch | CountResult) -> Command[Any]:
    return msgspec.structs.replace(cast("Command[Any]", command), body=body)
