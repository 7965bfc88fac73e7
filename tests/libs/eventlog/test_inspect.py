from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest

from libs.eventlog.inspect import (
    ReplayChecks,
    VersionChecks,
    list_streams,
    read_stream,
    verify_log,
    verify_stream,
)
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import stream_id
from tests.libs.eventlog.counter import COUNTER, Add, End, Start, registry


async def play(store, *names: str) -> None:
    runtime = Runtime(COUNTER, registry(), store)
    for name in names:
        for body in (Start(), Add(3, one_by_one=True), Add(2), End()):
            await runtime.handle(name, body, command_id=str(uuid4()), actor="ana")


CHECKS = {"counter": ReplayChecks(COUNTER, registry())}


async def test_a_good_log_is_verified(store, monkeypatch):
    monkeypatch.setattr("libs.eventlog.inspect._PAGE", 4)
    await play(store, *"abcdefghij")
    found = await verify_log(store, CHECKS)
    assert found.is_good
    assert (found.events, found.streams, found.hashes) == (60, 10, 40)
    one = await verify_stream(store, stream_id("counter", "a"), CHECKS["counter"])
    assert one.is_good
    assert (one.events, one.streams, one.hashes) == (6, 1, 4)


async def test_a_stream_that_is_not_there_has_no_events(store):
    found = await verify_stream(store, stream_id("counter", "nobody"), CHECKS["counter"])
    assert (found.events, found.streams, found.is_good) == (0, 0, True)


async def test_a_wrong_state_hash_is_found(store):
    class Wrong(type(COUNTER)):
        def state_hash(self, state):
            return b"wrong" if state.total == 3 else super().state_hash(state)

    runtime = Runtime(Wrong(), registry(), store)
    for body in (Start(), Add(3), Add(1)):
        await runtime.handle("a", body, command_id=str(uuid4()), actor="ana")
    (finding,) = (await verify_log(store, CHECKS)).findings
    assert (finding.stream, finding.version) == (stream_id("counter", "a"), 2)
    assert "another hash" in finding.problem


async def test_an_event_that_cannot_be_read_is_found(store):
    await play(store, "a")
    empty = ReplayChecks(COUNTER, type(registry())())
    (finding,) = (await verify_log(store, {"counter": empty})).findings
    assert "'CounterStarted'" in finding.problem
    assert finding.version == 1


async def test_without_a_decider_the_versions_are_checked(store):
    await play(store, "a")
    found = await verify_log(store, {})
    assert found.is_good
    assert (found.events, found.hashes) == (6, 0)
    assert (await verify_stream(store, stream_id("counter", "a"), VersionChecks())).is_good


async def test_a_missing_event_is_found():
    store = MemoryStore()
    await play(store, "a")
    partition = int(stream_id("counter", "a").split("-")[1])
    del store._partitions[partition][2]
    problems = [finding.problem for finding in (await verify_log(store, CHECKS)).findings]
    assert problems == [
        "position 4 where 3 must stand",
        f"{stream_id('counter', 'a')} has version 4 where 3 must stand",
    ]


async def test_a_lost_tail_is_found(postgres_store, log_database):
    await play(postgres_store, "a")
    partition = int(stream_id("counter", "a").split("-")[1])
    async with await psycopg.AsyncConnection.connect(log_database, autocommit=True) as other:
        await other.execute("UPDATE partition_counters SET position = 9 WHERE partition = %s", (partition,))
    (finding,) = (await verify_log(postgres_store, CHECKS)).findings
    assert finding.problem == "the counter says 9, the last event is at 6"


async def test_a_stream_is_read_with_all_that_was_recorded(store, monkeypatch):
    monkeypatch.setattr("libs.eventlog.inspect._PAGE", 4)
    await play(store, "a")
    rows = await read_stream(store, stream_id("counter", "a"))
    assert [row.version for row in rows] == [1, 2, 3, 4, 5, 6]
    assert [row.command_id is not None for row in rows] == [True, True, False, False, True, True]
    assert rows[-1].ends_stream


@pytest.mark.integration
async def test_streams_are_listed_in_pages_the_latest_first(postgres_store, log_database):
    names = list("abcdefg")
    await play(postgres_store, *names)
    runtime = Runtime(COUNTER, registry(), postgres_store)
    await runtime.handle("running", Start(), command_id="x", actor="ana")
    first = await list_streams(log_database, "counter", 3)
    assert [summary.stream for summary in first] == [
        stream_id("counter", name) for name in ("running", "g", "f")
    ]
    assert [(summary.version, summary.has_ended) for summary in first] == [(1, False), (6, True), (6, True)]
    second = await list_streams(log_database, "counter", 30, first[-1])
    assert [summary.stream for summary in second] == [stream_id("counter", name) for name in "edcba"]
    assert all(summary.began_at < summary.last_at for summary in second)
    assert await list_streams(log_database, "table") == []
    assert len(await list_streams(log_database)) == 8
