"""The hot queries find their rows by index: asked of the real code, on a log with enough rows, through `auto_explain`.

The server writes down the plan of every statement that it runs, also inside functions; each test reads the plans of
what it has just called. A plan that looks at every event would show as a sequential scan, or as an index without a
condition.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import nats
import psycopg
import pytest
from psycopg import sql

from libs.eventlog.analysts import publish_views
from libs.eventlog.connections import connect
from libs.eventlog.inspect import list_streams
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projection_build import apply_page, lag, make_live
from libs.eventlog.relay import Relay
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import parse_stream, stream_id
from tests.libs.eventlog.counter import COUNTER, Add, Start, registry
from tests.libs.eventlog.totals import TOTALS
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

DATABASE = "log_of_many_rows"
STREAMS = [stream_id("counter", f"c{number}") for number in range(600)]
EVENTS = 60
TIMES = 8
"""How often a query is asked: the driver prepares it at once, and the server may keep one plan from the sixth on."""

BY_VERSION = "stream_version_partition|pkey"
BY_POSITION = "position_partition_key"
BY_COMMAND = "command_id_partition_idx"
PUBLIC = "position_partition_idx"
BEGAN = "recorded_at_stream_idx"
ENDED = "partition_stream_idx"

FILL = """
    INSERT INTO events (partition, position, stream, version, type, schema_version, payload, public_subject,
                        public_data, command_id, body_hash, actor, ends_stream, recorded_at)
    SELECT s.partition, row_number() OVER (PARTITION BY s.partition ORDER BY v, s.place), s.stream, v,
           CASE v WHEN 1 THEN 'CounterStarted' WHEN %(events)s THEN 'CounterEnded' ELSE 'CounterAdded' END, 1,
           CASE v WHEN 1 THEN '{"type": "Started", "patience_s": 0, "due_at": null}'
                  WHEN %(events)s THEN '{"type": "Ended", "total": 58}'
                  ELSE '{"type": "Added", "number": 1, "due_at": null, "note": ""}' END::jsonb,
           CASE WHEN v %% 20 = 0 THEN 'carteado.counter.added.v1' END, CASE WHEN v %% 20 = 0 THEN 'x'::bytea END,
           md5(s.stream || v), 'x', 'player:ana', v = %(events)s,
           '2026-01-01'::timestamptz + s.place * interval '1 minute' + v * interval '1 second'
    FROM unnest(%(streams)s::text[], %(partitions)s::smallint[]) WITH ORDINALITY AS s (stream, partition, place)
    CROSS JOIN LATERAL generate_series(1, %(events)s - (s.place %% 2)) AS v
"""
AFTERWARDS = """
    UPDATE partition_counters c SET position = (SELECT max(position) FROM events e WHERE e.partition = c.partition);
    INSERT INTO deadlines (partition, stream, due_at, retry_at)
    SELECT e.partition, e.stream, now() + e.position * interval '1 minute', now() + e.position * interval '1 minute'
    FROM events e WHERE e.version > 1 AND NOT e.ends_stream;
"""


@contextmanager
def explained(postgres_server: str, log_template: str, database: str) -> Iterator[str]:
    """An empty log, on which the server explains whatever it runs."""
    with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as server:
        name = sql.Identifier(database)
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, sql.Identifier(log_template)))
        for setting, value in {
            "session_preload_libraries": "auto_explain",
            "auto_explain.log_min_duration": "0",
            "auto_explain.log_nested_statements": "on",
            "auto_explain.log_format": "json",
        }.items():
            server.execute(
                sql.SQL("ALTER DATABASE {} SET {} = {}").format(
                    name, sql.Identifier(*setting.split(".")), sql.Literal(value)
                )
            )
        yield f"{postgres_server} dbname={database}"
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.fixture(scope="module")
def many_rows(postgres_server: str, log_template: str) -> Iterator[str]:
    """A log of 35,700 events, half of its streams ended, of which the server has statistics."""
    with explained(postgres_server, log_template, DATABASE) as conninfo:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            fill(connection)
            connection.execute("ALTER TABLE deadlines DROP CONSTRAINT deadlines_pkey")
            connection.execute(AFTERWARDS.encode())
            connection.execute(
                "DELETE FROM deadlines d USING deadlines o WHERE d.stream = o.stream AND d.ctid > o.ctid"
            )
            connection.execute("ALTER TABLE deadlines ADD PRIMARY KEY (partition, stream)")
        loop = asyncio.new_event_loop()  # pytest-asyncio's own loop stays untouched
        loop.run_until_complete(publish_views(conninfo, registry()))
        loop.close()
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield conninfo


def fill(connection: psycopg.Connection) -> None:
    """Write the events."""
    partitions = [parse_stream(stream).partition for stream in STREAMS]
    connection.execute(FILL, {"streams": STREAMS, "partitions": partitions, "events": EVENTS})


@pytest.fixture
async def store(many_rows: str) -> AsyncIterator[PostgresStore]:
    store = await PostgresStore.open(many_rows)
    yield store
    await store.close()


class Scan(msgspec.Struct, frozen=True):
    """How a plan reads a table."""

    table: str
    alias: str
    index: str
    condition: str


class Plans:
    """What the server has written down since this was made."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._start = log.stat().st_size

    def of(self, word: str) -> list[list[Scan]]:
        """The scans of each plan whose statement has this word."""
        with self._log.open(encoding="utf-8") as log:
            log.seek(self._start)
            text = log.read()
        found = []
        for block in re.findall(r"plan:\n((?:\t.*\n)+)", text):
            plan = json.loads("".join(line[1:] for line in block.splitlines(keepends=True)))
            if word in plan["Query Text"]:
                found.append(list(_scans(plan["Plan"])))
        assert found, f"no statement with {word!r} was explained"
        return found


def _scans(node: dict[str, Any]) -> Iterator[Scan]:
    if node["Node Type"] == "Bitmap Heap Scan":
        below = node["Plans"][0]
        yield _scan(node, below)
        return
    if "Relation Name" in node and node["Node Type"] != "ModifyTable":
        yield _scan(node, node)
    for below in node.get("Plans", ()):
        yield from _scans(below)


def _scan(node: dict[str, Any], by: dict[str, Any]) -> Scan:
    condition = by.get("Index Cond", "").replace('"', "")
    return Scan(node["Relation Name"], node["Alias"], by.get("Index Name", ""), condition)


@pytest.fixture
def plans(open_folder: Path) -> Plans:
    return Plans(open_folder / "postgres.log")


def assert_by(scans: Sequence[Scan], table: str, index: str, *conditions: str) -> None:
    """Every scan of a table (or its partitions) is by this index, with these conditions."""
    mine = [scan for scan in scans if re.fullmatch(rf"{table}(_\d\d)?", scan.table)]
    assert mine, f"{table} is not read: {scans}"
    for scan in mine:
        assert re.search(index, scan.index), scan
        for condition in conditions:
            assert condition in scan.condition, scan


async def test_a_stream_is_read_by_its_versions(store, plans):
    for number in range(TIMES):
        assert len(await store.read(STREAMS[number], 40)) > 10
        assert len(await store.read_recorded(STREAMS[number], 40, 50)) == 10
    for scans in plans.of("ORDER BY version LIMIT"):
        assert_by(scans, "events", BY_VERSION, "stream = ", "version > ")


async def test_the_head_and_a_command_id_are_looked_up(store, plans):
    for number in range(TIMES):
        assert (await store.head(STREAMS[number], str(uuid4()), b"x")).version >= EVENTS - 1
    for scans in plans.of("ORDER BY version DESC LIMIT 1"):
        assert_by(scans, "events", BY_VERSION, "stream = ")
    for scans in plans.of("command_end(partition, stream, version)"):
        assert_by(scans, "events", BY_COMMAND, "stream = ", "command_id = ")


async def test_many_heads_are_looked_up_one_by_one(store, plans):
    for number in range(TIMES):
        assert len(await store.heads(STREAMS[number : number + 40])) == 40
    for scans in plans.of("AS s (partition, stream)"):
        assert_by(scans, "events", BY_VERSION, "stream = ")


async def test_the_outcome_of_a_command_is_found(store, plans):
    with psycopg.connect(store._conninfo) as connection:
        for number in range(TIMES):
            ((command_id,),) = connection.execute(
                "SELECT command_id FROM events WHERE stream = %s AND version = 7", (STREAMS[number],)
            ).fetchall()
            assert (await store.head(STREAMS[number], command_id, b"x")).command is not None
    for scans in plans.of("SELECT e.version - 1 FROM events e"):
        assert_by(scans, "events", BY_VERSION, "stream = ")


async def test_a_partition_is_read_by_its_positions(store, plans):
    for number in range(TIMES):
        assert len(await store.read_partition(number, 500, 100)) == 100
    for scans in plans.of("ORDER BY position LIMIT"):
        assert_by(scans, "events", BY_POSITION, "position > ")


async def test_an_append_looks_up_heads_and_ids_and_writes_deadlines(store, plans):
    runtime = Runtime(COUNTER, registry(), store)
    for number in range(1, 2 * TIMES, 2):
        running = parse_stream(STREAMS[number - 1]).id
        await runtime.handle(running, Add(1), command_id=str(uuid4()), actor="player:ana")
    for scans in plans.of("jsonb_array_elements(writes)"):
        heads = [scan for scan in scans if scan.table.startswith("events")]
        assert {bool(re.search(BY_COMMAND, scan.index)) for scan in heads} == {True, False}
        for scan in heads:
            assert "stream = " in scan.condition, scan
            assert re.search(f"{BY_VERSION}|{BY_COMMAND}", scan.index), scan
        assert_by(scans, "partition_counters", "pkey", "partition = ")
        assert_by(scans, "deadlines", "pkey", "stream = ")


async def test_overdue_deadlines_are_found_by_their_time(store, plans):
    with psycopg.connect(store._conninfo, autocommit=True) as connection:
        connection.execute(
            "UPDATE deadlines SET retry_at = now() - interval '9 seconds' WHERE stream = ANY (%s)",
            (STREAMS[:40],),
        )
        connection.execute("ANALYZE deadlines")
    for _ in range(TIMES):
        assert len(await store.claim_overdue("counter", overdue_s=1, limit=5)) <= 5
    for scans in plans.of("FOR UPDATE SKIP LOCKED"):
        (by_time,) = [scan for scan in scans if "retry_at <" in scan.condition]
        assert by_time.index == "deadlines_retry"
        assert all(scan.condition for scan in scans if scan.table == "deadlines")


async def test_streams_are_listed_by_when_they_began(many_rows, plans):
    before = None
    for _ in range(TIMES):
        page = await list_streams(many_rows, "counter", 20, before)
        assert len(page) == 20
        before = page[-1]
    await list_streams(many_rows)
    for scans in plans.of("split_part(first.stream"):
        assert_by([scan for scan in scans if scan.alias.startswith("first")], "events", BEGAN)
        assert_by([scan for scan in scans if scan.alias.startswith("e")], "events", BY_VERSION, "stream = ")


async def test_the_relay_reads_public_messages_alone(many_rows, nats_url, plans):
    client = await nats.connect(nats_url)
    jetstream = client.jetstream()
    await ensure_streams(jetstream, [StreamSpec("counter", ("carteado.counter.>",))])
    relay = Relay(many_rows, jetstream, "counter")
    await relay.start()

    async def all_are_published() -> bool:
        return (await jetstream.stream_info("counter")).state.messages >= 1_500

    await until(all_are_published, within_s=60)
    await relay.stop()
    await client.close()
    seen = 0
    for scans in plans.of("public_subject IS NOT NULL"):
        events = [scan for scan in scans if scan.table.startswith("events")]
        assert_by(events, "events", PUBLIC, "position ")
        seen += len(events)
    assert seen


async def test_a_projection_reads_what_it_has_not_applied(many_rows, plans):
    connection = await connect(many_rows, "test")
    await make_live(connection, TOTALS)
    for _ in range(TIMES):
        await lag(connection, TOTALS.schema)
        async with connection.transaction():
            page = await apply_page(connection, TOTALS, TOTALS.schema, 3, limit=50)
            assert page is not None
            assert page.events == 50
    await connection.close()
    for scans in plans.of("AS is_last"):
        assert_by(scans, "events", BY_POSITION, "position > ", "position <= ")
    for scans in plans.of("c.position - p.position"):
        assert_by(scans, "events", BY_POSITION, "position = ")


async def test_the_views_ask_an_index_whether_a_stream_has_ended(many_rows, plans):
    with psycopg.connect(many_rows, autocommit=True) as connection:
        for query in (
            "SELECT count(*) FROM analysis.counter_added",
            "SELECT * FROM analysis.counter_ended ORDER BY recorded_at LIMIT 10",
            f"SELECT * FROM analysis.events WHERE stream = '{STREAMS[1]}'",
        ):
            assert connection.execute(query.encode()).fetchall()
    for scans in plans.of("FROM analysis."):
        assert_by([scan for scan in scans if scan.alias.startswith("last")], "events", ENDED)


async def test_a_view_reads_one_stream_by_its_versions(many_rows, plans):
    with psycopg.connect(many_rows, autocommit=True) as connection:
        query = f"SELECT * FROM analysis.counter_added WHERE stream = '{STREAMS[1]}'"
        assert len(connection.execute(query.encode()).fetchall()) == EVENTS - 2
    (scans,) = plans.of("FROM analysis.counter_added")
    assert_by(
        [scan for scan in scans if not scan.alias.startswith("last")], "events", "pkey|idx", "stream = "
    )


async def test_the_list_of_streams_for_analysts_looks_up_each_head(many_rows, plans):
    with psycopg.connect(many_rows, autocommit=True) as connection:
        query = "SELECT * FROM analysis.streams ORDER BY began_at DESC LIMIT 20"
        assert len(connection.execute(query.encode()).fetchall()) == 20
    (scans,) = plans.of("FROM analysis.streams")
    assert_by([scan for scan in scans if scan.alias.startswith("first")], "events", BEGAN)
    assert_by([scan for scan in scans if scan.alias.startswith("e")], "events", BY_VERSION, "stream = ")


async def test_plans_that_were_made_when_the_log_was_empty_are_good_for_a_full_one(
    postgres_server, log_template, open_folder
):
    """A connection keeps its plans until there are statistics, which on a first day is a while."""
    with explained(postgres_server, log_template, f"{DATABASE}_later") as conninfo:
        store = await PostgresStore.open(conninfo, readers=1)
        runtime = Runtime(COUNTER, registry(), store)
        projector = await connect(conninfo, "test")
        await make_live(projector, TOTALS)

        async def ask(counter: str) -> None:
            stream = stream_id("counter", counter)
            await store.read(stream)
            await store.head(stream, str(uuid4()), b"x")
            await store.heads([stream])
            await store.read_partition(parse_stream(stream).partition, 5)
            await lag(projector, TOTALS.schema)
            async with projector.transaction():
                await apply_page(projector, TOTALS, TOTALS.schema, 3, limit=50)
            await runtime.handle(counter, Start(), command_id=str(uuid4()), actor="player:ana")

        for number in range(TIMES):
            await ask(f"early-{number}")
        with psycopg.connect(conninfo, autocommit=True) as connection:
            # Past the trigger that guards events, without a change of the table, which would have plans made anew.
            connection.execute("SET session_replication_role = replica")
            connection.execute("DELETE FROM events")
            fill(connection)
            connection.execute(
                "UPDATE partition_counters c SET position = (SELECT max(position) FROM events e WHERE e.partition = c.partition)"
            )
        plans = Plans(open_folder / "postgres.log")
        await ask("late")
        await projector.close()
        await store.close()
    for scans in plans.of("ORDER BY version LIMIT"):
        assert_by(scans, "events", BY_VERSION, "stream = ")
    for scans in plans.of("ORDER BY version DESC LIMIT 1"):
        assert_by(scans, "events", BY_VERSION, "stream = ")
    for scans in plans.of("command_end(partition, stream, version)"):
        assert_by(scans, "events", BY_COMMAND, "stream = ", "command_id = ")
    for scans in plans.of("ORDER BY position LIMIT"):
        assert_by(scans, "events", BY_POSITION, "position > ")
    for scans in plans.of("c.position - p.position"):
        assert_by(scans, "events", BY_POSITION, "position = ")
    for scans in plans.of("jsonb_array_elements(writes)"):
        for scan in (scan for scan in scans if scan.table.startswith("events")):
            assert re.search(f"{BY_VERSION}|{BY_COMMAND}", scan.index), scan
            assert "stream = " in scan.condition, scan


async def test_a_scan_of_all_rows_would_be_seen(many_rows, plans):
    """The tests above can fail."""
    with psycopg.connect(many_rows, autocommit=True) as connection:
        connection.execute("SELECT count(*) FROM events WHERE actor = 'nobody at all'").fetchall()
    (scans,) = plans.of("nobody at all")
    with pytest.raises(AssertionError):
        assert_by(scans, "events", BY_VERSION)
