"""Stores for the contract suite: in memory, and on the session's Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from libs.eventlog.memory import MemoryStore
from libs.eventlog.postgres import PostgresStore


@pytest.fixture
async def postgres_store(database: str) -> AsyncIterator[PostgresStore]:
    """A log in a database of this test's own."""
    store = await PostgresStore.open(database)
    yield store
    await store.close()


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.integration)])
def store(request: pytest.FixtureRequest):
    """Each store in turn."""
    if request.param == "memory":
        return MemoryStore()
    return request.getfixturevalue("postgres_store")
