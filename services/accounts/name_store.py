"""Where display names are kept: a plain table beside the log, because a name can be changed and erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import LiteralString
from uuid import UUID

import psycopg
from psycopg.rows import TupleRow

from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.migrations import find_migrations, migrate

_COMPONENT = "accounts"
_KEEP = "INSERT INTO display_names (player_id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_NAMES = "SELECT player_id::text, name FROM display_names WHERE player_id = ANY(%s)"


class NameStore:
    """The table `display_names`. Each statement may run twice, so a broken connection costs a retry and no caller."""

    def __init__(self, conninfo: str) -> None:
        """Connects when it is asked; the table must be there (`migrate_names`)."""
        self._connections = ReaderPool(conninfo, size=2)

    async def keep(self, player_id: str, name: str) -> str:
        """Keeps a player's first name, and gives the one that is kept: another one if the player had it before.

        Raises LogUnavailableError.
        """
        await self._run(_KEEP, (UUID(player_id), name))
        return (await self.names([player_id]))[player_id]

    async def names(self, player_ids: Sequence[str]) -> Mapping[str, str]:
        """The names that are known, by player id. Raises LogUnavailableError."""
        return dict(await self._run(_NAMES, ([UUID(player_id) for player_id in player_ids],)))

    async def is_reachable(self) -> bool:
        """Whether the database answers now."""
        try:
            await self._run("SELECT 1", ())
        except LogUnavailableError:
            return False
        return True

    async def close(self) -> None:
        """Closes the connections."""
        await self._connections.close()

    async def _run(self, statement: LiteralString, values: Sequence[object]) -> list[TupleRow]:
        async def run(connection: Connection) -> list[TupleRow]:
            cursor = await connection.execute(statement, values)
            return await cursor.fetchall() if cursor.description else []

        return await self._connections.run(run)


async def migrate_names(conninfo: str) -> None:
    """Brings the tables beside the log to this code's schema; raises what `libs.eventlog.migrations.migrate` does."""
    try:
        await migrate(conninfo, _COMPONENT, find_migrations("services.accounts.migrations"))
    except psycopg.OperationalError as error:
        raise LogUnavailableError(f"the database of accounts cannot be reached: {error}") from error
