"""The matcher of the ranked queues: one at a time over all replicas, by a lock that ends with its connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID, uuid5

import psycopg
import structlog

from libs.eventlog.decider import Rejection
from libs.eventlog.errors import EventLogError
from libs.rules.registry import GAMES
from services.matchmaking.places import Seating
from services.matchmaking.queue import form
from services.matchmaking.reads import Reads
from services.matchmaking.seating import members_of
from services.matchmaking.starter import ACTOR, Starter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TICK_S: Final = 0.5
_LOCK: Final = 7_203_115_001
_PAUSE_S: Final = 2.0
_IDS: Final = UUID("d8b5a9d4-3a42-5b0c-8d0e-2c1a4c1f6e77")

log = structlog.get_logger()


class Matcher:
    """Forms ranked matches of the open tickets."""

    def __init__(
        self, conninfo: str, reads: Reads, seating: Seating, starter: Starter, now: Callable[[], datetime]
    ) -> None:
        self._conninfo = conninfo
        self._reads = reads
        self._seating = seating
        self._starter = starter
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
                async with self._held() as is_held:
                    while is_held:
                        await self.tick()
                        await self._pause()
            except (psycopg.OperationalError, EventLogError) as error:
                log.warning("the matcher has lost the log", error=repr(error))
            await asyncio.sleep(_PAUSE_S)

    async def tick(self) -> int:
        """Forms what can be formed now; gives how many matches."""
        formed = 0
        seats = {
            preset: max(count for count in game.player_counts if count <= 4)
            for preset, game in GAMES.items()
            if "@" not in preset
        }
        for pair in form(await self._reads.tickets(), seats, self._now()):
            answer = await self._seating.handle(
                members_of(pair), pair, command_id=str(uuid5(_IDS, pair.table_id)), actor=ACTOR
            )
            if isinstance(answer, Rejection):
                # Somebody has left the queue in this moment: the next tick sees who is left.
                continue
            formed += 1
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

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[bool]:
        connection = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, connect_timeout=5, application_name="carteado matcher"
        )
        async with connection:
            cursor = await connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,))
            row = await cursor.fetchone()
            yield bool(row and row[0])
