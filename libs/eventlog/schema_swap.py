"""Putting a schema in another one's place: a change of names, which no reader waits for and no reader notices.

What was replaced is dropped afterwards, as soon as its last readers are done with it.
"""

from __future__ import annotations

import asyncio
import logging
import random
from typing import Final

import psycopg
from psycopg import sql

from libs.eventlog.connections import Connection

_ATTEMPTS: Final = 5
_WAIT_MS: Final = 2_000

log = logging.getLogger(__name__)


async def has_schema(connection: Connection, schema: str) -> bool:
    """Whether there is a schema of this name."""
    cursor = await connection.execute("SELECT to_regnamespace(%s) IS NOT NULL", (schema,))
    return await cursor.fetchone() == (True,)


async def rename_schema(connection: Connection, schema: str, to: str) -> None:
    """Give a schema another name; belongs into the transaction that puts another one in its place."""
    statement = sql.SQL("ALTER SCHEMA {} RENAME TO {}")
    await connection.execute(statement.format(sql.Identifier(schema), sql.Identifier(to)))


async def drop_schema(connection: Connection, schema: str) -> None:
    """Drop a schema with all that is in it, if there is one of this name."""
    await connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))


async def drop_patiently(connection: Connection, schema: str) -> bool:
    """Drop what has been replaced, once its last readers are done, without holding up anybody for long.

    Gives whether it is gone; one that is still being read is left for the next time.
    """
    for attempt in range(_ATTEMPTS):
        try:
            async with connection.transaction():
                await connection.execute(f"SET LOCAL lock_timeout = {_WAIT_MS}")
                await drop_schema(connection, schema)
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            await asyncio.sleep(random.uniform(0, 0.1 * 2**attempt))  # noqa: S311 - jitter
        else:
            return True
    log.warning("the schema %s is still being read; it is dropped the next time", schema)
    return False
