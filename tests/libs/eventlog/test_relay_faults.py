"""The relay against what dies: its own process at every step, NATS for a while, another replica (fault B096)."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import product
from pathlib import Path

import nats
import nats.errors
import psycopg
import pytest
from nats.aio.client import Client
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from deploy.local.nats import Nats, find_binary
from deploy.local.ports import free_ports
from libs.eventlog.background import watch_background
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.relay import LOCK_SPACE, PREVIOUS, Relay, RelayLimits
from libs.eventlog.relay_status import relay_status
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import PARTITIONS
from libs.service.log_metrics import LogMetrics
from tests.libs.eventlog.counter import COUNTER, Add, Start, registry
from tests.libs.eventlog.processes import Child
from tests.libs.eventlog.relay_process import NAMES, QUICK
from tests.libs.eventlog.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.fault]

COUNTED = StreamSpec("carteado-counter", ("carteado.counter.>",))
STEPS, PHASES, NUMBERS = ("append", "lookup", "publish", "checkpoint"), ("before", "during", "after"), (1, 3)
POINTS = [f"{step}-{phase}-{number}" for step, phase, number in product(STEPS, PHASES, NUMBERS)]


@pytest.fixture
async def client(nats_url: str) -> AsyncIterator[Client]:
    client = await nats.connect(nats_url, connect_timeout=30)
    await ensure_streams(client.jetstream(), [COUNTED])
    yield client
    await client.close()


async def published(client: Client) -> list:
    """All messages of the stream, in order."""
    js = client.jetstream()
    state = (await js.stream_info(COUNTED.name)).state
    return [await js.get_msg(COUNTED.name, seq) for seq in range(state.first_seq, state.last_seq + 1)]


async def public_events(conninfo: str) -> dict[tuple[int, int], bytes]:
    """What the log says must be published, by partition and position."""
    async with await psycopg.AsyncConnection.connect(conninfo) as connection:
        cursor = await connection.execute(
            "SELECT partition, position, public_data FROM events WHERE public_subject IS NOT NULL "
            "ORDER BY partition, position"
        )
        return {(partition, position): data for partition, position, data in await cursor.fetchall()}


def assert_is_the_log(messages: list, events: dict[tuple[int, int], bytes]) -> None:
    """Each public event once, in the order of its partition, each naming the one before it; and nothing else."""
    last = [0] * PARTITIONS
    seen = {}
    for message in messages:
        _, partition, position = message.headers["Nats-Msg-Id"].split("-")
        assert int(message.headers[PREVIOUS]) == last[int(partition)]
        last[int(partition)] = int(position)
        seen[int(partition), int(position)] = message.data
    assert len(seen) == len(messages)
    assert seen == events


async def test_b096_killed_at_every_point_around_commit_and_publish(log_database, client, nats_url):
    """One process after another dies on the same log, at 24 points; the last one finishes."""
    assert len(POINTS) >= 20
    host = await Child.start("relay_process", log_database, nats_url, *POINTS, "none")
    lines = await host.lines(within_s=100)
    died = dict(line.split() for line in lines if not line.startswith("committed"))
    assert died == {**dict.fromkeys(POINTS, "-9"), "none": "0"}
    store = await PostgresStore.open(log_database)
    runtime = Runtime(COUNTER, registry(), store)
    acknowledged = [line.split()[1:] for line in lines if line.startswith("committed")]
    assert len(acknowledged) > len(POINTS)
    for name in NAMES:
        totals = [command.after.total for command in await runtime.history(name)][1:]
        assert totals == list(range(1, len(totals) + 1))
        told = [int(total) for told_name, total in acknowledged if told_name == name]
        assert told == sorted(set(told)), "an acknowledged command is in the log exactly once"
        assert max(told) <= len(totals)
    events = await public_events(log_database)
    assert b"\xff" not in events.values(), "what was rolled back is not in the log"
    assert_is_the_log(await published(client), events)
    assert [row.waiting for row in await relay_status(log_database)] == [0] * PARTITIONS
    await store.close()


HELD = """
    SELECT l.objid::int, a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = %s AND a.datname = current_database()
"""


async def test_three_processes_pump_each_partition_once_and_take_over_from_a_killed_one(
    log_database, client, nats_url
):
    store = await PostgresStore.open(log_database)
    async with AsyncExitStack() as cleanup:
        watching = await cleanup.enter_async_context(
            await psycopg.AsyncConnection.connect(log_database, autocommit=True)
        )

        async def holders() -> dict[int, int]:
            rows = await (await watching.execute(HELD, (LOCK_SPACE,))).fetchall()
            assert len({partition for partition, _ in rows}) == len(rows), "a partition is held twice"
            return dict(rows)

        async def all_held() -> bool:
            return len(await holders()) == PARTITIONS

        children = []
        for _ in range(3):
            child = await Child.start("relay_process", log_database, nats_url, "hold")
            cleanup.push_async_callback(child.kill)
            assert await child.line() == "holding"
            children.append(child)
        await until(all_held)
        runtime = Runtime(COUNTER, registry(), store)
        for name in NAMES:
            await runtime.handle(name, Start(), command_id=name, actor="ana")
        for turn in range(len(children)):
            for name in NAMES:
                await runtime.handle(name, Add(1), command_id=f"{name} {turn}", actor="ana")
            if children:
                await children.pop(0).kill()
            if children:
                await until(all_held)

        async def none_held() -> bool:
            return await holders() == {}

        await until(none_held)
        last = Relay(log_database, client.jetstream(), "counter", limits=QUICK)
        await last.start()
        cleanup.push_async_callback(last.stop)
        events = await public_events(log_database)
        assert len(events) == 3 * len(NAMES)

        async def all_published() -> bool:
            return not any(row.waiting for row in await relay_status(log_database))

        await until(all_published)
        assert_is_the_log(await published(client), events)
    await store.close()


async def test_a_process_that_stands_still_loses_its_partitions(log_database, client, nats_url):
    """A paused machine keeps its connections; Postgres ends a session that asks nothing for too long."""
    frozen = await Child.start("relay_process", log_database, nats_url, "hold")
    async with AsyncExitStack() as cleanup:
        cleanup.push_async_callback(frozen.kill)
        assert await frozen.line() == "holding"

        async def pumped_by() -> set[int | None]:
            return {row.pumped_by for row in await relay_status(log_database)}

        async def holds_all() -> bool:
            return None not in await pumped_by()

        await until(holds_all)
        other = Relay(log_database, client.jetstream(), "counter", limits=QUICK)
        await other.start()
        cleanup.push_async_callback(other.stop)
        frozen.signal(signal.SIGSTOP)

        async def taken_over() -> bool:
            return len(other.held) == PARTITIONS

        await until(taken_over)
        taken_by = await pumped_by()
        frozen.signal(signal.SIGCONT)
        store = await PostgresStore.open(log_database)
        cleanup.push_async_callback(store.close)
        runtime = Runtime(COUNTER, registry(), store)
        await runtime.handle("a", Start(), command_id="start", actor="ana")
        await runtime.handle("a", Add(1), command_id="add", actor="ana")

        async def all_published() -> bool:
            return not any(row.waiting for row in await relay_status(log_database))

        await until(all_published)
        assert await pumped_by() == taken_by
        assert_is_the_log(await published(client), await public_events(log_database))


@pytest.fixture
def own_nats(tmp_path: Path) -> Iterator[Nats]:
    """A NATS of this test's own, which it may stop."""
    server = Nats(tmp_path / "nats", free_ports(1)[0], find_binary({}))
    server.start()
    yield server
    server.stop()


def metric(metrics: CollectorRegistry, name: str, partition: int) -> float:
    """A value as it stands at /metrics."""
    for family in text_string_to_metric_families(generate_latest(metrics).decode()):
        for sample in family.samples:
            if sample.name == name and sample.labels.get("partition") == str(partition):
                return sample.value
    return 0.0


async def reconnecting(url: str) -> Client:
    """A connection as services have it."""

    async def ignored(_error: Exception) -> None:
        pass

    return await nats.connect(
        url, connect_timeout=30, reconnect_time_wait=0.2, max_reconnect_attempts=-1, error_cb=ignored
    )


async def test_a_connection_that_is_closed_for_good_ends_the_relay_loudly(log_database, client):
    failed: list[BaseException] = []
    watch_background(lambda name, error: failed.append(error))
    relay = Relay(log_database, client.jetstream(), "counter", limits=QUICK)
    await relay.start()
    await client.close()
    store = await PostgresStore.open(log_database)
    runtime = Runtime(COUNTER, registry(), store)
    await runtime.handle("a", Start(), command_id="start", actor="ana")
    await runtime.handle("a", Add(1), command_id="add", actor="ana")

    async def has_failed() -> bool:
        return bool(failed)

    await until(has_failed)
    assert isinstance(failed[0], nats.errors.ConnectionClosedError)
    await relay.stop()
    await store.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_b096_nats_away_for_a_while_loses_nothing_and_the_backlog_rises_and_falls(
    log_database, own_nats, how
):
    away_s = 6.0 if how == signal.SIGKILL else 1.0
    metrics = CollectorRegistry()
    client = await reconnecting(own_nats.url)
    await ensure_streams(client.jetstream(), [COUNTED])
    store = await PostgresStore.open(log_database)
    limits = RelayLimits(poll_s=0.1, publish_s=0.5, attempts=2, pause_most_s=0.5)
    relay = Relay(
        log_database, client.jetstream(), "counter", limits=limits, observations=LogMetrics(metrics)
    )
    store.appender.on_appended = relay.on_appended
    await relay.start()
    runtime = Runtime(COUNTER, registry(), store)
    partition = int(runtime.stream("a").split("-")[1])
    await runtime.handle("a", Start(), command_id="start", actor="ana")

    async def add(number: int) -> None:
        await runtime.handle("a", Add(1), command_id=str(number), actor="ana")

    async def waiting() -> float:
        return metric(metrics, "carteado_relay_backlog_messages", partition)

    await add(0)
    assert own_nats.process is not None
    own_nats.process.send_signal(how)
    own_nats.process.wait(60)
    for number in range(1, 11):
        await add(number)
        await asyncio.sleep(away_s / 10)

    async def has_risen() -> bool:
        return await waiting() >= 10

    await until(has_risen)
    assert metric(metrics, "carteado_relay_backlog_age_seconds", partition) > away_s / 2
    assert metric(metrics, "carteado_relay_failures_total", partition) > 0
    own_nats.start()

    async def has_fallen() -> bool:
        return await waiting() == 0 and metric(metrics, "carteado_relay_messages_total", partition) == 11

    await until(has_fallen, within_s=30)
    assert metric(metrics, "carteado_relay_backlog_age_seconds", partition) == 0
    assert_is_the_log(await published(client), await public_events(log_database))
    await relay.stop()
    await store.close()
    await client.close()
