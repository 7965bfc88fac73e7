"""Deadlines and the outage rule, on both stores: on time, late, on two replicas, after an outage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from libs.eventlog.committed import Committed
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.decider import Rejection
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.liveness import Liveness
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import DEADLINE_ACTOR, OUTAGE_ACTOR, Limits, Runtime
from tests.libs.eventlog.counter import (
    COUNTER,
    Add,
    Counter,
    Moved,
    RanOut,
    RunOut,
    Start,
    after_outage,
    registry,
)
from tests.libs.eventlog.waiting import until

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        return self.at

    def pass_s(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def make(store, **options) -> Runtime:
    return Runtime(COUNTER, registry(), store, **options)


async def give(runtime: Runtime, body, name: str = "a"):
    return await runtime.handle(name, body, command_id=str(uuid4()), actor="ana")


class Heard:
    """Waits for commits."""

    def __init__(self) -> None:
        self.commands: list = []
        self._new = asyncio.Event()

    def __call__(self, name: str, command) -> None:
        self.commands.append(command)
        self._new.set()

    async def of(self, event_type: type, number: int = 1):
        while len(found := [c for c in self.commands if isinstance(c.events[0], event_type)]) < number:
            self._new.clear()
            await asyncio.wait_for(self._new.wait(), 30)
        return found[number - 1]


async def test_a_deadline_that_is_due_is_an_ordinary_command():
    time = Time()
    runtime = make(MemoryStore(time), now=time)
    await give(runtime, Start(patience_s=20))
    assert await runtime.fire_due("a") is None
    time.pass_s(20)
    answer = await runtime.fire_due("a")
    assert isinstance(answer, Committed)
    assert answer.events == (RanOut(0, time.at + timedelta(seconds=20)),)
    assert answer.command.actor == DEADLINE_ACTOR
    assert await runtime.fire_due("a") is None


async def test_two_replicas_that_fire_the_same_deadline_fire_it_once(store):
    replicas = [make(store, now=lambda: NOON) for _ in range(3)]
    await give(replicas[0], Start(patience_s=-1))
    for replica in replicas:
        await replica.load("a")
    answers = await asyncio.gather(*(replica.fire_due("a") for replica in replicas), return_exceptions=True)
    turns = [
        stored.payload
        for stored in await store.read(replicas[0].stream("a"))
        if stored.name == "CounterRanOut"
    ]
    # With a deadline that is always overdue each replica may fire the *next* turn too, but no turn twice.
    assert (
        len(set(turns))
        == len(turns)
        == len([a for a in answers if isinstance(a, Committed) and not a.duplicate])
    )


async def test_who_claims_a_stream_that_another_replica_moved_on_fires_its_deadline(store):
    time = Time()
    one, other = (make(store, now=time) for _ in range(2))
    # The stream is warm here, as it was before it had a deadline.
    assert (await one.load("a")).version == 0
    await one.fire_due("a")
    await give(other, Start(patience_s=20))
    time.pass_s(60)
    fired = await one.fire_due("a")
    assert isinstance(fired, Committed)


async def test_b074_a_late_deadline_does_not_hit_the_next_turn(store):
    time = Time()
    one, other = make(store, now=time), make(store, now=time)
    await give(one, Start(patience_s=20))
    await other.load("a")
    time.pass_s(20)
    await give(one, Add(1))
    # `other` still believes in turn 0 and its deadline.
    answer = await other.fire_due("a")
    assert answer == Rejection("STALE")
    assert (await one.load("a")).state.missed == 0


async def test_b074_a_move_and_the_timer_at_once_make_one_event_for_the_turn(store):
    """Again and again: exactly one of the two, and a strike exactly when it was the timer's."""
    strikes = 0
    rounds = 500 if isinstance(store, MemoryStore) else 60
    for number in range(rounds):
        time = Time()
        one, other = make(store, now=time), make(store, now=time)
        name = f"r{number}"
        await give(one, Start(patience_s=20), name)
        await other.load(name)
        time.pass_s(20)
        both = [give(one, Add(1, turn=0), name), other.fire_due(name)]
        moved, fired = (
            await asyncio.gather(*both) if number % 2 else (await asyncio.gather(*both[::-1]))[::-1]
        )
        assert isinstance(moved, Committed) != isinstance(fired, Committed)
        assert Rejection("STALE") in (moved, fired)
        state = (await one.load(name)).state
        assert (state.turn, state.missed) == (1, int(isinstance(fired, Committed)))
        strikes += state.missed
    assert 0 < strikes < rounds, "the race was no race"


class Broken(Counter):
    """A decider with a bug: the deadlines of impatient streams cannot be decided."""

    def decide(self, state, command):
        if isinstance(command.body, RunOut) and state.patience_s == 0.25:
            raise ZeroDivisionError("a bug")
        return super().decide(state, command)


async def test_a_bug_in_one_stream_stops_the_clock_of_no_other(store):
    """Neither by the timer nor by the sweep."""
    heard = Heard()
    now = await now_of(store)
    cold = Runtime(Broken(), registry(), store, now=now)
    for name in ("bad", "good"):
        await give(cold, Start(patience_s=0.25 if name == "bad" else 0.3), name)
    runtime = Runtime(Broken(), registry(), store, now=now, on_committed=heard)
    keeper = DeadlineKeeper(runtime, store, now=now, sweep_every_s=0.1)
    await keeper.start()
    await heard.of(RanOut)
    await give(runtime, Start(patience_s=0.25), "bad2")
    await give(runtime, Start(patience_s=0.3), "good2")
    assert {command.stream for command in heard.commands if isinstance(command.events[0], RanOut)} <= {
        runtime.stream("good"),
        runtime.stream("good2"),
    }
    await heard.of(RanOut, 4)
    assert all(not task.done() for task in keeper._tasks)
    await keeper.stop()


class Slow(MemoryStore):
    """A store in memory in which one stream's appends do not end."""

    async def append(self, command):
        if command.actor == DEADLINE_ACTOR and command.writes[0].stream.endswith("-stuck"):
            await asyncio.Event().wait()
        return await super().append(command)


async def test_a_stream_that_cannot_be_decided_holds_up_the_sweep_of_no_other():
    store, heard = Slow(), Heard()
    runtime = make(store, on_committed=heard, limits=Limits(timeout_s=30))
    cold = make(store)
    await give(cold, Start(patience_s=-9), "stuck")
    for number in range(20):
        await give(cold, Start(patience_s=-5), f"n{number}")
    keeper = DeadlineKeeper(runtime, store, now=lambda: datetime.now(UTC), at_once=4)
    await keeper.start()
    async with asyncio.timeout(30):
        await heard.of(RanOut, 20)
    for task in keeper._firing:
        task.cancel()
    await keeper.stop()


async def test_the_log_knows_the_next_deadline(store):
    runtime = make(store, now=lambda: NOON)
    await give(runtime, Start(patience_s=20))
    claims = await store.claim_overdue("counter", overdue_s=0, limit=10)
    assert [claim.due_at for claim in claims] == [NOON + timedelta(seconds=20)]


@pytest.fixture
async def keeping(store) -> AsyncIterator:
    """Makes runtimes with a running keeper, on the store's own time."""
    keepers = []

    async def keep(listener: Heard | None = None) -> Runtime:
        offset = await store.now() - datetime.now(UTC)
        runtime = make(store, now=lambda: datetime.now(UTC) + offset, on_committed=listener)
        keeper = DeadlineKeeper(runtime, store, now=lambda: datetime.now(UTC) + offset, sweep_every_s=0.1)
        await keeper.start()
        keepers.append(keeper)
        return runtime

    yield keep
    for keeper in keepers:
        await keeper.stop()


async def test_the_timer_fires_a_warm_stream_on_time(keeping):
    heard = Heard()
    runtime = await keeping(heard)
    started = await give(runtime, Start(patience_s=0.15))
    ran_out = await heard.of(RanOut)
    late = ran_out.recorded_at - (started.command.recorded_at + timedelta(seconds=0.15))
    assert timedelta(seconds=-0.05) < late < timedelta(seconds=1), "the sweep takes it only a second later"


async def test_the_timer_goes_on_from_turn_to_turn(keeping):
    heard = Heard()
    runtime = await keeping(heard)
    await give(runtime, Start(patience_s=0.05))
    third = await heard.of(RanOut, 3)
    assert third.events[0].turn == 2


async def test_a_move_in_time_moves_the_timer(keeping):
    heard = Heard()
    runtime = await keeping(heard)
    await give(runtime, Start(patience_s=0.4))
    await asyncio.sleep(0.2)
    await give(runtime, Add(1))
    ran_out = await heard.of(RanOut)
    assert ran_out.events[0].turn == 1


async def test_many_deadlines_far_away_are_left_to_the_sweep(store):
    """Otherwise a replica kept a timer for each player that it has ever seen, until the end of the year."""
    runtime = make(store, now=await now_of(store))
    keeper = DeadlineKeeper(runtime, store, now=await now_of(store), most_timers=3)
    await keeper.start()
    await asyncio.sleep(0)
    for number in range(5):
        await give(runtime, Start(patience_s=3_700), f"far-{number}")
    assert keeper.waiting == 3
    await give(runtime, Start(patience_s=60), "near")
    assert keeper.waiting == 4
    await keeper.stop()


async def test_what_nobody_has_warm_is_swept_up_when_it_is_over_a_second_late(store, keeping):
    started = await give(make(store, now=await now_of(store)), Start(patience_s=0.1))
    heard = Heard()
    await keeping(heard)
    ran_out = await heard.of(RanOut)
    late = ran_out.recorded_at - (started.command.recorded_at + timedelta(seconds=0.1))
    assert late > timedelta(seconds=0.9)


async def now_of(store):
    offset = await store.now() - datetime.now(UTC)
    return lambda: datetime.now(UTC) + offset


async def test_a_claim_whose_replica_dies_is_taken_again(store, keeping):
    await give(make(store, now=await now_of(store)), Start(patience_s=-5))
    (claim,) = await store.claim_overdue(
        "counter", overdue_s=1, limit=1
    )  # and then nothing: this replica died
    assert claim.attempts == 1
    heard = Heard()
    await keeping(heard)
    assert (await heard.of(RanOut)).events[0].turn == 0


class Down(MemoryStore):
    """A store in memory that can be away."""

    def __init__(self, now) -> None:
        super().__init__(now)
        self.is_down = False

    async def beat(self, outage_after_s: float):
        if self.is_down:
            raise LogUnavailableError("away")
        return await super().beat(outage_after_s)

    async def append(self, command):
        if self.is_down:
            raise LogUnavailableError("away")
        return await super().append(command)


class Scene:
    """A replica with a clock, a store that can go away, and the outage rule. Its beats are given by hand."""

    def __init__(self, store: MemoryStore | None = None, time: Time | None = None) -> None:
        self.time = time or Time()
        self.store = store or Down(self.time)
        self.heard = Heard()
        self.liveness = Liveness(self.store)
        self.runtime = make(
            self.store,
            now=self.time,
            liveness=self.liveness,
            on_outage=after_outage,
            on_committed=self.heard,
            limits=Limits(timeout_s=30),
        )

    async def beat(self) -> None:
        self.liveness._beaten_at = -float("inf")
        await self.liveness.confirm()

    async def go_down_for(self, seconds: float) -> None:
        await self.beat()
        self.store.is_down = True
        self.time.pass_s(seconds)
        self.liveness._beaten_at = -float("inf")
        with pytest.raises(LogUnavailableError):
            await self.runtime.fire_due("a")
        self.store.is_down = False


async def test_an_outage_moves_the_running_deadline_before_it_fires():
    scene = Scene()
    await give(scene.runtime, Start(patience_s=20))
    await scene.go_down_for(20)
    assert await scene.runtime.fire_due("a") is None, "the deadline was moved, so it is not due"
    moved = scene.heard.commands[-1]
    assert moved.events == (Moved(NOON + timedelta(seconds=40)),)
    assert moved.actor == OUTAGE_ACTOR
    scene.time.pass_s(20)
    assert isinstance(await scene.runtime.fire_due("a"), Committed)


async def test_a_move_after_an_outage_comes_after_the_moved_deadline():
    scene = Scene()
    await give(scene.runtime, Start(patience_s=20))
    await scene.go_down_for(15)
    answer = await give(scene.runtime, Add(1))
    assert [type(command.events[0]).__name__ for command in scene.heard.commands] == [
        "Started",
        "Moved",
        "Added",
    ]
    assert answer.from_version == 2


async def test_the_first_look_after_an_outage_moves_the_deadline_cold_and_warm():
    for is_warm in (True, False):
        scene = Scene()
        await give(scene.runtime, Start(patience_s=60))
        await scene.go_down_for(15)
        await scene.beat()
        looking = scene if is_warm else Scene(scene.store, scene.time)
        await looking.beat()
        assert (await looking.runtime.load("a")).state.due_at == NOON + timedelta(seconds=75)
        assert (await looking.runtime.load("a")).version == 2
        assert (await scene.store.read(scene.runtime.stream("a")))[1].actor == OUTAGE_ACTOR


async def test_an_outage_is_passed_on_once():
    scene = Scene()
    await give(scene.runtime, Start(patience_s=20))
    await scene.go_down_for(15)
    await give(scene.runtime, Add(1))
    await give(scene.runtime, Add(1))
    await give(Scene(scene.store, scene.time).runtime, Add(1))
    stored = await scene.store.read(scene.runtime.stream("a"))
    assert [one.name for one in stored].count("CounterMoved") == 1


async def test_all_replicas_down_is_an_outage_for_the_first_that_is_back():
    scene = Scene()
    await give(scene.runtime, Start(patience_s=20))
    await scene.beat()
    scene.time.pass_s(15)
    again = Scene(scene.store, scene.time)
    scene.time.pass_s(10)
    assert await again.runtime.fire_due("a") is None
    assert (await again.runtime.load("a")).state.missed == 0
    (outage,) = await scene.store.outages_since(NOON)
    assert (outage.began_at, outage.ended_at) == (NOON, NOON + timedelta(seconds=25))


async def test_a_replica_alone_that_was_down_is_no_outage():
    one = Scene()
    other = Scene(one.store, one.time)
    await give(one.runtime, Start(patience_s=20))
    await one.beat()
    for _ in range(10):
        one.time.pass_s(2)
        await other.beat()
    assert isinstance(await one.runtime.fire_due("a"), Committed)
    assert await one.store.outages_since(NOON) == []


async def test_a_short_silence_is_no_outage():
    scene = Scene()
    await give(scene.runtime, Start(patience_s=20))
    await scene.go_down_for(2.9)
    await scene.beat()
    assert await scene.store.outages_since(NOON - timedelta(days=1)) == []


async def test_a_deadline_that_ran_out_before_the_outage_is_not_moved():
    scene = Scene()
    await give(scene.runtime, Start(patience_s=20))
    for _ in range(11):
        scene.time.pass_s(2)
        await scene.beat()
    await scene.go_down_for(15)
    assert isinstance(await scene.runtime.fire_due("a"), Committed)
    assert scene.heard.commands[-1].events[0].turn == 0


async def test_a_stream_that_began_after_the_outage_is_not_moved():
    scene = Scene()
    await scene.go_down_for(15)
    await scene.beat()
    scene.time.pass_s(1)
    await give(scene.runtime, Start(patience_s=20), "later")
    await give(scene.runtime, Add(1), "later")
    assert [type(command.events[0]).__name__ for command in scene.heard.commands] == ["Started", "Added"]


async def test_a_stream_without_a_deadline_is_not_moved():
    scene = Scene()
    await give(scene.runtime, Start())
    await scene.go_down_for(15)
    await give(scene.runtime, Add(1))
    assert [type(command.events[0]).__name__ for command in scene.heard.commands] == ["Started", "Added"]


async def test_a_server_that_says_nothing_holds_nobody_up_for_long():
    class Frozen(MemoryStore):
        async def beat(self, outage_after_s: float):
            await asyncio.Event().wait()

    liveness = Liveness(Frozen(), patience_s=0.1)
    answers = asyncio.gather(*(liveness.confirm() for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in await asyncio.wait_for(answers, 10)] == [LogUnavailableError] * 3


async def test_beating_goes_on_by_itself(store):
    liveness = Liveness(store, beat_every_s=0.02)
    await liveness.start()
    beaten_at = liveness._beaten_at

    async def has_beaten() -> bool:
        return liveness._beaten_at > beaten_at

    await until(has_beaten)
    assert liveness.silent_for_s < 1
    await liveness.stop()
