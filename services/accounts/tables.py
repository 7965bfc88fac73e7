"""The plain tables of accounts beside the log: how they are reached, and brought to this code's schema.

Personal data stands in them and nowhere else, because it must be possible to delete it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, LiteralString, TypeVar

import psycopg

from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.migrations import find_migrations, migrate

Result = TypeVar("Result")

_COMPONENT = "accounts"
_CONNECTIONS = 4


class PlainTables:
    """A few connections. What runs on them may run twice, so a broken connection costs a retry and no caller."""

    def __init__(self, conninfo: str) -> None:
        """Connects when it is asked; the tables must be there (`migrate_tables`)."""
        self._connections = ReaderPool(conninfo, size=_CONNECTIONS)

    async def execute(self, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        """Runs one statement, perhaps twice; gives its rows. Raises LogUnavailableError."""

        async def run(connection: Connection) -> list[tuple[Any, ...]]:
            return await fetch(connection, statement, *values)

        return await self._connections.run(run)

    async def execute_named(
        self, statement: LiteralString, values: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        """Like `execute`, with values by name (`%(name)s`). Raises LogUnavailableError."""

        async def run(connection: Connection) -> list[tuple[Any, ...]]:
            cursor = await connection.execute(statement, values)
            return await cursor.fetchall()

        return await self._connections.run(run)

    async def transact(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Runs work in one transaction, perhaps twice. Raises LogUnavailableError."""

        async def run(connection: Connection) -> Result:
            async with connection.transaction():
                return await work(connection)

        return await self._connections.run(run)

    async def is_reachable(self) -> bool:
        """Whether the database answers now."""
        try:
            await self.execute("SELECT 1")
        except LogUnavailableError:
            return False
        return True

    async def close(self) -> None:
        """Closes the connections."""
        await self._connections.close()


async def fetch(connection: Connection, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
    """Runs a statement on this connection; gives its rows, none if it has none to give."""
    cursor = await connection.execute(statement, values)
    return await cursor.fetchall() if cursor.description else []


async def migrate_tables(conninfo: str) -> None:
    """Brings the tables beside the log to this code's schema; raises what `libs.eventlog.migrations.migrate` does."""
    try:
        await migrate(conninfo, _COMPONENT, find_migrations("services.accounts.migrations"))
    except psycopg.OperationalError as error:
        raise LogUnavailableError(f"the database of accounts cannot be reached: {error}") from error
