"""A projection follows its log exactly, whatever dies and whoever else works on it (fault B095)."""

from __future__ import annotations

import asyncio
import re
import sys
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

import psycopg
import pytest

from libs.eventlog.connections import connect
from libs.eventlog.errors import LogUnavailableError, ProjectionChangedError
from libs.eventlog.metrics import NoObservations
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projection import Projection
from libs.eventlog.projection_build import lag, make_live
from libs.eventlog.projector import Projector, ProjectorLimits
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import stream_id
from tests.libs.eventlog.counter import COUNTER, Add, End, Ended, Start, Started, registry
from tests.libs.eventlog.cut_wire import CutWire
from tests.libs.eventlog.totals import TABLES, TOTALS, apply, reference, rows
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

QUICK = ProjectorLimits(page=4, poll_s=0.05, gather_s=0.0)


async def play(store: PostgresStore, *names: str) -> None:
    runtime = Runtime(COUNTER, registry(), store)
    for name in names:
        for body in (Start(), Add(3, one_by_one=True), Add(2), End()):
            await runtime.handle(name, body, command_id=str(uuid4()), actor="ana")


@asynccontextmanager
async def projecting(conninfo: str, projection: Projection = TOTALS, **options):
    options.setdefault("limits", QUICK)
    projector = Projector(conninfo, projection, **options)
    await projector.start()
    try:
        yield projector
    finally:
        await projector.stop()


async def behind(conninfo: str, schema: str = TOTALS.schema) -> int:
    connection = await connect(conninfo, "test")
    try:
        return sum(one.events for one in await lag(connection, schema))
    finally:
        await connection.close()


def caught_up(conninfo: str, schema: str = TOTALS.schema):
    async def condition() -> bool:
        return await behind(conninfo, schema) == 0

    return condition


async def test_it_follows_the_log(postgres_store, log_database):
    await play(postgres_store, "before", "too")
    async with projecting(log_database):
        await play(postgres_store, *"abcdefgh")
        await until(caught_up(log_database))
    assert rows(log_database) == reference(log_database)
    assert rows(log_database)[0][0] == ("a", 5, 4, True)


async def test_a_wake_is_quicker_than_the_poll(postgres_store, log_database):
    async with projecting(log_database, limits=ProjectorLimits(poll_s=60, gather_s=0)) as projector:
        postgres_store.appender.on_appended = projector.on_appended
        await play(postgres_store, "a")
        await until(caught_up(log_database), within_s=30)


async def test_what_comes_during_a_look_waits_for_the_next_one(postgres_store, log_database):
    """On a busy log there is always an event more: looking again at once would be a transaction for each."""
    runtime = Runtime(COUNTER, registry(), postgres_store)
    added = 0

    async def apply_and_add(connection, fact):
        nonlocal added
        await apply(connection, fact)
        if added < 20:
            await runtime.handle("a", Add(1), command_id=str(uuid4()), actor="ana")
            added += 1

    await runtime.handle("a", Start(), command_id=str(uuid4()), actor="ana")
    seen = Seen()
    projection = Projection("totals", 1, TABLES, registry(), apply_and_add)
    limits = ProjectorLimits(poll_s=3600, gather_s=0)
    async with projecting(log_database, projection, limits=limits, observations=seen) as projector:
        for looks in (1, 2, 3):

            async def has_added(looks=looks) -> bool:
                return added >= looks

            await until(has_added, within_s=30)
            assert (len(seen.lags), added) == (looks, looks)
            projector.wake()


async def test_several_replicas_apply_each_event_once(postgres_store, log_database):
    async with projecting(log_database), projecting(log_database), projecting(log_database):
        await asyncio.gather(*(play(postgres_store, *(f"{name}{n}" for n in range(5))) for name in "abcd"))
        await until(caught_up(log_database))
    assert rows(log_database) == reference(log_database)


async def test_a_crash_after_each_statement_in_turn_loses_and_doubles_nothing_b095(
    postgres_store, log_database
):
    """The projector dies when the server has executed its n-th statement, for every n, and another one goes on."""
    connection = await connect(log_database, "test")
    await make_live(connection, TOTALS)
    await connection.close()
    answers = 1
    while True:
        name = f"run{answers}"
        await play(postgres_store, name)
        async with CutWire(log_database, answers).open() as wire:
            projector = Projector(wire.conninfo, TOTALS, limits=QUICK)
            with suppress(psycopg.OperationalError):
                await projector.start()
            was_cut = asyncio.create_task(wire.is_cut.wait())
            done = asyncio.create_task(until(caught_up(log_database)))
            await asyncio.wait({was_cut, done}, return_when=asyncio.FIRST_COMPLETED)
            is_cut = wire.is_cut.is_set()
            was_cut.cancel()
            if done.done():
                await done
            done.cancel()
            await projector.stop()
        half_way = rows(log_database)
        assert all(
            position <= last
            for (_, position), (_, last) in zip(half_way[2], reference(log_database)[2], strict=True)
        )
        if not is_cut:
            break
        async with projecting(log_database):
            await until(caught_up(log_database))
        assert rows(log_database) == reference(log_database), f"after {answers} answers"
        answers += 1
    # 6 events in pages of 4: the connections, the tables, and the statements of two pages at the least.
    assert answers > 20


@pytest.mark.fault
async def test_a_projector_that_stands_still_in_a_page_loses_its_partition_to_the_others(
    postgres_store, log_database
):
    await play(postgres_store, "a")
    frozen = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.libs.eventlog.frozen_projector",
        log_database,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert frozen.stdout is not None
        assert await frozen.stdout.readline() == b"frozen\n"
        assert await behind(log_database) == 6
        async with projecting(log_database):
            await until(caught_up(log_database), within_s=30)
        assert rows(log_database) == reference(log_database)
    finally:
        frozen.kill()
        await frozen.wait()


async def test_a_checkpoint_never_stands_without_its_rows_b095(postgres_store, log_database):
    """Whatever a reader sees at any moment, the rows are those of the positions beside them."""
    async with projecting(log_database):
        playing = asyncio.create_task(play(postgres_store, *(f"c{n}" for n in range(12))))
        looks = 0
        with psycopg.connect(log_database) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            while not playing.done() or looks < 20:
                seen = connection.execute(
                    f"SELECT (SELECT coalesce(sum(added), 0) FROM {TOTALS.schema}.totals), "
                    f"(SELECT count(*) FROM events e JOIN {TOTALS.schema}.projected_positions p USING (partition) "
                    "  WHERE e.type = 'CounterAdded' AND e.position <= p.position)"
                ).fetchone()
                assert seen is not None
                assert seen[0] == seen[1]
                connection.rollback()
                looks += 1
                await asyncio.sleep(0.005)
        await playing


async def test_rolled_back_appends_leave_no_gap_to_stumble_over_b089(postgres_store, log_database):
    partition = int(stream_id("counter", "after").split("-")[1])
    async with projecting(log_database):
        with psycopg.connect(log_database) as connection:
            for _ in range(150):
                connection.execute(
                    "UPDATE partition_counters SET position = position + 1 WHERE partition = %s", (partition,)
                )
                connection.rollback()
        await play(postgres_store, "after")
        await until(caught_up(log_database), within_s=30)
    assert dict(rows(log_database)[2])[partition] == 6
    assert rows(log_database) == reference(log_database)


class Seen(NoObservations):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.failed: set[int] = set()
        self.events = 0
        self.lags: list[tuple[int, float]] = []

    def projected(self, projection: str, events: int, seconds: float) -> None:
        assert projection == "totals"
        self.events += events

    def projection_lag(self, projection: str, events: int, age_s: float) -> None:
        self.lags.append((events, age_s))

    def projection_failed(self, projection: str, partition: int) -> None:
        self.failed.add(partition)


async def test_its_lag_is_observed(postgres_store, log_database):
    await play(postgres_store, "a", "b")
    seen = Seen()
    async with projecting(log_database, observations=seen):
        await until(caught_up(log_database))

        async def told() -> bool:
            return seen.lags[-1] == (0, 0.0)

        await until(told)
    assert seen.lags[0][0] == 12
    assert seen.lags[0][1] > 0
    assert seen.events == 12
    assert not seen.failed


async def test_an_unknown_type_stops_its_partition_loudly_and_no_other(postgres_store, log_database, caplog):
    known = registry()
    stranger = type(known)()
    for name, schema_version, event_type in known.types():
        if name != "CounterEnded":
            stranger.register(name, event_type, schema_version)
    projection = Projection("totals", 1, TABLES, stranger, apply)
    stream = stream_id("counter", "a")
    partition = int(stream.split("-")[1])
    other = next(
        name
        for name in map(str, range(99))
        if stream_id("counter", name).split("-")[1] != stream.split("-")[1]
    )
    runtime = Runtime(COUNTER, known, postgres_store)
    await play(postgres_store, "a")
    await runtime.handle(other, Start(), command_id="x", actor="ana")
    seen = Seen()
    async with projecting(log_database, projection, observations=seen):

        async def stands() -> bool:
            return seen.failed == {partition} and (other, 0, 0, False) in rows(log_database)[0]

        await until(stands)
    assert (
        f"event 'CounterEnded' (schema version 1) at {stream} version 6, partition {partition} position 6"
        in caplog.text
    )
    # The page in which it stands left nothing: neither rows nor a checkpoint.
    assert dict(rows(log_database)[2])[partition] == 4
    async with projecting(log_database):  # the release that knows it goes on
        await until(caught_up(log_database))
    assert rows(log_database) == reference(log_database)


async def test_a_hole_in_the_positions_stops_loudly(postgres_store, log_database, caplog):
    await play(postgres_store, "a")
    stream = stream_id("counter", "a")
    partition = int(stream.split("-")[1])
    with psycopg.connect(log_database, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("DELETE FROM events WHERE stream = %s AND version = 3", (stream,))
    seen = Seen()
    async with projecting(log_database, observations=seen):

        async def stands() -> bool:
            return seen.failed == {partition}

        await until(stands)
    assert f"partition {partition} has position 4 where 3 must stand" in caplog.text
    assert rows(log_database)[0] == []


ENDS = Projection("totals", 1, TABLES, registry(), apply, reads=(Started, Ended))


async def test_events_that_it_does_not_read_are_passed_over_and_counted(postgres_store, log_database):
    await play(postgres_store, "a", "b")
    seen = Seen()
    async with projecting(log_database, ENDS, observations=seen):
        await until(caught_up(log_database))
    totals, numbers, positions = rows(log_database)
    assert (totals, numbers) == ([("a", 0, 0, True), ("b", 0, 0, True)], [])
    assert positions == reference(log_database)[2]
    assert seen.events == 12


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM events WHERE version = 3", "position 4 where 3 must stand"),
        ("UPDATE events SET type = 'CounterGone' WHERE version = 3", "event 'CounterGone' .* position 3: "),
    ],
)
async def test_a_hole_or_an_unknown_type_among_them_is_not_passed_over(
    postgres_store, log_database, caplog, damage, said
):
    await play(postgres_store, "a")
    with psycopg.connect(log_database, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(damage)
    seen = Seen()
    async with projecting(log_database, ENDS, observations=seen):

        async def stands() -> bool:
            return bool(seen.failed)

        await until(stands)
    assert re.search(said, caplog.text)
    assert rows(log_database)[0] == []


async def test_a_statement_that_fails_is_tried_again_and_nothing_is_skipped(postgres_store, log_database):
    async with projecting(log_database) as projector:
        with psycopg.connect(log_database, autocommit=True) as connection:
            connection.execute(
                f"ALTER TABLE {TOTALS.schema}.numbers ADD CONSTRAINT no_two CHECK (number <> 2)"
            )
            await play(postgres_store, "a")

            async def stands() -> bool:
                return bool(projector._failures)

            await until(stands)
            connection.execute(f"ALTER TABLE {TOTALS.schema}.numbers DROP CONSTRAINT no_two")
        projector._paused_until.clear()
        await until(caught_up(log_database))
    assert rows(log_database) == reference(log_database)


async def test_it_goes_on_after_the_database_was_away(postgres_store, log_database):
    async with projecting(log_database):
        await play(postgres_store, "a")
        await until(caught_up(log_database))
        with psycopg.connect(log_database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name LIKE 'carteado projector%'"
            )
        await play(postgres_store, "b")
        await until(caught_up(log_database))
    assert rows(log_database) == reference(log_database)


async def test_other_sql_under_the_same_version_is_refused_at_start(log_database):
    async with projecting(log_database):
        pass
    changed = Projection("totals", 1, TABLES + "CREATE TABLE more (x integer);", registry(), apply)
    with pytest.raises(ProjectionChangedError, match="raise the version of the projection 'totals'"):
        await Projector(log_database, changed).start()


async def test_two_releases_keep_their_versions_side_by_side_and_the_third_drops_the_first(
    postgres_store, log_database
):
    def release(version: int) -> Projection:
        extra = "".join(f"CREATE TABLE more_{number} (x integer);" for number in range(version))
        return Projection("totals", version, TABLES + extra, registry(), apply)

    async with projecting(log_database, release(1)), projecting(log_database, release(2)):
        await play(postgres_store, "a", "b")
        for version in (1, 2):
            await until(caught_up(log_database, release(version).schema))
            assert rows(log_database, release(version).schema) == reference(log_database)
    async with projecting(log_database, release(3)):
        await until(caught_up(log_database, release(3).schema))
    with psycopg.connect(log_database) as connection:
        found = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'projection%' ORDER BY 1"
        ).fetchall()
    assert found == [("projection_totals_v2",), ("projection_totals_v3",)]


async def test_a_projection_cannot_reach_another_table_by_accident(postgres_store, log_database, caplog):
    async def reach(connection, fact):
        await connection.execute("SELECT count(*) FROM partition_counters")

    await play(postgres_store, "a")
    seen = Seen()
    async with projecting(
        log_database, Projection("totals", 1, TABLES, registry(), reach), observations=seen
    ):

        async def stands() -> bool:
            return bool(seen.failed)

        await until(stands)
    assert 'relation "partition_counters" does not exist' in caplog.text


@pytest.mark.parametrize("name", ["", "Totals", "a-b", "x" * 31, "a; DROP"])
def test_a_name_that_makes_no_schema_is_refused(name):
    with pytest.raises(ValueError, match="does not name a projection"):
        Projection(name, 1, TABLES, registry(), apply)


async def test_without_a_database_it_says_so(log_database):
    nowhere = f"{log_database} port=1"
    with pytest.raises((psycopg.OperationalError, LogUnavailableError)):
        await Projector(nowhere, TOTALS).start()
