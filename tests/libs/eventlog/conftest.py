"""Stores for the contract suite: in memory, and on the session's Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count

import psycopg
import pytest
from psycopg import sql

from libs.eventlog.memory import MemoryStore
from libs.eventlog.migrations import migrate
from libs.eventlog.postgres import PostgresStore

_TEMPLATE = "log_template"
_numbers = count(1)


@pytest.fixture(scope="session")
def log_template(postgres_server: str) -> str:
    """A migrated database to copy: copying is several times faster than migrating."""
    with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_TEMPLATE)))
    loop = asyncio.new_event_loop()  # pytest-asyncio's own loop stays untouched
    loop.run_until_complete(migrate(f"{postgres_server} dbname={_TEMPLATE}"))
    loop.close()
    return _TEMPLATE


@pytest.fixture
def log_database(postgres_server: str, log_template: str) -> Iterator[str]:
    """A migrated, empty log of this test's own: its connection string."""
    name = f"log_{next(_numbers)}"
    with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as connection:
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        connection.execute(copy.format(sql.Identifier(name), sql.Identifier(log_template)))
        yield f"{postgres_server} dbname={name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
async def postgres_store(log_database: str) -> AsyncIterator[PostgresStore]:
    """A log on Postgres."""
    store = await PostgresStore.open(log_database)
    yield store
    await store.close()


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.integration)])
def store(request: pytest.FixtureRequest):
    """Each store in turn."""
    if request.param == "memory":
        return MemoryStore()
    return request.getfixturevalue("postgres_store")
