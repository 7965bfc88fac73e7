"""Where the shadow worker is: which finished matches come next in a partition, kept by one replica at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final, Literal, LiteralString

import msgspec
import psycopg

from libs.eventlog.connections import Connection, connect, statement_deadline
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.migrations import find_migrations, migrate

Pass = Literal["fresh", "again"]
PASSES: Final[tuple[Pass, ...]] = ("fresh", "again")

_COMPONENT: Final = "table"
_LOCK_SPACE: Final = 0x73686164  # the first key of the advisory locks; the second is the partition
_STATEMENT_S: Final = 5.0

_LOCK: Final = "SELECT pg_try_advisory_lock(%s, %s)"
_UNLOCK: Final = "SELECT pg_advisory_unlock(%s, %s)"
_NEXT: Final = """
    SELECT e.stream, e.position
    FROM shadow_progress p
    JOIN events e ON e.partition = p.partition AND e.position > p.position
    WHERE p.partition = %s AND p.pass = %s AND e.partition = %s AND e.ends_stream
      AND (p.pass = 'fresh' OR e.recorded_at < p.began_at)
    ORDER BY e.position LIMIT %s
"""
_ADVANCE: Final = "UPDATE shadow_progress SET position = %s WHERE partition = %s AND pass = %s"
_BEGIN_ANEW: Final = """
    UPDATE shadow_progress SET position = 0, began_at = now()
    WHERE partition = %s AND pass = 'again' AND began_at <= now() - %s
"""
_BEHIND: Final = """
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(e.recorded_at)), 0)::float8
    FROM shadow_progress p
    CROSS JOIN LATERAL (
        SELECT n.recorded_at FROM events n
        WHERE n.partition = p.partition AND n.position > p.position AND n.ends_stream
        ORDER BY n.position LIMIT 1
    ) AS e
    WHERE p.pass = 'fresh'
"""


class Finished(msgspec.Struct, frozen=True):
    """A finished match: its stream, and the position of its last event."""

    stream: str
    position: int


class Progress:
    """The table `shadow_progress` over one connection. Raises psycopg.OperationalError when it is lost."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    @asynccontextmanager
    async def open(cls, conninfo: str) -> AsyncIterator[Progress]:
        """A connection for as long as the block lasts; the tables must be there (`migrate_shadow`)."""
        connection = await connect(conninfo, "carteado shadow", statement_timeout_s=_STATEMENT_S)
        try:
            yield cls(connection)
        finally:
            await connection.close()

    @asynccontextmanager
    async def held(self, partition: int) -> AsyncIterator[bool]:
        """Whether the partition is ours for as long as the block lasts; another replica may have it."""
        ((is_ours,),) = await self._fetch(_LOCK, (_LOCK_SPACE, partition))
        try:
            yield bool(is_ours)
        finally:
            # A lock of a lost connection is free already.
            if is_ours and not self._connection.closed and not self._connection.broken:
                await self._fetch(_UNLOCK, (_LOCK_SPACE, partition))

    async def next(self, partition: int, which: Pass, limit: int) -> Sequence[Finished]:
        """The next finished matches of a pass, in the order in which they ended; `again` has those from before it."""
        rows = await self._fetch(_NEXT, (partition, which, partition, limit))
        return [Finished(*row) for row in rows]

    async def advance(self, partition: int, which: Pass, position: int) -> None:
        """Everything up to this position has been replayed."""
        await self._execute(_ADVANCE, (position, partition, which))

    async def begin_anew(self, partition: int, every: timedelta) -> None:
        """Lets the pass over all matches, which is through, begin again, if it began long enough ago."""
        await self._execute(_BEGIN_ANEW, (partition, every))

    async def behind_s(self) -> float:
        """The age in seconds of the oldest finished match that was not replayed yet; 0 when there is none."""
        ((seconds,),) = await self._fetch(_BEHIND, ())
        return float(seconds)

    async def _fetch(self, query: LiteralString, values: Sequence[object]) -> list[tuple[Any, ...]]:
        async with statement_deadline(self._connection, _STATEMENT_S):
            cursor = await self._connection.execute(query, values)
            return await cursor.fetchall()

    async def _execute(self, query: LiteralString, values: Sequence[object]) -> None:
        async with statement_deadline(self._connection, _STATEMENT_S):
            await self._connection.execute(query, values)


async def migrate_shadow(conninfo: str) -> None:
    """Brings the tables beside the log to this code's schema; raises what `libs.eventlog.migrations.migrate` does."""
    try:
        await migrate(conninfo, _COMPONENT, find_migrations("services.table.migrations"))
    except psycopg.OperationalError as error:
        raise LogUnavailableError(f"the database of table cannot be reached: {error}") from error
