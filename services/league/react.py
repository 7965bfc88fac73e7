"""The Liga's reactions to a closed table: its week is opened, its points are given, and its feats are honoured, once.

The command's id comes from the message's service, partition and position, and the score's natural key is the match:
doubled, late and shuffled delivery, rewinding and re-driving change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

import structlog
from prometheus_client import CollectorRegistry, Counter

from carteado.table.v1.events_pb2 import TableClosed
from libs.eventlog.decider import Rejection
from libs.eventlog.errors import ContentionError
from libs.eventlog.reactions import Message
from libs.eventlog.runtime import COMMAND_ID_REUSED, Runtime
from libs.eventlog.together import CommittedTogether, Together
from services.league.achievement import AchievementState, HonourFeat, achievement_id
from services.league.calendar import week_of, year_of
from services.league.closing import Weeks
from services.league.errors import (
    MATCH_ALREADY_SCORED,
    STANDING_ENDED,
    WEEK_ALREADY_CLOSED,
    WEEK_ALREADY_OPEN,
)
from services.league.events import AchievementWon, LateMatchScored, LeagueEvent
from services.league.feats import Shown, feats_of, has_feats
from services.league.league_week import OpenWeek, league_week_id
from services.league.policy import CURRENT
from services.league.records import Records
from services.league.results import MatchResult, read_result
from services.league.scoring import ScoringState, members_of
from services.league.years import Years

CLOSED_SUBJECT: Final = "carteado.table.closed.v1"

ACTOR: Final = "service:table"

_IDS: Final = UUID("6d0a5a3e-6a43-5d0d-8d4f-0a9a4f1c9b70")
_TRIES: Final = 3
_MOST_OPEN: Final = 10_000

log = structlog.get_logger()

Achievements = Runtime[AchievementState, HonourFeat, AchievementWon]

Scoring = Together[ScoringState, MatchResult, LeagueEvent]


class ResultRefusedError(Exception):
    """A result cannot be counted; its code is the reason with which the message is put aside."""


class LeagueMetrics:
    """What became of the results that came."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.feats = Counter(
            "carteado_league_feats",
            "Feats in ranked matches: won, or known already",
            ["feat", "outcome"],
            registry=registry,
        )
        self.results = Counter(
            "carteado_league_results",
            "Closed tables, by what became of them: counted, late, already counted, or why they do not count",
            ["outcome"],
            registry=registry,
        )


class Results:
    """Counts results. Every method may run on every replica, and again."""

    def __init__(
        self,
        weeks: Weeks,
        years: Years,
        scoring: Scoring,
        now: Callable[[], datetime],
        metrics: LeagueMetrics,
    ) -> None:
        self._weeks = weeks
        self._years = years
        self._scoring = scoring
        self._now = now
        self._metrics = metrics
        self._open: set[str] = set()

    async def handle(self, message: Message) -> None:
        """Counts the result in a message. Raises MalformedResultError, ResultRefusedError and EventLogError."""
        self._metrics.results.labels(await self.count(message.data, message.command_id("league"))).inc()

    async def count(self, data: bytes, command_id: str) -> str:
        """Counts a serialised `TableClosed`; gives what became of it. Raises as `handle` does."""
        result = read_result(TableClosed.FromString(data))
        if not isinstance(result, MatchResult):
            return result
        await self._open_week(result.game, week_of(result.ended_at))
        answer = await self._score(result, command_id)
        if isinstance(answer, Rejection):
            # The message is known, and then some year had to begin for it: its streams were other ones.
            if answer.code in {MATCH_ALREADY_SCORED.code, COMMAND_ID_REUSED}:
                return "already_counted"
            raise ResultRefusedError(answer.code)
        if answer.duplicate:
            return "already_counted"
        events: list[Any] = [event for committed in answer.commands.values() for event in committed.events]
        if any(isinstance(event, LateMatchScored) for event in events):
            log.warning("a result came after its week's closing", match=result.match_id)
            return "late"
        return "counted"

    async def _score(
        self, result: MatchResult, command_id: str
    ) -> CommittedTogether[ScoringState, LeagueEvent] | Rejection:
        """Counts the result in the running year. A year that ends in that moment has it counted in the next one."""
        for _ in range(_TRIES):
            at = self._now()
            for player in result.players:
                await self._years.begin(result.game, player.player_id, year_of(at))
            answer = await self._scoring.handle(
                members_of(result, at),
                result,
                command_id=command_id,
                actor=ACTOR,
                correlation_id=result.match_id,
                at=at,
            )
            if not isinstance(answer, Rejection) or answer.code != STANDING_ENDED.code:
                return answer
        raise ContentionError(f"{result.match_id}: its players' year has ended {_TRIES} times")

    async def _open_week(self, game: str, week: str) -> None:
        """Before the first points, so that no week with points is ever left open."""
        week_id = league_week_id(game, week)
        if week_id in self._open:
            return
        answer = await self._weeks.handle(
            week_id, OpenWeek(game, week), command_id=str(uuid5(_IDS, week_id)), actor=ACTOR
        )
        if isinstance(answer, Rejection) and answer.code not in {
            WEEK_ALREADY_OPEN.code,
            WEEK_ALREADY_CLOSED.code,
        }:
            raise ResultRefusedError(answer.code)
        if len(self._open) >= _MOST_OPEN:
            self._open.clear()
        self._open.add(week_id)


class Feats:
    """Honours feats. Apart from points: a table service that is away holds achievements up, and nothing else."""

    def __init__(self, achievements: Achievements, records: Records, metrics: LeagueMetrics) -> None:
        self._achievements = achievements
        self._records = records
        self._metrics = metrics

    async def handle(self, message: Message) -> None:
        """Honours what the closed match shows. Raises MalformedResultError, EventLogError, and as `records` does."""
        closed = TableClosed.FromString(message.data)
        result = read_result(closed)
        if not isinstance(result, MatchResult) or not has_feats(result.game):
            return
        # Who has abandoned a match has nothing of it.
        stayed = {one.player_id for one in result.players if one.outcome != "abandoned"}
        players = {seat.index: seat.player_id for seat in closed.seats if seat.player_id in stayed}
        for shown in feats_of(result.game, await self._records(result.match_id)):
            if shown.feat not in CURRENT.feats:
                continue
            for seat in shown.seats:
                if seat in players:
                    await self._honour(result, players[seat], shown, message)

    async def _honour(self, result: MatchResult, player_id: str, shown: Shown, message: Message) -> None:
        body = HonourFeat(result.game, player_id, shown.feat, result.match_id, shown.version, result.ended_at)
        answer = await self._achievements.handle(
            achievement_id(result.game, player_id, shown.feat),
            body,
            command_id=message.command_id(f"league-feat {player_id} {shown.feat} {shown.version}"),
            actor=ACTOR,
            correlation_id=result.match_id,
        )
        is_new = not isinstance(answer, Rejection) and not answer.duplicate
        self._metrics.feats.labels(shown.feat, "won" if is_new else "known").inc()
