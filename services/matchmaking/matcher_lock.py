"""Who may form ranked matches now: one replica of all, by an advisory lock that ends with its connection.

A lock that is lost is noticed: before each tick the database is asked whether the session still has it. It may be lost by
a connection that was cut, by an operator's hand, or by a proxy that gives the session to somebody else.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, LiteralString

from libs.eventlog.connections import Connection, connect, statement_deadline

KEY: Final = 7_203_115_001
NAME: Final = "carteado matcher"
"""What the session is called in `pg_stat_activity`."""

_ASK_S: Final = 2.0
_END_IF_FROZEN: LiteralString = "SELECT set_config('idle_session_timeout', '15s', false)"
_TAKE: LiteralString = "SELECT pg_try_advisory_lock(%(key)s)"
_HAS: LiteralString = """
    SELECT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid() AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) + objid::bigint = %(key)s
    )
"""


class MatcherLock:
    """The lock as one session sees it. Every method raises psycopg.OperationalError when the connection is lost."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def take(self) -> bool:
        """Takes it, unless another replica has it."""
        return await self._ask(_TAKE)

    async def is_held(self) -> bool:
        """Whether this session has it now."""
        return await self._ask(_HAS)

    async def _ask(self, question: LiteralString) -> bool:
        async with statement_deadline(self._connection, _ASK_S):
            cursor = await self._connection.execute(question, {"key": KEY})
            row = await cursor.fetchone()
        return bool(row and row[0])


@asynccontextmanager
async def matcher_lock(conninfo: str) -> AsyncIterator[MatcherLock]:
    """A session of its own for the lock. Raises psycopg.OperationalError.

    A process that stands still loses its session after fifteen seconds, and with it the lock.
    """
    connection = await connect(conninfo, NAME)
    try:
        async with statement_deadline(connection, _ASK_S):
            await connection.execute(_END_IF_FROZEN)
        yield MatcherLock(connection)
    finally:
        await connection.close()
