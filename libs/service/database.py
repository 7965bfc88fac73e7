"""The service's own database: waited for when the process starts, and created if it is missing."""

from __future__ import annotations

import asyncio
import secrets

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

_WAIT_S = 20.0
_CONNECT_TIMEOUT_S = 3
_MAX_PAUSE_S = 1.0
_random = secrets.SystemRandom()


class DatabaseUnavailableError(Exception):
    """Postgres did not answer in time when the service started; the process exits with 69."""


async def ensure_database(conninfo: str, name: str, wait_s: float = _WAIT_S) -> None:
    """Sees to it that the service `name` has its database `carteado_<name>` on the server of `conninfo`.

    Waits for a Postgres that is still starting, at most `wait_s`; DatabaseUnavailableError afterwards, and at once when
    the database may not be created. Processes that start at the same time may all call it.
    """
    database = f"carteado_{name}"
    loop = asyncio.get_running_loop()
    ends_at_s = loop.time() + wait_s
    pause_s = 0.05
    while True:
        try:
            if not await _exists(conninfo, database):
                await _create(conninfo, database)
        except psycopg.errors.InsufficientPrivilege as error:
            raise DatabaseUnavailableError(
                f"the database {database} is missing and the role may not create it: give the role CREATEDB, "
                f"or create {database} with that role as its owner"
            ) from error
        except psycopg.errors.ReadOnlySqlTransaction as error:
            raise DatabaseUnavailableError(
                f"the database {database} is missing and the server takes no writes: it is a standby, or was made read-only"
            ) from error
        except psycopg.OperationalError as error:
            if loop.time() + pause_s >= ends_at_s:
                # libpq's message names host, port and user, never a password.
                raise DatabaseUnavailableError(
                    f"Postgres did not answer within {wait_s:g} s: {error}"
                ) from error
        else:
            return
        await asyncio.sleep(pause_s * _random.uniform(0.5, 1.0))
        pause_s = min(_MAX_PAUSE_S, pause_s * 2)


async def _exists(conninfo: str, database: str) -> bool:
    async with await _connect(conninfo) as connection:
        found = await connection.execute("select 1 from pg_database where datname = %s", (database,))
        return await found.fetchone() is not None


async def _create(conninfo: str, database: str) -> None:
    async with await _connect(conninfo) as connection:
        try:
            await connection.execute(sql.SQL("create database {}").format(sql.Identifier(database)))
        except (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
            return  # another process was faster


async def _connect(conninfo: str) -> psycopg.AsyncConnection:
    maintenance = make_conninfo(conninfo, dbname="postgres", connect_timeout=_CONNECT_TIMEOUT_S)
    return await psycopg.AsyncConnection.connect(maintenance, autocommit=True)
