"""Every step of the log can be read at /metrics: each is driven on real servers, and the operators' table names it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import aiohttp
import nats
import psycopg
import pytest
from nats.aio.client import Client
from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families

from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.errors import UnstorableError
from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.liveness import Liveness
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.reactions import Message, consume
from libs.eventlog.relay import Relay, RelayLimits
from libs.eventlog.runtime import Runtime
from libs.service.http import HttpServer
from libs.service.log_metrics import LogMetrics
from tests.libs.eventlog.counter import COUNTER, Add, Counter, RunOut, Start, registry
from tests.libs.eventlog.seating import Claim, Seating
from tests.libs.eventlog.test_postgres import PIDS
from tests.libs.eventlog.waiting import until

OPERATORS = Path(__file__).parents[3] / "docs" / "operators.md"
ADDED = "carteado.counter.added.v1"


class Metrics:
    """The registry of one process, served as every service serves it."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.observations = LogMetrics(self._registry)
        self._server = HttpServer(self._registry, self._is_ready)

    async def _is_ready(self) -> bool:
        return True

    async def start(self) -> None:
        port = await self._server.start("127.0.0.1:0")
        self._url = f"http://127.0.0.1:{port}/metrics"

    async def close(self) -> None:
        await self._server.close()

    async def value(self, name: str, **labels: str) -> float:
        """The sum of a sample's values over the labels that are not given."""
        async with aiohttp.ClientSession() as session, session.get(self._url) as response:
            text = await response.text()
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    async def reaches(self, least: float, name: str, **labels: str) -> None:
        """Wait until a value is there."""

        async def is_there() -> bool:
            return await self.value(name, **labels) >= least

        await until(is_there)


@pytest.fixture
async def metrics() -> AsyncIterator[Metrics]:
    served = Metrics()
    await served.start()
    yield served
    await served.close()


@pytest.fixture
async def observed(log_database: str, metrics: Metrics) -> AsyncIterator[PostgresStore]:
    """A log that tells what it does."""
    store = await PostgresStore.open(log_database, observations=metrics.observations)
    yield store
    await store.close()


def make(store: PostgresStore, metrics: Metrics, decider: Counter = COUNTER, **options) -> Runtime:
    return Runtime(decider, registry(), store, observations=metrics.observations, **options)


async def give(runtime: Runtime, body, command_id: str = ""):
    return await runtime.handle("a", body, command_id=command_id or str(uuid4()), actor="ana")


@pytest.mark.integration
async def test_commands_by_result_appends_groups_conflicts_and_replays(observed, metrics):
    one, other = make(observed, metrics), make(observed, metrics)
    await give(one, Start(), "start")
    await give(one, Start(), "start")
    await give(one, Add(0))
    with pytest.raises(UnstorableError):
        await give(one, Add(1, note="a\0b"))
    await give(other, Add(1))
    await give(one, Add(2))
    commands = "carteado_commands_total"
    assert await metrics.value(commands, category="counter", result="committed", code="") == 3
    assert await metrics.value(commands, category="counter", result="duplicate", code="") == 1
    assert await metrics.value(commands, category="counter", result="rejected", code="OUT_OF_RANGE") == 1
    assert await metrics.value(commands, category="counter", result="failed", code="UnstorableError") == 1
    assert await metrics.value("carteado_command_seconds_count", category="counter") == 6
    assert await metrics.value("carteado_append_conflicts_total", category="counter") == 1
    groups = await metrics.value("carteado_append_group_commands_count")
    assert groups == await metrics.value("carteado_append_seconds_count") >= 3
    assert await metrics.value("carteado_append_group_commands_sum") >= 4
    assert 0 < await metrics.value("carteado_append_seconds_sum") < 10
    # `other` read one event, `one` read that of `other`.
    assert await metrics.value("carteado_events_replayed_total", category="counter") >= 2
    assert await metrics.value("carteado_replay_seconds_count", category="counter") >= 3


@pytest.mark.integration
async def test_a_command_over_several_aggregates_counts_under_all_of_their_categories(observed, metrics):
    seating = Seating(observed, observations=metrics.observations)
    await seating.give(Claim("ana", "t1", 0), "one")
    await seating.give(Claim("ana", "t1", 0), "one")
    await seating.give(Claim("bia", "t1", 0), "two")
    for result in ("committed", "duplicate", "rejected"):
        both = await metrics.value("carteado_commands_total", category="open_table+player", result=result)
        assert both == 1


@pytest.mark.integration
async def test_a_lost_connection_and_an_outage(observed, metrics, log_database):
    liveness = Liveness(observed, outage_after_s=0.1, observations=metrics.observations)
    await liveness.confirm()
    await asyncio.sleep(0.2)
    await liveness.confirm()
    assert await metrics.value("carteado_log_outages_total") == 1
    assert 0.1 < await metrics.value("carteado_log_outage_seconds_total") < 10
    async with await psycopg.AsyncConnection.connect(log_database, autocommit=True) as connection:
        await connection.execute(f"SELECT pg_terminate_backend(pid) FROM ({PIDS}) AS p")
    await give(make(observed, metrics), Start())
    assert await metrics.value("carteado_log_connections_lost_total") == 1


class Refusing(Counter):
    """A decider with a bug: its deadlines cannot be decided."""

    def decide(self, state, command):
        if isinstance(command.body, RunOut):
            raise ZeroDivisionError("a bug")
        return super().decide(state, command)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("decider", "name"),
    [
        (COUNTER, "carteado_deadline_late_seconds_count"),
        (Refusing(), "carteado_deadline_failures_total"),
    ],
)
async def test_deadlines_on_time_and_deadlines_that_fail(observed, metrics, decider, name):
    runtime = make(observed, metrics, decider)
    keeper = DeadlineKeeper(runtime, observed, now=runtime.aggregates.now, observations=metrics.observations)
    await keeper.start()
    await give(runtime, Start(patience_s=0.05))
    await metrics.reaches(1, name, category="counter")
    await keeper.stop()


@pytest.fixture
async def client(nats_url: str) -> AsyncIterator[Client]:
    client = await nats.connect(nats_url, connect_timeout=30)
    await ensure_streams(client.jetstream(), [PARKED])
    yield client
    await client.close()


@pytest.mark.integration
async def test_the_relays_backlog_rises_while_no_stream_takes_it_and_falls(
    observed, metrics, client, log_database
):
    limits = RelayLimits(poll_s=0.05, publish_s=0.5, attempts=1, pause_most_s=0.1)
    relay = Relay(
        log_database, client.jetstream(), "counter", limits=limits, observations=metrics.observations
    )
    await relay.start()
    runtime = make(observed, metrics)
    await give(runtime, Start())
    await give(runtime, Add(1))
    await give(runtime, Add(2))
    partition = {"partition": str(int(runtime.stream("a").split("-")[1]))}
    await metrics.reaches(2, "carteado_relay_backlog_messages", **partition)
    await metrics.reaches(0.1, "carteado_relay_backlog_age_seconds", **partition)
    await metrics.reaches(1, "carteado_relay_failures_total", **partition)
    await ensure_streams(client.jetstream(), [StreamSpec("carteado-counter", (ADDED,))])
    await metrics.reaches(2, "carteado_relay_messages_total", **partition)

    async def has_fallen() -> bool:
        waiting = await metrics.value("carteado_relay_backlog_messages", **partition)
        age_s = await metrics.value("carteado_relay_backlog_age_seconds", **partition)
        return waiting == age_s == 0

    await until(has_fallen)
    await relay.stop()


@pytest.mark.integration
async def test_reactions_and_parked_messages(metrics, client, monkeypatch):
    monkeypatch.setattr("libs.eventlog.reactions._COUNT_EVERY_S", 0.0)
    js = client.jetstream()
    results = StreamSpec("carteado-counter", (ADDED,))
    await ensure_streams(js, [results])

    async def handle(message: Message) -> None:
        if message.data == b"poison":
            raise ValueError("no")

    consuming = asyncio.create_task(
        consume(js, results.name, "league", ADDED, handle, max_deliver=2, observations=metrics.observations)
    )
    await js.publish(ADDED, b"good")
    await js.publish(ADDED, b"poison")
    for result in ("done", "again", "parked"):
        await metrics.reaches(1, "carteado_reactions_total", durable="league", result=result)
    await js.publish(ADDED, b"good")
    await metrics.reaches(1, "carteado_parked_messages", durable="league")
    consuming.cancel()
    await asyncio.gather(consuming, return_exceptions=True)


def documented() -> dict[str, tuple[str, ...]]:
    """The labels of each metric in the operators' table of the log."""
    text = OPERATORS.read_text(encoding="utf-8")
    section = text.partition("## What the log tells")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(carteado_\w+)` \|([^|]*)\|", section, flags=re.MULTILINE)
    return {name: tuple(re.findall(r"`(\w+)`", labels)) for name, labels in rows}


def test_the_operators_table_names_every_metric_with_its_labels():
    registered = vars(LogMetrics(CollectorRegistry())).values()
    served = {
        metric._name + ("_total" if metric._type == "counter" else ""): metric._labelnames
        for metric in registered
        if isinstance(metric, MetricWrapperBase)
    }
    assert len(served) > 15
    assert documented() == served
