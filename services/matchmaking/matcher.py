"""The matcher of the ranked queues: one at a time over all replicas."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

import psycopg
import structlog

from libs.eventlog.decider import Rejection
from libs.eventlog.errors import EventLogError
from libs.rules.registry import GAMES
from services.matchmaking.matcher_lock import MatcherLock, matcher_lock
from services.matchmaking.metrics import RANKED, MatchmakingMetrics
from services.matchmaking.places import Seating
from services.matchmaking.queue import form
from services.matchmaking.reads import Reads
from services.matchmaking.seating import members_of
from services.matchmaking.starter import ACTOR, Starter

TICK_S: Final = 0.5
_PAUSE_S: Final = 2.0
_IDS: Final = UUID("d8b5a9d4-3a42-5b0c-8d0e-2c1a4c1f6e77")

_SEATS: Final = {
    preset: max(count for count in GAMES[preset].player_counts if count <= 4) for preset in RANKED
}
"""How many play a ranked match of each game."""

log = structlog.get_logger()


class Matcher:
    """Forms ranked matches of the open tickets."""

    def __init__(
        self,
        conninfo: str,
        reads: Reads,
        seating: Seating,
        starter: Starter,
        metrics: MatchmakingMetrics,
        now: Callable[[], datetime],
    ) -> None:
        self._conninfo = conninfo
        self._reads = reads
        self._seating = seating
        self._starter = starter
        self._metrics = metrics
        self._now = now
        self._wake = asyncio.Event()
        self._starting: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        """Somebody has joined a queue here."""
        self._wake.set()

    async def run(self) -> None:
        """Ticks twice a second while this replica has the lock; until cancelled."""
        while True:
            try:
                async with matcher_lock(self._conninfo) as lock:
                    if await lock.take():
                        await self._match(lock)
            except (psycopg.OperationalError, EventLogError) as error:
                log.warning("the matcher has lost the log", error=repr(error))
            finally:
                self._metrics.set_matcher(is_matcher=False)
            await asyncio.sleep(_PAUSE_S * random.uniform(0.75, 1.25))  # noqa: S311 - jitter

    async def _match(self, lock: MatcherLock) -> None:
        self._metrics.set_matcher(is_matcher=True)
        while await lock.is_held():
            await self.tick()
            await self._pause()
        log.warning("the matcher has lost its lock: another replica may form matches now")

    async def tick(self) -> int:
        """Forms what can be formed now; gives how many matches."""
        tickets, now = await self._reads.tickets(), self._now()
        since = {ticket.ticket_id: ticket.since for ticket in tickets}
        formed = 0
        for pair in form(tickets, _SEATS, now):
            answer = await self._seating.handle(
                members_of(pair), pair, command_id=str(uuid5(_IDS, pair.table_id)), actor=ACTOR
            )
            if isinstance(answer, Rejection):
                # Somebody has left the queue in this moment: the next tick sees who is left.
                continue
            formed += 1
            if not answer.duplicate:
                waited = [(now - since[ticket]).total_seconds() for ticket in pair.tickets]
                self._metrics.matched(pair.preset, waited)
            task = asyncio.create_task(self._starter.settle(pair.table_id))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)
        return formed

    async def _pause(self) -> None:
        self._wake.clear()
        try:
            async with asyncio.timeout(TICK_S):
                await self._wake.wait()
        except TimeoutError:
            return
        # The projection is a moment behind whoever has just joined.
        await asyncio.sleep(TICK_S / 10)
