"""The runtime on both stores: decide, append, replay; refusals, duplicates, conflicts."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.eventlog.committed import Committed
from libs.eventlog.decider import Rejection
from libs.eventlog.decision import hash_body
from libs.eventlog.errors import (
    AppendTimeoutError,
    ContentionError,
    EmptyDecisionError,
    LogUnavailableError,
    StreamBusyError,
    StreamIdError,
    UnknownEventError,
    UnstorableError,
)
from libs.eventlog.memory import MemoryStore
from libs.eventlog.registry import EventRegistry
from libs.eventlog.runtime import COMMAND_ID_REUSED, Limits, Runtime
from libs.eventlog.store import AppendCommand
from libs.eventlog.testing import given as given_events
from tests.libs.eventlog.counter import (
    COUNTER,
    Add,
    Added,
    Counter,
    End,
    Ended,
    Start,
    Started,
    State,
    registry,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Listener:
    def __init__(self) -> None:
        self.heard: list = []

    def __call__(self, name: str, command) -> None:
        self.heard.append((name, command))

    @property
    def spans(self):
        return [(command.from_version, command.to_version) for _, command in self.heard]


def make(store, **options) -> Runtime:
    return Runtime(COUNTER, registry(), store, **options)


async def give(runtime: Runtime, body, name: str = "a", command_id: str | None = None, **options):
    return await runtime.handle(name, body, command_id=command_id or str(uuid4()), actor="ana", **options)


async def test_a_command_becomes_events_and_a_state(store):
    runtime = make(store)
    first = await give(runtime, Start())
    assert isinstance(first, Committed)
    assert (first.from_version, first.version, first.events, first.duplicate) == (
        0,
        1,
        (Started(0, None),),
        False,
    )
    second = await give(runtime, Add(3, one_by_one=True), command_id="an id")
    assert (second.from_version, second.version, second.events) == (1, 4, (Added(1),) * 3)
    assert (second.before.total, second.after.total) == (0, 3)
    assert [(step.version, step.before.total, step.after.total) for step in second.command.steps] == [
        (2, 0, 1),
        (3, 1, 2),
        (4, 2, 3),
    ]
    assert (second.command.command_id, second.command.actor) == ("an id", "ana")


async def test_the_first_command_is_decided_on_the_initial_state(store):
    assert await give(make(store), Add(1)) == Rejection("NOT_STARTED")


async def test_b086_a_refused_command_changes_nothing(store):
    listener = Listener()
    runtime = make(store, on_committed=listener)
    await give(runtime, Start())
    for _ in range(100):
        assert await give(runtime, Add(0)) == Rejection("OUT_OF_RANGE", {"number": "0"})
    assert (await runtime.load("a")).version == 1
    assert len(await store.read(runtime.stream("a"))) == 1
    assert listener.spans == [(0, 1)]
    assert (await give(runtime, Add(1))).from_version == 1


async def test_a_refused_command_is_not_remembered(store):
    runtime = make(store)
    assert isinstance(await give(runtime, Add(1), command_id="one"), Rejection)
    await give(runtime, Start())
    answer = await give(runtime, Add(1), command_id="one")
    assert isinstance(answer, Committed)
    assert not answer.duplicate


async def test_an_ended_stream_refuses_and_says_so_in_the_log(store):
    runtime = make(store)
    await give(runtime, Start())
    assert (await give(runtime, End())).events == (Ended(0),)
    assert await give(runtime, Add(1)) == Rejection("ENDED")
    *_, last = await store.read_recorded(runtime.stream("a"))
    assert last.ends_stream


async def test_the_state_hash_stands_on_the_last_event_of_each_command(store):
    runtime = make(store)
    await give(runtime, Start())
    answer = await give(runtime, Add(3, one_by_one=True))
    hashes = [stored.state_hash for stored in await store.read(runtime.stream("a"))]
    assert hashes[1:3] == [None, None]
    assert hashes[3] == COUNTER.state_hash(answer.after)


async def test_public_messages_stand_with_their_events(store):
    runtime = make(store)
    await give(runtime, Start())
    await give(runtime, Add(2))
    started, added = await store.read_recorded(runtime.stream("a"))
    assert started.public_subject is None
    assert (added.public_subject, added.public_data) == ("carteado.counter.added.v1", b"2")


async def test_the_secret_and_the_time_of_receipt_come_with_the_command(store):
    seen = []

    class Watching(Counter):
        def decide(self, state, command):
            seen.append(command)
            return super().decide(state, command)

    runtime = Runtime(
        Watching(), registry(), store, secret_for=lambda name: name.encode() * 2, now=lambda: NOON
    )
    await give(runtime, Start(), correlation_id="c", causation_id="d", trace="t")
    (command,) = seen
    assert (command.secret, command.at, command.actor) == (b"aa", NOON, "ana")
    assert (command.correlation_id, command.causation_id, command.trace) == ("c", "d", "t")
    (stored,) = await store.read_recorded(runtime.stream("a"))
    assert (stored.correlation_id, stored.causation_id, stored.trace) == ("c", "d", "t")


async def test_b083_the_same_id_again_gets_the_first_outcome(store):
    listener = Listener()
    runtime = make(store, on_committed=listener)
    await give(runtime, Start())
    first = await give(runtime, Add(2, one_by_one=True), command_id="one")
    await give(runtime, Add(5))
    again = await give(runtime, Add(2, one_by_one=True), command_id="one")
    assert again.duplicate
    assert again.command == first.command
    assert listener.spans == [(0, 1), (1, 3), (3, 4)]


async def test_b083_five_clicks_under_one_id_are_one_event_and_five_equal_answers(store):
    replicas = [make(store) for _ in range(2)]
    await give(replicas[0], Start())
    clicks = (give(replicas[number % 2], Add(7), command_id="click") for number in range(5))
    answers = await asyncio.gather(*clicks)
    assert len({(answer.from_version, answer.version, answer.events) for answer in answers}) == 1
    assert sorted(answer.duplicate for answer in answers) == [False] + [True] * 4
    assert (await replicas[0].load("a")).state.total == 7


async def test_b083_five_clicks_under_five_ids_for_one_turn_are_one_event_and_four_refusals(store):
    replicas = [make(store) for _ in range(2)]
    await give(replicas[0], Start())
    answers = await asyncio.gather(*(give(replicas[number % 2], Add(7, turn=0)) for number in range(5)))
    assert sum(isinstance(answer, Committed) for answer in answers) == 1
    assert answers.count(Rejection("STALE")) == 4
    assert (await replicas[0].load("a")).state.total == 7


async def test_the_same_id_again_gets_the_first_outcome_on_another_replica_and_after_a_restart(store):
    first = make(store)
    await give(first, Start())
    answer = await give(first, Add(2), command_id="one")
    await give(first, Add(5))
    again = await give(make(store), Add(2), command_id="one")
    assert again.duplicate
    assert again.command == answer.command


async def test_the_id_is_looked_up_before_a_refusal_is_given(store):
    runtime = make(store)
    first = await give(runtime, Start(), command_id="one")
    # A second Start is refused on the state as it is now; this one is the first one's echo.
    again = await give(runtime, Start(), command_id="one")
    assert again.duplicate
    assert again.command == first.command


async def test_the_same_id_with_another_body_is_refused(store):
    runtime = make(store)
    await give(runtime, Start())
    await give(runtime, Add(2), command_id="one")
    assert await give(runtime, Add(3), command_id="one") == Rejection(COMMAND_ID_REUSED)
    assert await give(runtime, Start(), command_id="one") == Rejection(COMMAND_ID_REUSED)
    assert (await runtime.load("a")).version == 2


async def test_the_edge_may_give_its_own_hash_of_the_body(store):
    runtime = make(store)
    await give(runtime, Start(), command_id="one", body_hash=b"as received")
    assert (await give(runtime, Start(), command_id="one", body_hash=b"as received")).duplicate
    assert await give(runtime, Start(), command_id="one", body_hash=b"other") == Rejection(COMMAND_ID_REUSED)


async def test_a_conflict_is_decided_again_on_the_new_state(store):
    one, other = make(store), make(store)
    await give(one, Start())
    await give(other, Add(1))
    await give(one, Add(2))
    answer = await give(other, Add(3))
    assert (answer.from_version, answer.version, answer.after.total) == (3, 4, 6)


async def test_a_refusal_is_given_only_on_the_head_of_the_log(store):
    one, other = make(store), make(store)
    assert await give(one, Add(1)) == Rejection("NOT_STARTED")
    await give(other, Start())
    # `one` still has the stream warm as not started.
    assert (await give(one, Add(1))).after.total == 1


async def test_a_view_is_given_only_on_the_head_of_the_log(store):
    one, other = make(store), make(store)
    await give(one, Start())
    await give(other, Add(4))
    loaded = await one.load("a")
    assert (loaded.version, loaded.state.total) == (2, 4)


async def test_two_replicas_racing_lose_nothing(store):
    replicas = [make(store, limits=Limits(attempts=60)) for _ in range(3)]
    await give(replicas[0], Start())
    answers = await asyncio.gather(*(give(replicas[number % 3], Add(1)) for number in range(60)))
    assert sorted(answer.version for answer in answers) == list(range(2, 62))
    for replica in replicas:
        assert (await replica.load("a")).state.total == 60


async def test_commands_on_one_stream_are_decided_one_after_another(store):
    runtime = make(store)
    await give(runtime, Start())
    answers = await asyncio.gather(*(give(runtime, Add(1)) for _ in range(40)))
    assert [answer.version for answer in answers] == list(range(2, 42))


async def test_the_queue_of_a_stream_is_bounded():
    runtime = make(MemoryStore(), limits=Limits(waiting_per_stream=3))
    await give(runtime, Start())
    answers = await asyncio.gather(*(give(runtime, Add(1)) for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(answer, Committed) for answer in answers) == 4
    assert sum(isinstance(answer, StreamBusyError) for answer in answers) == 6
    assert (await runtime.load("a")).state.total == 4


async def test_a_warm_stream_hears_of_other_replicas_commits_in_order(store):
    listener = Listener()
    one, other = make(store, on_committed=listener), make(store)
    await give(one, Start())
    await give(other, Add(1))
    await give(other, Add(2, one_by_one=True))
    await one.refresh("a", 4)
    assert listener.spans == [(0, 1), (1, 2), (2, 4)]
    await give(other, Add(3))
    await give(one, Add(4))
    assert listener.spans == [(0, 1), (1, 2), (2, 4), (4, 5), (5, 6)]
    assert [command.before.total for _, command in listener.heard] == [0, 0, 1, 3, 6]
    assert {name for name, _ in listener.heard} == {"a"}


async def test_a_hint_about_a_stream_that_is_not_warm_reads_nothing(store):
    listener = Listener()
    one, other = make(store, on_committed=listener), make(store)
    await give(other, Start())
    await one.refresh("a", 1)
    assert listener.spans == []


async def test_a_cold_replica_does_not_tell_what_it_reads(store):
    await give(make(store), Start())
    listener = Listener()
    await give(make(store, on_committed=listener), Add(1))
    assert listener.spans == [(1, 2)]


async def test_loading_a_version_replays_to_it(store):
    runtime = make(store)
    await give(runtime, Start())
    await give(runtime, Add(5, one_by_one=True))
    for version in range(1, 7):
        loaded = await runtime.load("a", version)
        assert (loaded.version, loaded.state.total) == (version, version - 1)
    assert await runtime.load("a", 99) == await runtime.load("a")
    assert (await runtime.load("a", 0)).state == State()


async def test_the_history_is_grouped_by_command_with_the_states_around_it(store):
    runtime = make(store)
    answers = [
        await give(runtime, Start()),
        await give(runtime, Add(3, one_by_one=True)),
        await give(runtime, Add(9)),
    ]
    commands = [answer.command for answer in answers]
    assert await runtime.history("a") == commands
    assert await runtime.history("a", 1) == commands[1:]
    assert await runtime.history("a", 4) == commands[2:]
    assert await runtime.history("a", 5) == []
    assert await runtime.history("a", 3) == commands[1:], (
        "a version inside of a command gives that command whole"
    )
    assert await runtime.history("nobody") == []


async def test_a_replay_across_pages_is_whole(store, monkeypatch):
    monkeypatch.setattr("libs.eventlog.aggregates._MAX_PAGE", 7)
    runtime = make(store)
    await give(runtime, Start())
    await give(runtime, Add(20, one_by_one=True))
    assert (await make(store).load("a")).state.total == 20
    assert (await runtime.history("a"))[-1].to_version == 21


async def test_b093_an_unknown_event_stops_the_reader_loudly(store):
    runtime = make(store)
    await give(runtime, Start())
    await give(runtime, Add(1))
    older: EventRegistry = EventRegistry()
    older.register("CounterStarted", Started)
    with pytest.raises(UnknownEventError) as caught:
        await Runtime(COUNTER, older, store).load("a")
    assert (caught.value.name, caught.value.stream, caught.value.version) == (
        "CounterAdded",
        runtime.stream("a"),
        2,
    )
    assert caught.value.position == 2


async def test_b100_text_that_cannot_be_stored_is_refused_and_the_next_command_works(store):
    runtime = make(store)
    await give(runtime, Start())
    for note in ("a\0b", "\ud800"):
        with pytest.raises(UnstorableError):
            await give(runtime, Add(1, note=note), body_hash=b"x")
    with pytest.raises(UnstorableError):
        await give(runtime, Add(1), command_id="a\0b")
    assert (await runtime.load("a")).version == 1
    assert (await give(runtime, Add(1, note="a\\u0000b"))).after.total == 1


async def test_an_id_that_is_no_stream_is_refused(store):
    with pytest.raises(StreamIdError):
        await give(make(store), Start(), name="not an id")


async def test_few_streams_are_kept_warm_and_the_others_are_read_again(store):
    runtime = make(store, limits=Limits(warm_streams=2))
    for name in "abcd":
        await give(runtime, Start(), name)
    for name in "abcd":
        assert (await give(runtime, Add(1), name)).after.total == 1


async def test_a_decider_that_decides_nothing_is_a_bug():
    class Silent(Counter):
        def decide(self, state, command):
            return []

    with pytest.raises(EmptyDecisionError):
        await give(Runtime(Silent(), registry(), MemoryStore()), Start())


class Troubled(MemoryStore):
    """A store in memory whose appends can be held up or made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.under_way = asyncio.Event()
        self.problem: Exception | None = None

    async def append(self, command: AppendCommand):
        self.under_way.set()
        await self.gate.wait()
        if self.problem is not None:
            raise self.problem
        return await super().append(command)


async def test_a_caller_that_goes_away_does_not_stop_its_append():
    store, listener = Troubled(), Listener()
    runtime = make(store, on_committed=listener)
    await give(runtime, Start())
    store.gate.clear()
    store.under_way.clear()
    gone = asyncio.create_task(give(runtime, Add(1)))
    await store.under_way.wait()
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    waiting = asyncio.create_task(give(runtime, Add(2)))
    store.gate.set()
    assert (await waiting).version == 3
    assert listener.spans == [(0, 1), (1, 2), (2, 3)]


async def test_a_command_whose_time_runs_out_says_that_its_outcome_is_not_known():
    store, listener = Troubled(), Listener()
    runtime = make(store, on_committed=listener)
    await give(runtime, Start())
    store.gate.clear()
    with pytest.raises(AppendTimeoutError):
        await give(runtime, Add(1), command_id="one", timeout_s=0.02)
    store.gate.set()
    again = await give(runtime, Add(1), command_id="one")
    assert again.duplicate
    assert listener.spans == [(0, 1), (1, 2)]


async def test_after_a_failed_append_the_state_is_read_again():
    store = Troubled()
    runtime = make(store)
    await give(runtime, Start())
    store.problem = LogUnavailableError("no")
    with pytest.raises(LogUnavailableError):
        await give(runtime, Add(1))
    store.problem = None
    assert (await give(runtime, Add(2))).after.total == 2


async def test_the_listener_hears_of_a_commit_whose_answer_was_lost():
    class Lossy(MemoryStore):
        is_lossy = False

        async def append(self, command):
            outcome = await super().append(command)
            if self.is_lossy:
                self.is_lossy = False
                self.generation += 1
                raise AppendTimeoutError("the answer was lost")
            return outcome

    store, listener = Lossy(), Listener()
    runtime = make(store, on_committed=listener)
    await give(runtime, Start())
    store.is_lossy = True
    with pytest.raises(AppendTimeoutError):
        await give(runtime, Add(2, one_by_one=True), command_id="one")
    assert (await give(runtime, Add(2, one_by_one=True), command_id="one")).duplicate
    await give(runtime, Add(3))
    assert listener.spans == [(0, 1), (1, 3), (3, 4)]


async def test_the_listener_hears_of_other_replicas_commits_over_a_lost_connection():
    store, listener = MemoryStore(), Listener()
    one, other = make(store, on_committed=listener), make(store)
    await give(one, Start())
    await give(other, Add(1))
    store.generation += 1
    assert (await one.load("a")).version == 2
    await give(one, Add(2))
    assert listener.spans == [(0, 1), (1, 2), (2, 3)]


async def test_after_a_lost_connection_the_warm_state_is_dropped():
    store = MemoryStore()
    replayed = []

    class Watching(Counter):
        def evolve(self, state, event):
            replayed.append(event)
            return super().evolve(state, event)

    runtime = Runtime(Watching(), registry(), store)
    await give(runtime, Start())
    replayed.clear()
    await give(runtime, Add(1))
    assert len(replayed) == 1
    store.generation += 1
    replayed.clear()
    await give(runtime, Add(1))
    assert len(replayed) == 2 + 1


async def test_a_writer_that_always_loses_the_race_gives_up():
    class Losing(MemoryStore):
        async def append(self, command):
            other = Runtime(COUNTER, registry(), self.inner)
            await give(other, Add(1))
            return await self.inner.append(command)

    store = Losing()
    store.inner = MemoryStore()
    store.read, store.head = store.inner.read, store.inner.head
    await give(Runtime(COUNTER, registry(), store.inner), Start())
    with pytest.raises(ContentionError):
        await give(make(store, limits=Limits(attempts=3)), Add(1))


def test_the_hash_of_a_body_does_not_depend_on_the_order_of_its_parts():
    assert hash_body({"a": 1, "b": 2}) == hash_body({"b": 2, "a": 1})
    assert hash_body(Add(1)) != hash_body(Add(2))


bodies = st.one_of(
    st.builds(Start, st.just(0.0)),
    st.builds(
        Add, st.integers(-3, 6), st.booleans(), st.text(st.characters(codec="utf-8", exclude_characters="\0"))
    ),
    st.just(End()),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(bodies, max_size=25), st.integers(1, 3))
def test_replay_equals_play(commands, replicas):
    async def play() -> None:
        store = MemoryStore()
        runtimes = [make(store) for _ in range(replicas)]
        state, events, spans = State(), [], []
        for number, body in enumerate(commands):
            answer = await give(runtimes[number % replicas], body)
            expected = given_events(COUNTER, state=state).when(body, actor="ana")
            if isinstance(answer, Rejection):
                expected.then_rejected(answer.code)
                continue
            assert answer.before == state
            assert answer.from_version == len(events)
            state = answer.after
            events.extend(answer.events)
            spans.append(answer.command)
        for runtime in (*runtimes, make(store)):
            loaded = await runtime.load("a")
            assert (loaded.state, loaded.version) == (state, len(events))
            assert await runtime.history("a") == spans
        assert given_events(COUNTER, *events).state == state

    asyncio.run(play())
