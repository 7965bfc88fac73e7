"""What is asked of the projection: open tables, tickets, matches to drive on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, LiteralString

import msgspec

from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.errors import LogUnavailableError
from services.matchmaking.queue import Ticket
from services.matchmaking.waiting import WAITING

_CONNECTIONS: Final = 4
MOST_TICKETS: Final = 10_000

_TABLES: LiteralString = """
    SELECT table_id::text, preset, seats::text[], opened_at FROM open_tables
    WHERE (%(preset)s = '' OR preset = %(preset)s) ORDER BY taken DESC, opened_at, table_id LIMIT %(limit)s
"""
_TICKETS: LiteralString = """
    SELECT ticket_id::text, player_id::text, preset, since FROM tickets ORDER BY since, ticket_id LIMIT %(limit)s
"""
_GONE: LiteralString = """
    SELECT waiting.player_id::text, greatest(seen.seen_at, waiting.since) AS last
    FROM (
        SELECT player_id, since FROM tickets
        UNION ALL
        SELECT seat, opened_at FROM open_tables, unnest(seats) AS seat WHERE seat IS NOT NULL
    ) AS waiting
    LEFT JOIN waiting_seen AS seen USING (player_id)
    WHERE greatest(seen.seen_at, waiting.since) < now() - %(after)s
    ORDER BY last LIMIT %(limit)s
"""
_MATCHES: LiteralString = """
    SELECT match_id::text FROM matches WHERE status IN ('formed', 'voided') ORDER BY formed_at LIMIT 1000
"""
_STARTED: LiteralString = """
    SELECT match_id::text FROM matches WHERE status = 'started' AND formed_at < %(before)s
    ORDER BY formed_at LIMIT %(limit)s
"""
_COUNTS: LiteralString = """
    SELECT (SELECT count(*) FROM open_tables), (SELECT count(*) FROM tickets), (SELECT count(*) FROM matches)
"""


class ListedTable(msgspec.Struct, frozen=True):
    """An open table; a free seat is None."""

    table_id: str
    preset: str
    seats: tuple[str | None, ...]
    opened_at: datetime


class Reads:
    """Reads the projection over a few connections; every method raises LogUnavailableError."""

    def __init__(self, conninfo: str) -> None:
        """Connects when it is asked; the projection's tables must be there."""
        self._connections = ReaderPool(conninfo, size=_CONNECTIONS)

    async def open_tables(self, preset: str, limit: int) -> list[ListedTable]:
        """Open tables of a game, or of all; the fullest first."""
        rows = await self._fetch(_TABLES, {"preset": preset, "limit": limit})
        return [ListedTable(table_id, game, tuple(seats), at) for table_id, game, seats, at in rows]

    async def tickets(self) -> list[Ticket]:
        """Who waits for a ranked match, the longest first."""
        return [Ticket(*row) for row in await self._fetch(_TICKETS, {"limit": MOST_TICKETS})]

    async def gone(self, after: timedelta, limit: int) -> list[tuple[str, datetime]]:
        """Who waits in a queue or at an open table and has not been asked for since so long, and when that last was."""
        rows = await self._fetch(_GONE, {"after": after, "limit": limit})
        return [(player_id, last) for player_id, last in rows]

    async def unsettled(self) -> Sequence[str]:
        """Matches that are to be set up, or whose players are to be freed."""
        return [match_id for (match_id,) in await self._fetch(_MATCHES, {})]

    async def started_before(self, before: datetime, limit: int) -> Sequence[str]:
        """Running matches that were formed before this time, the oldest first."""
        return [match_id for (match_id,) in await self._fetch(_STARTED, {"before": before, "limit": limit})]

    async def counts(self) -> tuple[int, int, int]:
        """Open tables, tickets, matches that are not over."""
        ((tables, tickets, matches),) = await self._fetch(_COUNTS, {})
        return int(tables), int(tickets), int(matches)

    async def is_reachable(self) -> bool:
        """Whether the database answers now."""
        try:
            await self._fetch("SELECT 1", {})
        except LogUnavailableError:
            return False
        return True

    async def close(self) -> None:
        """Closes the connections."""
        await self._connections.close()

    async def _fetch(self, statement: LiteralString, values: dict[str, object]) -> list[tuple[Any, ...]]:
        run: Callable[[Connection], Awaitable[list[tuple[Any, ...]]]] = _read(statement, values)
        return await self._connections.run(run)


def _read(
    statement: LiteralString, values: dict[str, object]
) -> Callable[[Connection], Awaitable[list[tuple[Any, ...]]]]:
    async def run(connection: Connection) -> list[tuple[Any, ...]]:
        async with connection.transaction():
            await connection.execute(
                "SELECT set_config('search_path', %s, true)", (f"{WAITING.schema}, public",)
            )
            cursor = await connection.execute(statement, values)
            return await cursor.fetchall()

    return run
