"""Matches whose end was not heard of: now and then the table service is asked about those that have lasted long.

`carteado.table.closed.v1` frees players as a rule. Where that message is lost, a player who asks for something is freed
by that (`Whereabouts`), and everybody else by this look.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import structlog

from libs.eventlog.errors import EventLogError
from libs.eventlog.runtime import Runtime
from services.matchmaking.match import MatchState
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.outside import AwayError, TableService
from services.matchmaking.reads import Reads
from services.matchmaking.starter import Starter

ASKED_AFTER: Final = timedelta(minutes=10)
"""A match that was formed so long ago is asked about: few last longer."""
LOOK_EVERY_S: Final = 60.0
MOST_ASKED: Final = 300
"""Matches of one look, those that have lasted longest first: a lost one comes to the front sooner or later."""

_AT_ONCE: Final = 8

log = structlog.get_logger()


class LostEnds:
    """Looks for them. May run on every replica."""

    def __init__(
        self,
        matches: Runtime[Any, Any, Any],
        starter: Starter,
        tables: TableService,
        reads: Reads,
        metrics: MatchmakingMetrics,
        now: Callable[[], datetime],
        *,
        asked_after: timedelta = ASKED_AFTER,
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        self._matches = matches
        self._starter = starter
        self._tables = tables
        self._reads = reads
        self._metrics = metrics
        self._now = now
        self._asked_after = asked_after
        self._look_every_s = look_every_s
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def run(self) -> None:
        """Looks until cancelled."""
        while True:
            await asyncio.sleep(self._look_every_s * random.uniform(0.75, 1.25))  # noqa: S311 - jitter
            try:
                await self.look()
            except (AwayError, EventLogError) as error:
                log.warning("matches that may be over wait for another look", error=repr(error))

    async def look(self) -> int:
        """Ends the matches that are over; gives how many. Raises AwayError and EventLogError."""
        before = self._now() - self._asked_after
        ended = await asyncio.gather(
            *map(self._end_if_over, await self._reads.started_before(before, MOST_ASKED))
        )
        return sum(ended)

    async def _end_if_over(self, match_id: str) -> bool:
        async with self._places:
            match: MatchState = (await self._matches.load(match_id)).state
            if match.status != "started" or await self._tables.is_running(match_id, match.player_ids[0]):
                return False
            await self._starter.end(match_id)
            self._metrics.end_was_lost()
            log.warning("the end of a match was not heard of", match=match_id)
            return True
