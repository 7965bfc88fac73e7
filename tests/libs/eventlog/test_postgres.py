"""What only a real Postgres can show: races between connections, rollbacks, lost connections, refused changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from libs.eventlog.appender import AppenderLimits, StatementRefusedError
from libs.eventlog.errors import AppendTimeoutError, LogUnavailableError, UnstorableError
from libs.eventlog.metrics import NoObservations
from libs.eventlog.postgres import PostgresStore, PostgresWriter
from libs.eventlog.store import AppendCommand, Appended, Conflict, Duplicate, NewEvent, StreamWrite
from libs.eventlog.streams import PARTITIONS, partition_of, stream_id
from tests.libs.eventlog.test_store_contract import (
    assert_positions_are_contiguous,
    command,
    in_partition,
    say,
)
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration


@asynccontextmanager
async def opened(conninfo: str, number: int) -> AsyncIterator[list[PostgresStore]]:
    """Several stores on one database, as several replicas have."""
    stores = [await PostgresStore.open(conninfo) for _ in range(number)]
    yield stores
    for store in stores:
        await store.close()


@asynccontextmanager
async def administrator(conninfo: str) -> AsyncIterator[psycopg.AsyncConnection]:
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        yield connection


async def wait_for_row(connection: psycopg.AsyncConnection, query: str) -> None:
    async def is_there() -> bool:
        return bool(await (await connection.execute(query)).fetchall())

    await until(is_there)


WAITS_FOR_A_LOCK = (
    "SELECT 1 FROM pg_stat_activity WHERE application_name = 'carteado append' AND wait_event_type = 'Lock'"
)


async def test_b090_twenty_writers_on_twenty_connections_one_wins(log_database):
    stream = stream_id("said", "a")
    async with opened(log_database, 20) as stores:
        outcomes = await asyncio.gather(*(store.append(command(say(stream, 0))) for store in stores))
        assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 1
        assert sum(outcome == Conflict(stream, 1) for outcome in outcomes) == 19
        assert [stored.version for stored in await stores[0].read(stream)] == [1]


async def test_b088_eight_writers_and_a_reader_see_each_event_once(log_database):
    """Readers remember the last position they saw; what they read must be contiguous at every moment."""
    total, seen, done = 8 * 2_000, [], asyncio.Event()

    async def read(store: PostgresStore) -> None:
        last = [0] * PARTITIONS
        while len(seen) < total:
            finished = done.is_set()
            for partition in range(PARTITIONS):
                for stored in await store.read_partition(partition, last[partition], 100):
                    assert stored.position == last[partition] + 1
                    last[partition] = stored.position
                    seen.append((stored.stream, stored.version))
            assert len(seen) == total or not finished, "a reader lost an event"

    async def write(store: PostgresStore, number: int) -> None:
        streams = [stream_id("said", f"{number}-{name}") for name in range(50)]
        for version in range(40):
            await asyncio.gather(*(store.append(command(say(stream, version))) for stream in streams))

    async with opened(log_database, 9) as stores:
        reading = asyncio.create_task(read(stores[8]))
        await asyncio.gather(*(write(store, number) for number, store in enumerate(stores[:8])))
        done.set()
        await reading
    assert len(set(seen)) == total


async def test_b088_a_transaction_held_open_makes_no_reader_skip(log_database):
    first, second = in_partition(4, 2)
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        async with other.transaction():
            # The same append, held open by hand.
            await other.execute(
                "SELECT * FROM append(%s::jsonb, ARRAY[4]::smallint[])",
                (
                    f'[[0,0,"held","00","ana",null,null,null,"{first}",4,0,null,null,false,[["Said",1,{{}},null,null]]]]',
                ),
            )
            waiting = asyncio.ensure_future(store.append(command(say(second, 0))))
            async with administrator(log_database) as third:
                await wait_for_row(third, WAITS_FOR_A_LOCK)
            assert await store.read_partition(4) == []
            assert not waiting.done()
        outcome = await waiting
        assert isinstance(outcome, Appended)
        assert outcome.positions == (2,)
        assert [(one.position, one.stream) for one in await store.read_partition(4)] == [
            (1, first),
            (2, second),
        ]


async def test_two_commands_on_one_stream_in_one_statement_append_nothing_of_it(log_database):
    """The appender never sends that; if it did, the unique index refuses the whole, and the connection is good."""
    stream, other = stream_id("said", "a"), stream_id("said", "b")
    writer = await PostgresWriter.open(log_database)
    group = [command(say(stream, 0)), command(say(other, 0)), command(say(stream, 0))]
    with pytest.raises(StatementRefusedError):
        await writer.write(group)
    outcomes = [(await writer.write([one]))[0] for one in group]
    assert [type(outcome) for outcome in outcomes] == [Appended, Appended, Conflict]
    await writer.close()
    async with opened(log_database, 1) as (store,):
        assert await assert_positions_are_contiguous(store) == 2


@pytest.mark.parametrize(
    "poison", [b"[1,", b'{"a":"\\ud800"}', b"[" * 100_000 + b"]" * 100_000], ids=["cut", "surrogate", "deep"]
)
async def test_b100_a_statement_of_fifty_with_one_poisoned_command_is_tried_again_one_by_one(
    log_database, poison
):
    groups: list[int] = []

    class Groups(NoObservations):
        def group(self, commands: int, seconds: float) -> None:
            groups.append(commands)

    whole = AppenderLimits(halved_from=51)
    store = await PostgresStore.open(log_database, limits=whole, observations=Groups())
    streams = [stream_id("said", str(number)) for number in range(50)]
    commands = [command(say(stream, 0)) for stream in streams]
    commands[17] = command(StreamWrite(streams[17], 0, (NewEvent("Said", 1, poison),)))
    outcomes = await asyncio.gather(*map(store.append, commands), return_exceptions=True)
    assert isinstance(outcomes[17], UnstorableError)
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 49
    assert groups == [1] * 49, "they were one statement, and then one each"
    assert await assert_positions_are_contiguous(store) == 49
    assert store.generation == 0
    await store.close()


async def test_another_partition_does_not_wait_for_a_held_transaction(log_database):
    async with opened(log_database, 1) as (store,), administrator(log_database) as other, other.transaction():
        await other.execute("SELECT FROM partition_counters WHERE partition = 4 FOR UPDATE")
        (stream,) = in_partition(5, 1)
        assert isinstance(await store.append(command(say(stream, 0))), Appended)


async def test_b089_a_rollback_leaves_no_gap(log_database):
    (stream,) = in_partition(4, 1)
    document = (
        f'[[0,0,"x","00","ana",null,null,null,"{stream}",4,0,null,null,false,[["Said",1,{{}},null,null]]]]'
    )
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        for _ in range(150):
            async with other.transaction(force_rollback=True):
                await other.execute("SELECT * FROM append(%s::jsonb, ARRAY[4]::smallint[])", (document,))
        outcome = await store.append(command(say(stream, 0)))
        assert isinstance(outcome, Appended)
        assert outcome.positions == (1,)
        assert await assert_positions_are_contiguous(store) == 1


async def test_the_same_id_gets_the_first_outcome_after_a_restart_and_on_another_replica(log_database):
    stream = stream_id("said", "a")
    once = command(say(stream, 0, 3), id="once")
    async with opened(log_database, 2) as (one, other):
        assert isinstance(await one.append(once), Appended)
        assert await other.append(once) == Duplicate(0, 3)
    async with opened(log_database, 1) as (again,):
        assert await again.append(once) == Duplicate(0, 3)


async def test_the_same_id_on_two_replicas_at_once_is_appended_once(log_database):
    stream = stream_id("said", "a")
    once = command(say(stream, 0, 2), id="once")
    async with opened(log_database, 6) as stores:
        outcomes = await asyncio.gather(*(store.append(once) for store in stores))
        assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 1
        assert sum(outcome == Duplicate(0, 2) for outcome in outcomes) == 5


async def test_commands_over_many_partitions_do_not_deadlock(log_database):
    names = [f"n{number}" for number in range(200)]
    forwards = sorted(names, key=partition_of)

    def over(chosen: list[str], tag: str) -> AppendCommand:
        return command(*(say(stream_id("said", f"{tag}-{name}"), 0) for name in chosen))

    async with opened(log_database, 4) as stores:
        outcomes = await asyncio.gather(
            *(
                store.append(over(forwards if number % 2 else forwards[::-1], f"{number}-{turn}"))
                for number, store in enumerate(stores)
                for turn in range(5)
            )
        )
        assert all(isinstance(outcome, Appended) for outcome in outcomes)
        assert await assert_positions_are_contiguous(stores[0]) == 4 * 5 * 200


async def test_a_connection_lost_during_an_append_is_looked_up_before_an_answer(log_database):
    """The server dies in the middle of the statement: not appended; sent again, it is."""
    (stream,) = in_partition(4, 1)
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        async with other.transaction():
            await other.execute("SELECT FROM partition_counters WHERE partition = 4 FOR UPDATE")
            waiting = asyncio.ensure_future(store.append(command(say(stream, 0))))
            async with administrator(log_database) as third:
                await wait_for_row(third, WAITS_FOR_A_LOCK)
                await third.execute(f"SELECT pg_terminate_backend(pid) FROM ({PIDS}) AS p")
        assert isinstance(await waiting, Appended)
        assert store.generation == 1
        assert len(await store.read(stream)) == 1


PIDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'carteado append' AND datname = current_database()"


class Wire:
    """A TCP wire to Postgres that can be cut after the server has answered, before the answer arrives."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.swallow_answers = False
        self.swallowed = asyncio.Event()
        self._writers: list[asyncio.StreamWriter] = []
        self._serving: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._serving)

    def cut(self) -> None:
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._serving.add(asyncio.current_task())
        there, back = await asyncio.open_unix_connection(self._path)
        self._writers += [writer, back]
        await asyncio.gather(
            self._carry(reader, back, False), self._carry(there, writer, True), return_exceptions=True
        )

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, is_answer: bool
    ) -> None:
        while data := await source.read(65536):
            if is_answer and self.swallow_answers:
                self.swallowed.set()
                continue
            target.write(data)
            await target.drain()
        target.close()


async def opened_and_used(conninfo: str, limits: AppenderLimits = AppenderLimits()) -> PostgresStore:  # noqa: B008 -- a frozen value
    """A store whose append statement is prepared: from here on, an append is one message there and one back."""
    store = await PostgresStore.open(conninfo, limits=limits)
    await store.append(command(say(stream_id("used", "before"), 0)))
    return store


@pytest.fixture
async def wire(log_database: str) -> AsyncIterator[tuple[Wire, str]]:
    """A wire to the test's database, and the connection string that goes through it."""
    parts = psycopg.conninfo.conninfo_to_dict(log_database)
    wire = Wire(f"{parts['host']}/.s.PGSQL.{parts['port']}")
    port = await wire.start()
    yield wire, psycopg.conninfo.make_conninfo(log_database, host="127.0.0.1", port=port)
    await wire.stop()


async def test_an_append_whose_answer_is_lost_is_answered_as_the_duplicate_that_it_is(wire):
    through, conninfo = wire
    stream = stream_id("said", "a")
    store = await opened_and_used(conninfo)
    through.swallow_answers = True
    waiting = asyncio.ensure_future(store.append(command(say(stream, 0, 2), id="once")))
    await through.swallowed.wait()
    through.swallow_answers = False
    through.cut()
    assert await waiting == Duplicate(0, 2)
    assert [stored.version for stored in await store.read(stream)] == [1, 2]
    assert store.generation == 1
    await store.close()


async def test_an_append_that_stays_in_doubt_says_that_its_outcome_is_not_known(wire):
    through, conninfo = wire
    store = await opened_and_used(conninfo, AppenderLimits(patience_s=0.3))
    through.swallow_answers = True
    waiting = asyncio.ensure_future(store.append(command(say(stream_id("said", "a"), 0), id="once")))
    await through.swallowed.wait()
    through.cut()
    await through.stop()
    with pytest.raises(AppendTimeoutError):
        await waiting
    with pytest.raises(LogUnavailableError):
        await store.append(command(say(stream_id("said", "b"), 0)))
    await store.close()


async def test_what_was_never_sent_says_that_it_was_not_appended(wire):
    through, conninfo = wire
    store = await opened_and_used(conninfo, AppenderLimits(patience_s=0.3))
    await through.stop()
    stream = stream_id("said", "a")
    # The first finds the connection gone; what comes after waits for another one in vain.
    first = asyncio.ensure_future(store.append(command(say(stream_id("said", "b"), 0))))
    await asyncio.gather(first, return_exceptions=True)
    with pytest.raises(LogUnavailableError):
        await store.append(command(say(stream, 0)))
    with pytest.raises(LogUnavailableError):
        await store.read(stream)
    await store.close()


async def test_a_server_that_says_nothing_any_more_is_given_up(wire, monkeypatch):
    monkeypatch.setattr("libs.eventlog.postgres._CUT_S", 0.2)
    through, conninfo = wire
    store = await opened_and_used(conninfo)
    through.swallow_answers = True
    waiting = asyncio.ensure_future(store.append(command(say(stream_id("said", "a"), 0), id="once")))
    await through.swallowed.wait()
    through.swallow_answers = False
    assert await waiting == Duplicate(0, 1)
    await store.close()


async def test_reads_survive_the_loss_of_their_connections(log_database):
    stream = stream_id("said", "a")
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        await store.append(command(say(stream, 0)))
        assert len(await store.read(stream)) == 1
        await other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert len(await store.read(stream)) == 1
        assert isinstance(await store.append(command(say(stream, 1))), Appended)


async def test_a_read_survives_the_loss_of_all_free_connections(log_database):
    """As a restart of the server leaves a busy replica: more dead connections than a read is tried."""
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        await asyncio.gather(*(store.positions() for _ in range(4)))
        await other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name = 'carteado reader'"
        )
        assert await store.positions() == [0] * PARTITIONS


@asynccontextmanager
async def read_only(conninfo: str) -> AsyncIterator[None]:
    """The database takes no writes, as on a standby or on a hosted server whose disk is full."""
    async with administrator(conninfo) as other:
        name = sql.Identifier(other.info.dbname)
        await other.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
        await other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        yield
        await other.execute(sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name))


async def test_a_database_that_takes_no_writes_is_a_log_that_is_away(log_database):
    """Nothing of it is a bug that ends the process: a command is refused, a sweep tries again, a start says why."""
    stream = stream_id("said", "a")
    async with opened(log_database, 1) as (store,):
        await store.append(command(say(stream, 0)))
        async with read_only(log_database):
            with pytest.raises(LogUnavailableError):
                await store.append(command(say(stream, 1)))
            with pytest.raises(LogUnavailableError, match="takes no writes now"):
                await store.claim_overdue("said", overdue_s=1, limit=1)
            with pytest.raises(LogUnavailableError, match="the database must take writes"):
                await PostgresStore.open(log_database)
            assert len(await store.read(stream)) == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET payload = '{}'",
        "UPDATE events SET actor = 'x' WHERE version = 1",
        "DELETE FROM events",
        "TRUNCATE events",
        "TRUNCATE events_13",
        "UPDATE events_13 SET version = 2",
        "DELETE FROM events_13",
    ],
)
async def test_a_stored_event_is_never_altered(log_database, change):
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        (stream,) = in_partition(13, 1)
        await store.append(command(say(stream, 0)))
        with pytest.raises(psycopg.errors.RestrictViolation, match="never altered"):
            await other.execute(change)
        assert len(await store.read(stream)) == 1


async def test_an_append_waits_no_longer_than_its_statement_may_take(log_database, monkeypatch):
    monkeypatch.setattr("libs.eventlog.postgres._STATEMENT_S", 0.2)
    (stream,) = in_partition(4, 1)
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        async with other.transaction():
            await other.execute("SELECT FROM partition_counters WHERE partition = 4 FOR UPDATE")
            with pytest.raises(LogUnavailableError, match="nothing was appended"):
                await store.append(command(say(stream, 0)))
        assert isinstance(await store.append(command(say(stream, 0))), Appended)


async def test_b100_a_value_over_a_limit_of_postgres_fails_its_own_command_alone(log_database):
    nested = b"[" * 100_000 + b"]" * 100_000
    async with opened(log_database, 1) as (store,):
        streams = [stream_id("said", str(number)) for number in range(9)]
        commands = [command(say(stream, 0)) for stream in streams]
        commands[4] = command(StreamWrite(streams[4], 0, (NewEvent("Said", 1, nested),)))
        outcomes = await asyncio.gather(*map(store.append, commands), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [Appended] * 4 + [UnstorableError] + [Appended] * 4
        assert store.generation == 0


async def test_a_claim_holds_no_lock_while_its_command_runs(log_database):
    stream = stream_id("said", "a")
    async with opened(log_database, 2) as (one, other):
        due = await one.now()
        await one.append(command(say(stream, 0, deadline=due)))
        assert len(await one.claim_overdue("said", overdue_s=0, limit=1)) == 1
        # The claimed row is free for the append that the claim leads to, from whichever replica.
        assert isinstance(await other.append(command(say(stream, 1, deadline=due))), Appended)


async def test_a_claim_does_not_wait_for_an_append_that_holds_the_row(log_database):
    stream = stream_id("said", "a")
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        await store.append(command(say(stream, 0, deadline=await store.now())))
        async with other.transaction():
            await other.execute("SELECT FROM deadlines FOR UPDATE")
            assert await store.claim_overdue("said", overdue_s=0, limit=1) == []
        assert len(await store.claim_overdue("said", overdue_s=0, limit=1)) == 1


async def test_an_overdue_deadline_is_taken_by_one_replica(log_database):
    async with opened(log_database, 4) as stores:
        due = await stores[0].now()
        streams = [stream_id("said", str(number)) for number in range(40)]
        await asyncio.gather(*(stores[0].append(command(say(stream, 0, deadline=due))) for stream in streams))
        claims = await asyncio.gather(
            *(store.claim_overdue("said", overdue_s=0, limit=40) for store in stores)
        )
        taken = [claim.stream for some in claims for claim in some]
        assert sorted(taken) == sorted(streams)


async def test_one_replica_records_an_outage(log_database):
    async with opened(log_database, 5) as stores:
        await stores[0].beat(3.0)
        await asyncio.sleep(0.1)
        found = await asyncio.gather(*(store.beat(0.1) for store in stores))
        assert len(set(found)) == 1
        assert len(await stores[0].outages_since(found[0].began_at)) == 1


async def test_payloads_are_jsonb_for_plain_sql(log_database):
    async with opened(log_database, 1) as (store,), administrator(log_database) as other:
        payload = b'{"card":"4C","points":[1,2]}'
        write = StreamWrite(stream_id("said", "a"), 0, (NewEvent("Played", 1, payload),))
        await store.append(AppendCommand(str(uuid4()), b"", (write,)))
        cursor = await other.execute(
            "SELECT payload->>'card', payload->'points'->>1 FROM events WHERE type = 'Played'"
        )
        assert await cursor.fetchall() == [("4C", "2")]
