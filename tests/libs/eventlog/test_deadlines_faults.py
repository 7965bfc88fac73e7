"""Clocks against what dies, with real processes, a real Postgres that stops, and the real intervals.

Replicas beat once a second, an outage is one after three, what is overdue by a second is taken by anybody. The four long
scenes run side by side, once; each test looks at one of them.
"""

from __future__ import annotations

import ast
import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg import sql

import libs.eventlog
from deploy.local.postgres import Postgres
from deploy.local.postgres_home import settle
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import DEADLINE_ACTOR, OUTAGE_ACTOR, Runtime
from libs.eventlog.store import Outage, StoredEvent
from libs.eventlog.streams import stream_id
from tests.libs.eventlog.counter import COUNTER, Added, Moved, RanOut, Start, Started, registry
from tests.libs.eventlog.processes import Child
from tests.libs.eventlog.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.fault]

STREAM = stream_id("counter", "a")
LATE_S = 6.0
"""How late a step may come on a machine that does other things as well; every scene tells faults apart by more."""
REGISTRY = registry()


class Seen(msgspec.Struct):
    """What a scene left: the stream's events, the outages of the log, and what the replica answered."""

    stored: Sequence[StoredEvent]
    outages: Sequence[Outage]
    answers: Sequence[str] = ()

    @property
    def began_at(self) -> datetime:
        return self.stored[0].recorded_at

    @property
    def first_due_at(self) -> datetime:
        """When the first turn would have run out."""
        ((started, _),) = self.events(Started)
        return started.due_at

    def events(self, kind: type) -> list:
        """The events of a kind, each with the seconds from the beginning to its record."""
        found = []
        for one in self.stored:
            event = REGISTRY.decode(one.name, one.schema_version, one.payload)
            if isinstance(event, kind):
                found.append((event, (one.recorded_at - self.began_at).total_seconds()))
        return found

    def after_s(self, moment: datetime) -> float:
        """Seconds from the beginning."""
        return (moment - self.began_at).total_seconds()


@asynccontextmanager
async def replica(conninfo: str, *options: str) -> AsyncIterator[Child]:
    child = await Child.start("replica_process", conninfo, *options)
    try:
        assert await child.line() == "ready"
        yield child
    finally:
        await child.kill()


async def read(conninfo: str, answers: Sequence[str] = ()) -> Seen:
    store = PostgresStore(conninfo)
    stored = await store.read(STREAM)
    seen = Seen(stored, await store.outages_since(stored[0].recorded_at - timedelta(days=1)), answers)
    await store.close()
    return seen


async def one_of_two_is_killed(conninfo: str) -> Seen:
    """Fault B076 (a): the replica that has the table warm is killed, another one stays."""
    async with replica(conninfo) as warm, replica(conninfo):
        assert await warm.ask("start a 6") == "committed"
        await asyncio.sleep(2)
        await warm.kill()
        await asyncio.sleep(7)
    return await read(conninfo)


async def the_only_one_is_killed_and_is_back_in_time(conninfo: str) -> Seen:
    """Fault B076 (b): killed at 2 s, started at 7 s, before the deadline at 8 s."""
    async with replica(conninfo) as only:
        assert await only.ask("start a 8") == "committed"
        await asyncio.sleep(2)
        await only.kill()
    await asyncio.sleep(5)
    async with replica(conninfo) as again:
        assert await again.ask("load a") == "0"
        await asyncio.sleep(9)
    return await read(conninfo)


async def all_are_down_for_fifteen_seconds(conninfo: str) -> Seen:
    """Fault B076 (c): both killed at 2 s, started at 17 s, after the deadline at 6 s."""
    async with replica(conninfo) as one, replica(conninfo) as other:
        assert await one.ask("start a 6") == "committed"
        assert await other.ask("load a") == "0"
        await asyncio.sleep(2)
        await asyncio.gather(one.kill(), other.kill())
    await asyncio.sleep(15)
    async with replica(conninfo), replica(conninfo):
        await asyncio.sleep(8)
    return await read(conninfo)


async def the_database_is_down_for_twenty_seconds(server: Postgres) -> Seen:
    """Postgres stops at 2 s and is back at 22 s; the deadline was at 8 s."""
    with psycopg.connect(server.conninfo(), dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE log")
    conninfo = f"{server.conninfo()} dbname=log"
    async with replica(conninfo) as child:
        assert await child.ask("start a 8") == "committed"
        await asyncio.sleep(2)
        server.stop()
        down_at = time.monotonic()
        answers = [await child.ask("add a 1", within_s=30)]
        answers.append(await child.ask("load a", within_s=30))
        await asyncio.sleep(20 - (time.monotonic() - down_at))
        server.start()

        async def has_run_out() -> bool:
            return await child.ask("load a") == "1"

        await until(has_run_out, within_s=20)
        answers.append(await child.ask("add a 1"))
    return await read(conninfo, answers)


@pytest.fixture(scope="module")
def scenes(postgres_server: str, open_folder: Path) -> Iterator[dict[str, Seen]]:
    """All long scenes, played at the same time."""
    names = ["scene_a", "scene_b", "scene_c"]
    with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    folder = open_folder / "own"
    folder.mkdir(mode=0o711)
    server = Postgres(settle(folder), settings={"fsync": "off"})
    server.start()

    async def play() -> list[Seen]:
        a, b, c = (f"{postgres_server} dbname={name}" for name in names)
        return await asyncio.gather(
            one_of_two_is_killed(a),
            the_only_one_is_killed_and_is_back_in_time(b),
            all_are_down_for_fifteen_seconds(c),
            the_database_is_down_for_twenty_seconds(server),
        )

    loop = asyncio.new_event_loop()  # pytest-asyncio's own loop stays untouched
    try:
        yield dict(zip("abcd", loop.run_until_complete(play()), strict=True))
    finally:
        loop.close()
        server.stop()
        with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as connection:
            for name in names:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_b076_a_another_replica_plays_for_a_killed_one_on_time(scenes):
    seen = scenes["a"]
    (_, at_s), *_ = seen.events(RanOut)
    assert 6.0 <= at_s <= 6.0 + LATE_S
    assert seen.outages == []
    assert seen.events(Moved) == [], "one replica alone that was down is no outage"


def test_b076_b_an_outage_moves_the_deadline_and_says_so(scenes):
    seen = scenes["b"]
    (outage,) = seen.outages
    lasted_s = (outage.ended_at - outage.began_at).total_seconds()
    assert 5.0 <= lasted_s <= 5.0 + LATE_S
    ((moved, at_s),) = seen.events(Moved)
    assert moved.due_at == seen.first_due_at + (outage.ended_at - outage.began_at)
    assert at_s < seen.after_s(moved.due_at), (
        "the first look after the outage moves the clock, not the clock's end"
    )
    (_, ran_out_s), *_ = seen.events(RanOut)
    assert 0 <= ran_out_s - seen.after_s(moved.due_at) <= LATE_S
    assert [one.actor for one in seen.stored[1:3]] == [OUTAGE_ACTOR, DEADLINE_ACTOR]


def test_b076_c_all_replicas_down_for_fifteen_seconds_cost_one_turn_its_own_time(scenes):
    seen = scenes["c"]
    (outage,) = seen.outages
    lasted_s = (outage.ended_at - outage.began_at).total_seconds()
    assert 15.0 <= lasted_s <= 15.0 + LATE_S
    ((moved, _),) = seen.events(Moved)
    assert moved.due_at == seen.first_due_at + (outage.ended_at - outage.began_at)
    ((_, ran_out_s),) = seen.events(RanOut)
    assert 0 <= ran_out_s - seen.after_s(moved.due_at) <= LATE_S, "and no cascade of overdue turns"


def test_the_database_down_for_twenty_seconds_costs_no_player_time(scenes):
    seen = scenes["d"]
    first, second, last = seen.answers
    # The first may have been sent on the connection that was lost: whether it was appended is then not known.
    assert first in {"AppendTimeoutError", "LogUnavailableError"}
    assert (second, last) == ("LogUnavailableError", "committed")
    (outage,) = seen.outages
    lasted_s = (outage.ended_at - outage.began_at).total_seconds()
    assert 20.0 <= lasted_s <= 20.0 + LATE_S
    ((moved, _),) = seen.events(Moved)
    assert moved.due_at == seen.first_due_at + (outage.ended_at - outage.began_at)
    (_, ran_out_s), *_ = seen.events(RanOut)
    assert 0 <= ran_out_s - seen.after_s(moved.due_at) <= LATE_S
    assert len(seen.events(Added)) == 1, "what was refused while it was down was not appended later"


async def test_a_claim_whose_process_is_killed_before_the_decision_is_taken_again(log_database):
    """The claim is committed and its replica is gone; another one takes it after the retry time."""
    store = await PostgresStore.open(log_database)
    clock = DatabaseClock(store.now)
    await clock.start()
    started = await Runtime(COUNTER, REGISTRY, store, now=clock.now).handle(
        "a", Start(patience_s=0.1), command_id="start", actor="ana"
    )
    dying = await Child.start("replica_process", log_database, "--die-after-claim")
    assert await dying.lines() == ["ready"]
    assert dying.code == -9
    assert len(await store.read(STREAM)) == 1
    async with replica(log_database):

        async def has_run_out() -> bool:
            return len(await store.read(STREAM)) > 1

        await until(has_run_out)
    ran_out = (await store.read(STREAM))[1]
    late_s = (ran_out.recorded_at - started.command.recorded_at).total_seconds()
    assert late_s > 1.1 + 2.0, "not before the retry time of the first claim"
    assert ran_out.actor == DEADLINE_ACTOR
    await clock.stop()
    await store.close()


async def test_two_replicas_with_all_streams_warm_fire_each_deadline_once_and_never_early(log_database):
    async with AsyncExitStack() as cleanup:
        runtimes, keepers = [], []
        for _ in range(2):
            store = await PostgresStore.open(log_database)
            cleanup.push_async_callback(store.close)
            clock = DatabaseClock(store.now)
            await clock.start()
            cleanup.push_async_callback(clock.stop)
            runtime = Runtime(COUNTER, REGISTRY, store, now=clock.now)
            keeper = DeadlineKeeper(runtime, store, now=clock.now)
            await keeper.start()
            cleanup.push_async_callback(keeper.stop)
            runtimes.append(runtime)
            keepers.append(keeper)
        names = [f"n{number}" for number in range(20)]
        for name in names:
            await runtimes[0].handle(name, Start(patience_s=0.4), command_id=name, actor="ana")
            await runtimes[1].load(name)

        async def have_run_out(times: int) -> bool:
            loaded = await asyncio.gather(*(runtimes[1].load(name) for name in names))
            return all(one.state.missed >= times for one in loaded)

        await until(lambda: have_run_out(2))
        await keepers[0].stop()
        await until(lambda: have_run_out(4))
        await keepers[1].stop()
        for name in names:
            history = await runtimes[1].history(name)
            fired = [command for command in history if command.actor == DEADLINE_ACTOR]
            assert [command.events[0].turn for command in fired] == list(range(len(fired)))
            for before, after in pairwise(history):
                assert isinstance(before.events[0], Started | RanOut)
                assert after.recorded_at >= before.events[0].due_at, "fired before it was due"


@pytest.mark.parametrize("jump_s", [3600, -3600])
async def test_b082_a_process_clock_that_jumps_an_hour_moves_no_deadline(log_database, monkeypatch, jump_s):
    store = await PostgresStore.open(log_database)
    clock = DatabaseClock(store.now, refresh_every_s=0.2)
    await clock.start()
    runtime = Runtime(COUNTER, REGISTRY, store, now=clock.now)
    keeper = DeadlineKeeper(runtime, store, now=clock.now)
    await keeper.start()
    began = time.monotonic()
    await runtime.handle("a", Start(patience_s=1.5), command_id="start", actor="ana")
    await asyncio.sleep(0.3)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump_s)

    async def has_run_out() -> bool:
        return (await runtime.load("a")).state.missed > 0

    await until(has_run_out)
    assert 1.5 <= time.monotonic() - began < 1.5 + LATE_S
    await keeper.stop()
    await clock.stop()
    await store.close()


def test_b082_nothing_in_the_log_asks_the_process_for_the_time_of_day():
    """The log in memory, for tests, is the one place; its clock is a parameter."""
    asking = set()
    for path in Path(libs.eventlog.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = f"{node.value.id}.{node.attr}"
                if name in {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "date.today"}:
                    asking.add(path.name)
    assert asking == {"memory.py"}
