"""A database of its own for a measurement, on the Postgres that the bench has started."""

from __future__ import annotations

import psycopg

_TIMEOUT_S = 10


async def ensure_database(postgres: str, name: str) -> None:
    """Make a database if it is not there. `postgres` is a connection string without a database."""
    connection = await psycopg.AsyncConnection.connect(
        f"{postgres} dbname=postgres", autocommit=True, connect_timeout=_TIMEOUT_S
    )
    async with connection:
        found = await connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,))
        if found.rowcount == 0:
            await connection.execute(
                psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name))
            )
