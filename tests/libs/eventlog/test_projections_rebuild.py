"""A rebuild makes the same rows from nothing, beside the live ones, and swaps them in unseen."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from libs.eventlog.connections import connect
from libs.eventlog.errors import RebuildUnderWayError, UnknownEventError
from libs.eventlog.projection import Projection
from libs.eventlog.rebuild import rebuild
from tests.libs.eventlog.counter import registry
from tests.libs.eventlog.cut_wire import CutWire
from tests.libs.eventlog.test_projections import caught_up, play, projecting
from tests.libs.eventlog.totals import TABLES, TOTALS, apply, reference, rows
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration


def schemas(conninfo: str) -> list[str]:
    with psycopg.connect(conninfo) as connection:
        found = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'projection%' ORDER BY 1"
        ).fetchall()
    return [name for (name,) in found]


def schema_id(conninfo: str) -> int:
    with psycopg.connect(conninfo) as connection:
        ((number,),) = connection.execute(
            "SELECT to_regnamespace(%s)::oid::bigint", (TOTALS.schema,)
        ).fetchall()
    return int(number)


async def test_a_rebuild_beside_the_live_one_while_events_flow_gives_equal_rows(postgres_store, log_database):
    await play(postgres_store, *(f"before{n}" for n in range(10)))
    async with projecting(log_database):
        live = schema_id(log_database)
        is_rebuilt = asyncio.Event()
        streams = 0

        async def go_on_playing() -> None:
            nonlocal streams
            while not is_rebuilt.is_set():
                streams += 1
                await play(postgres_store, f"during{streams}")

        playing = asyncio.create_task(go_on_playing())
        done = await rebuild(log_database, TOTALS, page=40)
        is_rebuilt.set()
        await playing
        assert streams > 1
        assert done.events > 60, "events flowed, and the new one followed them"
        assert schema_id(log_database) != live
        await until(caught_up(log_database))  # the projector goes on with the new one
    assert rows(log_database) == reference(log_database)
    assert schemas(log_database) == [TOTALS.schema]


async def test_a_row_that_no_event_made_is_gone_afterwards(postgres_store, log_database):
    await play(postgres_store, "a")
    async with projecting(log_database):
        await until(caught_up(log_database))
        with psycopg.connect(log_database, autocommit=True) as connection:
            connection.execute(f"INSERT INTO {TOTALS.schema}.totals VALUES ('nobody', 1, 1, true)")
            connection.execute(f"DELETE FROM {TOTALS.schema}.numbers WHERE number = 1")
        assert rows(log_database) != reference(log_database)
        await rebuild(log_database, TOTALS)
        assert rows(log_database) == reference(log_database)


async def test_readers_see_whole_rows_at_every_moment_of_a_swap_and_never_an_earlier_one(
    postgres_store, log_database
):
    await play(postgres_store, *"abcd")
    query = (
        f"SELECT (SELECT coalesce(sum(total), 0) FROM {TOTALS.schema}.totals), "
        f"(SELECT coalesce(sum(number * times), 0) FROM {TOTALS.schema}.numbers), "
        f"(SELECT sum(position) FROM {TOTALS.schema}.projected_positions)"
    )
    stop = asyncio.Event()
    looks = 0

    async def read() -> None:
        nonlocal looks
        connection = await connect(log_database, "reader")  # prepares every statement: a plan outlives a swap
        last = 0
        while not stop.is_set():
            cursor = await connection.execute(query)
            ((total, by_number, position),) = await cursor.fetchall()
            assert total == by_number
            assert position >= last
            last, looks = position, looks + 1
        await connection.close()

    async with projecting(log_database):
        await until(caught_up(log_database))
        readers = [asyncio.create_task(read()) for _ in range(3)]
        playing = asyncio.create_task(play(postgres_store, *(f"c{n}" for n in range(30))))
        for _ in range(8):
            await rebuild(log_database, TOTALS)
        stop.set()
        await asyncio.gather(playing, *readers)
        await until(caught_up(log_database))
    assert looks > 50
    assert rows(log_database) == reference(log_database)


async def test_a_swap_waits_until_the_new_one_is_as_far_as_the_live_one(postgres_store, log_database):
    """What the live one has applied since the rebuild began is in the new one too when it is swapped in."""
    async with projecting(log_database):
        await play(postgres_store, "a")
        await until(caught_up(log_database))
        first = True

        def more(_done: int, _total: int) -> None:
            nonlocal first
            if first:
                first = False
                late.append(asyncio.get_running_loop().create_task(append_and_project()))

        async def append_and_project() -> None:
            await play(postgres_store, "late")
            await until(caught_up(log_database))

        late: list[asyncio.Task[None]] = []
        before = rows(log_database)[2]
        await rebuild(log_database, TOTALS, on_progress=more, page=1_000)
        after = rows(log_database)[2]
        assert all(new >= old for (_, new), (_, old) in zip(after, before, strict=True))
        await late[0]
        await until(caught_up(log_database))
    assert rows(log_database) == reference(log_database)


async def test_a_first_build_needs_no_live_one(postgres_store, log_database):
    await play(postgres_store, "a", "b")
    await rebuild(log_database, TOTALS)
    assert rows(log_database) == reference(log_database)


async def test_an_empty_log_is_rebuilt_too(log_database):
    done = await rebuild(log_database, TOTALS)
    assert done.events == 0
    assert rows(log_database) == reference(log_database)


async def test_it_tells_how_far_it_is(postgres_store, log_database):
    await play(postgres_store, *"abc")
    told: list[tuple[int, int]] = []
    done = await rebuild(log_database, TOTALS, on_progress=lambda *progress: told.append(progress), page=2)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[0] == (2, 18)
    assert told[-1] == (18, 18)
    assert done.events == 18


async def test_two_rebuilds_at_once_are_refused(postgres_store, log_database):
    await play(postgres_store, *"abcdef")
    outcomes = await asyncio.gather(
        *(rebuild(log_database, TOTALS, page=1) for _ in range(3)), return_exceptions=True
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, RebuildUnderWayError)]
    assert len(refused) == 2
    assert rows(log_database) == reference(log_database)


async def test_a_rebuild_that_dies_at_any_statement_has_changed_nothing_and_the_next_one_succeeds(
    postgres_store, log_database
):
    await play(postgres_store, "a", "b")
    async with projecting(log_database):
        await until(caught_up(log_database))
    answers = 1
    while True:
        async with CutWire(log_database, answers).open() as wire:
            try:
                await rebuild(wire.conninfo, TOTALS, page=4)
                if not wire.is_cut.is_set():
                    break
            except psycopg.OperationalError:
                assert wire.is_cut.is_set()
        assert rows(log_database) == reference(log_database), f"after {answers} answers"
        answers += 1
    assert (
        answers > 50
    )  # the new schema, its tables, twelve events in pages of four, the swap, the clearing up
    await rebuild(log_database, TOTALS)
    assert rows(log_database) == reference(log_database)
    assert schemas(log_database) == [TOTALS.schema]


async def test_a_projection_that_changed_its_tables_can_be_rebuilt(postgres_store, log_database):
    await play(postgres_store, "a")
    async with projecting(log_database):
        await until(caught_up(log_database))
    changed = Projection("totals", 1, TABLES + "CREATE TABLE more (x integer);", registry(), apply)
    await rebuild(log_database, changed)
    async with projecting(log_database, changed):
        assert rows(log_database) == reference(log_database)


async def test_an_unknown_type_ends_a_rebuild_with_its_name_and_position_and_leaves_the_live_one(
    postgres_store, log_database
):
    await play(postgres_store, "a")
    async with projecting(log_database):
        await until(caught_up(log_database))
    empty = Projection("totals", 1, TABLES, type(registry())(), apply)
    with pytest.raises(
        UnknownEventError, match=r"'CounterStarted' .* position 1: its type is not registered"
    ):
        await rebuild(log_database, empty)
    assert rows(log_database) == reference(log_database)


async def test_old_rows_that_are_still_read_are_dropped_by_the_next_rebuild(
    postgres_store, log_database, monkeypatch
):
    monkeypatch.setattr("libs.eventlog.schema_swap._WAIT_MS", 20)
    await play(postgres_store, "a")
    await rebuild(log_database, TOTALS)
    with psycopg.connect(log_database) as reader:
        reader.execute(f"SELECT * FROM {TOTALS.schema}.totals").fetchall()
        await rebuild(log_database, TOTALS)
        assert f"{TOTALS.schema}_old" in schemas(log_database)
        # The reader's transaction goes on; by name it finds the new rows.
        assert reader.execute(f"SELECT total FROM {TOTALS.schema}.totals").fetchall() == [(5,)]
    await rebuild(log_database, TOTALS)
    assert schemas(log_database) == [TOTALS.schema]
