"""Every schema that the log ever had, with rows in it, becomes the newest one and goes on working.

The schema of an earlier release is made by its own migrations: the first n of the files that are never edited.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from uuid import uuid4

import msgspec
import psycopg
import pytest

from libs.eventlog.analysts import publish_views
from libs.eventlog.committed import Committed
from libs.eventlog.inspect import ReplayChecks, list_streams, verify_log
from libs.eventlog.migrations import LOG_MIGRATIONS, migrate
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projector import Projector
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import parse_stream, stream_id
from tests.libs.eventlog.counter import COUNTER, Add, End, Start, State, registry
from tests.libs.eventlog.test_projections import caught_up
from tests.libs.eventlog.totals import TOTALS, reference, rows
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
EVENTS = (
    ("CounterStarted", {"type": "Started", "patience_s": 60, "due_at": "2026-01-01T12:01:00Z"}),
    ("CounterAdded", {"type": "Added", "number": 5, "due_at": "2026-01-01T12:02:00Z", "note": "é ♣"}),
    ("CounterAdded", {"type": "Added", "number": 2, "due_at": None, "note": ""}),
)
"""What a stream of an earlier release holds."""
STATES = (
    State(started=True, patience_s=60),
    State(started=True, patience_s=60, total=5, turn=1),
    State(started=True, patience_s=60, total=7, turn=2),
)


def body_hash(number: int) -> bytes:
    return blake2b(str(number).encode()).digest()


def write_as_before(connection: psycopg.Connection, schema: int, name: str) -> None:
    """Write a stream of three commands with the statements that the release with this schema had."""
    stream = stream_id("counter", name)
    partition = parse_stream(stream).partition
    for number, ((event, payload), state) in enumerate(zip(EVENTS, STATES, strict=True)):
        text = msgspec.json.encode(payload).decode()
        state_hash = COUNTER.state_hash(state)
        if schema >= 3:
            row = [
                0,
                0,
                f"{name}-{number}",
                body_hash(number).hex(),
                "ana",
                None,
                None,
                None,
                stream,
                partition,
            ]
            row += [number, (AT + timedelta(minutes=1)).isoformat(), state_hash.hex(), False]
            document = msgspec.json.encode([[*row, [[event, 1, payload, None, None]]]]).decode()
            outcome = connection.execute(
                "SELECT outcome FROM append(%s::jsonb, %s::smallint[])", (document, [partition])
            ).fetchall()
            assert outcome == [("appended",)]
            continue
        connection.execute(
            "UPDATE partition_counters SET position = position + 1 WHERE partition = %s", (partition,)
        )
        connection.execute(
            """
            INSERT INTO events (partition, position, stream, version, type, schema_version, payload, command_id,
                                body_hash, actor, state_hash, recorded_at)
            SELECT partition, position, %s, %s, %s, 1, %s::jsonb, %s, %s, 'ana', %s, %s
            FROM partition_counters WHERE partition = %s
            """,
            (
                stream,
                number + 1,
                event,
                text,
                f"{name}-{number}",
                body_hash(number),
                state_hash,
                AT,
                partition,
            ),
        )
    if schema == 2:
        connection.execute(
            "INSERT INTO deadlines (partition, stream, due_at, retry_at) VALUES (%s, %s, %s, %s)",
            (partition, stream, AT, AT),
        )


def write_beside(connection: psycopg.Connection, schema: int) -> None:
    """What the release with this schema keeps beside the events."""
    if schema >= 4:
        connection.execute("SELECT beat('3 seconds')")
        connection.execute("INSERT INTO outages VALUES (%s, %s)", (AT, AT + timedelta(seconds=20)))
    if schema >= 5:
        connection.execute("UPDATE relay_positions SET position = 2")


def everything(connection: psycopg.Connection, like: dict[str, tuple[list[str], list[tuple]]] | None = None):
    """The columns and rows of each table; of a newer schema, those that an older one had."""
    if like is None:
        tables = connection.execute(
            """
            SELECT c.relname, array_agg(a.attname ORDER BY a.attnum)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              AND c.relname <> 'schema_migrations'
            GROUP BY c.relname
            """
        ).fetchall()
        columns = {str(table): list(names) for table, names in tables}
    else:
        columns = {table: names for table, (names, _) in like.items()}
    return {
        table: (
            names,
            connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY 1, 2".encode()).fetchall(),
        )
        if len(names) > 1
        else (names, connection.execute(f"SELECT {names[0]} FROM {table} ORDER BY 1".encode()).fetchall())
        for table, names in columns.items()
    }


@pytest.mark.parametrize("schema", [migration.number for migration in LOG_MIGRATIONS[:-1]])
async def test_a_log_of_an_earlier_schema_becomes_the_newest_one(database, schema):
    await migrate(database, migrations=LOG_MIGRATIONS[:schema])
    with psycopg.connect(database, autocommit=True) as connection:
        for name in ("old", "older"):
            write_as_before(connection, schema, name)
        write_beside(connection, schema)
        before = everything(connection)
        assert len(before["events"][1]) == 6

        assert await migrate(database) == list(LOG_MIGRATIONS[schema:])
        assert everything(connection, like=before) == before

        # The release before still writes, and this one goes on where it was.
        write_as_before(connection, schema, "beside")
    store = await PostgresStore.open(database)
    runtime = Runtime(COUNTER, registry(), store)
    answer = await runtime.handle("old", Add(3), command_id=str(uuid4()), actor="ana")
    assert isinstance(answer, Committed)
    assert (answer.version, answer.after.total) == (4, 10)
    known = await store.head(stream_id("counter", "older"), "older-1", body_hash(1))
    assert known.command is not None
    assert (known.command.from_version, known.command.to_version) == (1, 2)
    for body in (Start(), End()):
        await runtime.handle("new", body, command_id=str(uuid4()), actor="ana")
    found = await verify_log(store, {"counter": ReplayChecks(COUNTER, registry())})
    assert found.findings == ()
    assert (found.events, found.streams) == (12, 4)
    assert len(await list_streams(database, "counter")) == 4
    if schema >= 2:
        overdue = await store.claim_overdue("counter", overdue_s=1, limit=10)
        assert stream_id("counter", "older") in {claim.stream for claim in overdue}
    await publish_views(database, registry())
    projector = Projector(database, TOTALS)
    await projector.start()
    await until(caught_up(database))
    await projector.stop()
    assert rows(database) == reference(database)
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT total FROM analysis.counter_ended").fetchall() == [(0,)]
    await store.close()


SHAPE = """
    SELECT 'column', table_name, column_name, data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'function', proname, proacl::text, pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
        WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    ORDER BY 1, 2, 3, 4
"""


async def test_one_by_one_or_all_at_once_it_is_the_same_schema(database, log_database):
    for number in range(1, len(LOG_MIGRATIONS) + 1):
        await migrate(database, migrations=LOG_MIGRATIONS[:number])
    with psycopg.connect(database) as one_by_one, psycopg.connect(log_database) as at_once:
        shape = one_by_one.execute(SHAPE).fetchall()
        assert len(shape) > 100
        assert shape == at_once.execute(SHAPE).fetchall()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET actor = 'somebody else'",
        "DELETE FROM events",
        "TRUNCATE events",
        "TRUNCATE events_03",
        "UPDATE events_{partition} SET payload = '{{}}'",
        "DELETE FROM events_{partition}",
        "MERGE INTO events e USING (SELECT 1) AS x ON true WHEN MATCHED THEN DELETE",
        "INSERT INTO events SELECT * FROM events ON CONFLICT (partition, stream, version) DO UPDATE SET actor = 'x'",
    ],
)
async def test_events_cannot_be_updated_or_deleted_and_a_trigger_says_so(database, statement):
    await migrate(database)
    with psycopg.connect(database, autocommit=True) as connection:
        write_as_before(connection, len(LOG_MIGRATIONS), "kept")
        before = everything(connection)["events"]
        partition = parse_stream(stream_id("counter", "kept")).partition
        with pytest.raises(psycopg.errors.RestrictViolation, match="events are never altered"):
            connection.execute(statement.format(partition=f"{partition:02}").encode())
        assert everything(connection)["events"] == before
