"""One matcher over all replicas: who loses the lock, by whatever means, stops and another one goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import psycopg
import pytest

from services.matchmaking import matcher as matcher_module
from services.matchmaking.matcher import Matcher
from services.matchmaking.matcher_lock import KEY, matcher_lock
from tests.services.matchmaking.memory import MemoryMatchmaking


class Replica:
    """A matcher that counts its ticks."""

    def __init__(self, conninfo: str) -> None:
        self.matchmaking = MemoryMatchmaking()
        matchmaking = self.matchmaking
        reads: Any = matchmaking.reads
        self.matcher = Matcher(
            conninfo, reads, matchmaking.seating, matchmaking.starter, matchmaking.metrics, matchmaking.now
        )
        self.task = asyncio.create_task(self.matcher.run())

    @property
    def is_matcher(self) -> bool:
        return bool(self.matchmaking.registry.get_sample_value("carteado_matchmaking_is_matcher"))


@pytest.fixture
async def replicas(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Replica]]:
    monkeypatch.setattr(matcher_module, "TICK_S", 0.05)
    monkeypatch.setattr(matcher_module, "_PAUSE_S", 0.2)
    started = [Replica(database) for _ in range(2)]
    yield started
    for replica in started:
        replica.task.cancel()
    await asyncio.gather(*(replica.task for replica in started), return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not become so in time")


async def one_of(replicas: list[Replica]) -> Replica:
    await until(lambda: sum(replica.is_matcher for replica in replicas) == 1)
    return next(replica for replica in replicas if replica.is_matcher)


def end_session(database: str) -> None:
    """Ends the session that has the lock."""
    with psycopg.connect(database, autocommit=True) as connection:
        query = """
            SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = %s
        """
        assert connection.execute(query, (KEY,)).fetchall() == [(True,)]


async def test_a_matcher_whose_connection_is_cut_stops_and_somebody_matches_on(
    database: str, replicas: list[Replica]
) -> None:
    first = await one_of(replicas)
    await asyncio.to_thread(end_session, database)
    await until(lambda: not first.is_matcher)
    await one_of(replicas)
    assert not any(replica.task.done() for replica in replicas)


async def test_a_lock_that_is_gone_from_a_living_session_is_noticed_before_the_next_tick(
    database: str,
) -> None:
    async with matcher_lock(database) as mine, matcher_lock(database) as others:
        assert await mine.take()
        assert await mine.is_held()
        assert (await others.take(), await others.is_held()) == (False, False)
        # As a proxy does that gives a session to somebody else.
        await mine._connection.execute("SELECT pg_advisory_unlock_all()")
        assert not await mine.is_held()
        assert await others.take()
        assert (await mine.is_held(), await others.is_held()) == (False, True)


async def test_a_matcher_does_not_tick_without_its_lock(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replica = Replica(database)
    replica.task.cancel()
    ticks: list[int] = []

    async def tick() -> int:
        ticks.append(1)
        return 0

    monkeypatch.setattr(replica.matcher, "tick", tick)
    monkeypatch.setattr(matcher_module, "TICK_S", 0.01)
    async with matcher_lock(database) as lock:
        assert await lock.take()
        matching = asyncio.create_task(replica.matcher._match(lock))
        await until(lambda: len(ticks) >= 2)
        await lock._connection.execute("SELECT pg_advisory_unlock_all()")
        await asyncio.wait_for(matching, 30)
        done = len(ticks)
        await asyncio.wait_for(replica.matcher._match(lock), 30)
        assert len(ticks) == done


async def test_the_session_of_a_process_that_stands_still_is_ended_by_the_database(database: str) -> None:
    async with matcher_lock(database) as lock:
        cursor = await lock._connection.execute("SHOW idle_session_timeout")
        assert await cursor.fetchone() == ("15s",)
