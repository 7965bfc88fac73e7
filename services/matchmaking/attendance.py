"""Who waits and is gone: a player whose client no longer asks for the place is taken out of queue and open table.

Whoever has closed the window would otherwise be seated one day, be absent, lose points for it, and spoil the match of the
others. A client that waits asks again and again (docs/client.md), which is noted in a plain table that all replicas share.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final, LiteralString
from uuid import UUID, uuid5

import psycopg
import structlog

from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.errors import EventLogError, LogUnavailableError
from libs.eventlog.migrations import find_migrations, migrate
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.places import Places
from services.matchmaking.reads import Reads

GONE_AFTER: Final = timedelta(minutes=2)
"""Longer than a browser lets a window in the background sleep, and than a line is lost underground."""

_NOTES_A_SPAN: Final = 8
_LOOKS_A_SPAN: Final = 12
_MOST_NOTED: Final = 50_000
_MOST_GONE: Final = 500
_KEPT: Final = timedelta(days=1)
_CONNECTIONS: Final = 2
_COMPONENT: Final = "matchmaking"
_IDS: Final = UUID("0b1f6a8e-0c4a-5f5e-9d0e-5b6a3c1d7e42")

_NOTE: LiteralString = """
    INSERT INTO waiting_seen (player_id, seen_at) VALUES (%(player_id)s, now())
    ON CONFLICT (player_id) DO UPDATE SET seen_at = excluded.seen_at
"""
_FORGET: LiteralString = "DELETE FROM waiting_seen WHERE seen_at < now() - %(kept)s"

log = structlog.get_logger()


class Attendance:
    """Notes who asks, and may look for who does not on every replica."""

    def __init__(
        self,
        conninfo: str,
        reads: Reads,
        places: Places,
        metrics: MatchmakingMetrics,
        *,
        gone_after: timedelta = GONE_AFTER,
    ) -> None:
        """Connects when it is asked; the table must be there (`migrate_attendance`), and the projection's."""
        self._connections = ReaderPool(conninfo, size=_CONNECTIONS)
        self._reads = reads
        self._places = places
        self._metrics = metrics
        self._gone_after = gone_after
        self._noted: dict[str, float] = {}

    async def note(self, player_id: str) -> None:
        """A client asks for this player, who waits or is about to. Raises LogUnavailableError."""
        now_s = asyncio.get_running_loop().time()
        span_s = self._gone_after.total_seconds() / _NOTES_A_SPAN
        if now_s - self._noted.get(player_id, -span_s) < span_s:
            return
        await self._connections.run(_executed(_NOTE, {"player_id": player_id}))
        if len(self._noted) >= _MOST_NOTED:
            self._noted = {one: at_s for one, at_s in self._noted.items() if now_s - at_s < span_s}
        self._noted[player_id] = now_s

    async def run(self) -> None:
        """Looks until cancelled. While the platform itself was away nobody could ask: then all have the whole time again."""
        while True:
            await asyncio.sleep(self._gone_after.total_seconds())
            try:
                while True:
                    await self.look()
                    pause_s = self._gone_after.total_seconds() / _LOOKS_A_SPAN
                    await asyncio.sleep(pause_s * random.uniform(0.75, 1.25))  # noqa: S311 - jitter
            except EventLogError as error:
                log.warning("who waits is not looked for while the log is away", error=repr(error))

    async def look(self) -> int:
        """Takes out who is gone; gives how many. Raises EventLogError."""
        gone = await self._reads.gone(self._gone_after, _MOST_GONE)
        for player_id, last in gone:
            command_id = str(uuid5(_IDS, f"{player_id} {last.isoformat()}"))
            await self._places.leave_waiting(player_id, command_id, "service:matchmaking")
            self._metrics.is_gone()
        await self._connections.run(_executed(_FORGET, {"kept": _KEPT}))
        return len(gone)

    async def close(self) -> None:
        """Closes the connections."""
        await self._connections.close()


async def migrate_attendance(conninfo: str) -> None:
    """Brings the table beside the log to this code's schema; raises what `libs.eventlog.migrations.migrate` does."""
    try:
        await migrate(conninfo, _COMPONENT, find_migrations("services.matchmaking.migrations"))
    except psycopg.OperationalError as error:
        raise LogUnavailableError(f"the database of matchmaking cannot be reached: {error}") from error


def _executed(statement: LiteralString, values: dict[str, Any]) -> Callable[[Connection], Awaitable[None]]:
    async def run(connection: Connection) -> None:
        await connection.execute(statement, values)

    return run
