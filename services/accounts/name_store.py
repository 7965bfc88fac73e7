"""Where display names are kept: a plain table beside the log, because a name can be changed and erased."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import LiteralString
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from libs.service.errors import UNAVAILABLE, ServiceError

_CONNECT_TIMEOUT_S = 3
_STATEMENT_TIMEOUT_S = 3
_ATTEMPTS = 2


class NameStore:
    """The table `display_names` over one connection, opened anew when it breaks."""

    def __init__(self, conninfo: str) -> None:
        """Connects at the first statement."""
        self._conninfo = make_conninfo(
            conninfo,
            connect_timeout=_CONNECT_TIMEOUT_S,
            application_name="accounts-names",
            options=f"-c statement_timeout={_STATEMENT_TIMEOUT_S}s",
        )
        self._connection: psycopg.AsyncConnection[TupleRow] | None = None
        self._turn = asyncio.Lock()

    async def keep(self, player_id: str, name: str) -> str:
        """Keeps a player's first name, and gives the one that is kept: another one if the player had it before.

        Raises UNAVAILABLE.
        """
        insert = "insert into display_names (player_id, name) values (%s, %s) on conflict do nothing"
        await self._execute(insert, (UUID(player_id), name))
        return (await self.names([player_id]))[player_id]

    async def names(self, player_ids: Sequence[str]) -> Mapping[str, str]:
        """The names that are known, by player id. Raises UNAVAILABLE."""
        rows = await self._execute(
            "select player_id::text, name from display_names where player_id = any(%s)",
            ([UUID(player_id) for player_id in player_ids],),
        )
        return dict(rows)

    async def is_reachable(self) -> bool:
        """Whether the table can be read now."""
        try:
            await self._execute("select 1", ())
        except ServiceError:
            return False
        return True

    async def close(self) -> None:
        """Closes the connection; a statement under way fails."""
        if self._connection is not None:
            await self._connection.close()

    async def _execute(self, statement: LiteralString, values: Sequence[object]) -> list[TupleRow]:
        """Every statement here may run twice, so a broken connection costs one retry and no caller."""
        async with self._turn:
            for attempt in range(_ATTEMPTS):
                try:
                    async with asyncio.timeout(_CONNECT_TIMEOUT_S + _STATEMENT_TIMEOUT_S):
                        cursor = await (await self._connected()).execute(statement, values)
                        return await cursor.fetchall() if cursor.description else []
                except (psycopg.OperationalError, TimeoutError) as error:
                    await self.close()
                    if attempt == _ATTEMPTS - 1:
                        raise UNAVAILABLE.error() from error
        raise AssertionError("the last attempt returns or raises")

    async def _connected(self) -> psycopg.AsyncConnection[TupleRow]:
        if self._connection is None or self._connection.closed:
            self._connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
        return self._connection
