"""The contract of every store: one suite, run in memory and on Postgres."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from libs.eventlog.errors import StreamIdError, UnstorableError
from libs.eventlog.store import (
    AppendCommand,
    Appended,
    Conflict,
    Duplicate,
    DuplicateMismatch,
    EventStore,
    NewEvent,
    StreamWrite,
)
from libs.eventlog.streams import PARTITIONS, parse_stream, partition_of, stream_id

SOON = datetime(2026, 1, 1, tzinfo=UTC)


def event(text: str = "x", **public) -> NewEvent:
    return NewEvent("Said", 1, b'{"text":"%s"}' % text.encode(), **public)


def command(
    *writes: StreamWrite,
    id: str | None = None,
    body_hash: bytes = b"h" * 16,
    actor: str = "ana",
) -> AppendCommand:
    return AppendCommand(id or str(uuid4()), body_hash, writes, actor)


def say(stream: str, expected: int, count: int = 1, **fields) -> StreamWrite:
    return StreamWrite(stream, expected, tuple(event(f"{expected + n + 1}") for n in range(count)), **fields)


def in_partition(partition: int, count: int) -> list[str]:
    """Ids whose streams share a partition."""
    names = (f"s{number}" for number in range(10_000))
    return [stream_id("said", name) for name in names if partition_of(name) == partition][:count]


async def versions(store: EventStore, stream: str) -> list[int]:
    return [stored.version for stored in await store.read(stream)]


async def assert_positions_are_contiguous(store: EventStore) -> int:
    total = 0
    for partition, last in enumerate(await store.positions()):
        stored = await store.read_partition(partition, 0, 100_000)
        assert [one.position for one in stored] == list(range(1, last + 1))
        assert all(parse_stream(one.stream).partition == partition for one in stored)
        total += last
    return total


async def test_what_was_appended_is_read_back(store):
    stream = stream_id("said", "a")
    outcome = await store.append(
        AppendCommand(
            "id-1",
            b"hash",
            (StreamWrite(stream, 0, (event("é ♣"), event("b")), state_hash=b"\1\2", ends_stream=True),),
            actor="ana",
            correlation_id="c",
            causation_id="d",
            trace="t",
        )
    )
    assert isinstance(outcome, Appended)
    assert (outcome.from_version, outcome.to_version, outcome.positions) == (0, 2, (2,))
    first, last = await store.read_recorded(stream)
    assert first.payload in ('{"text":"é ♣"}', '{"text": "é ♣"}')
    assert (first.stream, first.version, first.position, first.name, first.schema_version) == (
        stream,
        1,
        1,
        "Said",
        1,
    )
    assert (first.command_id, first.body_hash, first.state_hash, first.ends_stream) == (
        "id-1",
        b"hash",
        None,
        False,
    )
    assert (last.command_id, last.body_hash, last.state_hash, last.ends_stream) == (None, None, b"\1\2", True)
    for stored in (first, last):
        assert (stored.actor, stored.correlation_id, stored.causation_id, stored.trace) == (
            "ana",
            "c",
            "d",
            "t",
        )
        assert stored.partition == parse_stream(stream).partition
        assert stored.recorded_at == outcome.recorded_at
        assert stored.recorded_at.utcoffset() == timedelta(0)


async def test_a_stream_without_events_is_at_version_0(store):
    stream = stream_id("said", "nobody")
    assert await store.read(stream) == []
    assert (await store.head(stream)).version == 0


async def test_reading_a_range_of_versions_and_a_page(store):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0, 9)))
    assert [one.version for one in await store.read(stream, 3)] == [4, 5, 6, 7, 8, 9]
    assert [one.version for one in await store.read(stream, 3, 6)] == [4, 5, 6]
    assert [one.version for one in await store.read(stream, 0, None, 4)] == [1, 2, 3, 4]


async def test_the_public_message_is_kept_with_its_event(store):
    stream = stream_id("said", "a")
    public = event("a", public_subject="carteado.said.v1", public_data=b"\0\xff")
    await store.append(command(StreamWrite(stream, 0, (public, event("b")))))
    first, second = await store.read_recorded(stream)
    assert (first.public_subject, first.public_data) == ("carteado.said.v1", b"\0\xff")
    assert (second.public_subject, second.public_data) == (None, None)


async def test_an_empty_public_message_is_not_a_missing_one(store):
    stream = stream_id("said", "a")
    await store.append(
        command(StreamWrite(stream, 0, (event("a", public_subject="carteado.said.v1", public_data=b""),)))
    )
    (stored,) = await store.read_recorded(stream)
    assert stored.public_data == b""


@pytest.mark.parametrize("expected", [0, 1, 3])
async def test_a_wrong_expected_version_is_a_conflict_and_appends_nothing(store, expected):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0, 2)))
    before = await store.positions()
    assert await store.append(command(say(stream, expected))) == Conflict(stream, 2)
    assert await versions(store, stream) == [1, 2]
    assert await store.positions() == before


async def test_b090_twenty_writers_on_one_version_one_wins(store):
    stream = stream_id("said", "a")
    outcomes = await asyncio.gather(*(store.append(command(say(stream, 0))) for _ in range(20)))
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 1
    assert sum(outcome == Conflict(stream, 1) for outcome in outcomes) == 19
    assert await versions(store, stream) == [1]
    assert await assert_positions_are_contiguous(store) == 1


async def test_commands_on_one_stream_given_at_once_are_appended_in_order(store):
    stream = stream_id("said", "a")
    outcomes = await asyncio.gather(*(store.append(command(say(stream, number))) for number in range(10)))
    assert [outcome.to_version for outcome in outcomes] == list(range(1, 11))


async def test_a_conflict_fails_its_own_command_alone(store):
    taken, *free = in_partition(3, 50)
    await store.append(command(say(taken, 0)))
    outcomes = await asyncio.gather(*(store.append(command(say(stream, 0, 2))) for stream in (*free, taken)))
    assert [type(outcome) for outcome in outcomes] == [Appended] * 49 + [Conflict]
    assert await assert_positions_are_contiguous(store) == 1 + 49 * 2


async def test_b100_one_poisoned_command_in_a_batch_of_fifty_fails_alone(store):
    streams = [stream_id("said", str(number)) for number in range(50)]
    commands = [command(say(stream, 0)) for stream in streams]
    commands[17] = command(StreamWrite(streams[17], 0, (NewEvent("Said", 1, b"[1,"),)))
    outcomes = await asyncio.gather(*map(store.append, commands), return_exceptions=True)
    assert isinstance(outcomes[17], UnstorableError)
    assert all(isinstance(outcome, Appended) for index, outcome in enumerate(outcomes) if index != 17)
    assert await versions(store, streams[17]) == []
    assert await assert_positions_are_contiguous(store) == 49
    assert isinstance(await store.append(command(say(streams[17], 0))), Appended)


@pytest.mark.parametrize("text", ["a\\u0000b", "\\\\\\u0000"])
async def test_b100_a_payload_with_an_escaped_nul_is_refused_at_the_edge(store, text):
    stream = stream_id("said", "a")
    with pytest.raises(UnstorableError):
        await store.append(command(StreamWrite(stream, 0, (event(text),))))
    assert (await store.head(stream)).version == 0


async def test_b100_a_backslash_before_u0000_is_ordinary_text(store):
    stream = stream_id("said", "a")
    assert isinstance(await store.append(command(StreamWrite(stream, 0, (event("\\\\u0000"),)))), Appended)
    (stored,) = await store.read(stream)
    assert "\\\\u0000" in stored.payload


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
@pytest.mark.parametrize("field", ["id", "actor", "correlation_id", "causation_id", "trace"])
async def test_b100_metadata_that_cannot_be_stored_is_refused_at_the_edge(store, field, text):
    stream = stream_id("said", "a")
    fields = {"id": "an id", "body_hash": b"", "writes": (say(stream, 0),), field: text}
    with pytest.raises(UnstorableError):
        await store.append(AppendCommand(**fields))
    assert (await store.head(stream)).version == 0


@pytest.mark.parametrize("length", [0, 201, 100_000])
async def test_b100_an_id_that_no_index_takes_is_refused_at_the_edge(store, length):
    stream = stream_id("said", "a")
    bad = AppendCommand("".join(map(chr, range(33, 127))) * 1100, b"", (say(stream, 0),))
    with pytest.raises(UnstorableError):
        await store.append(AppendCommand(bad.id[:length], b"", bad.writes))
    assert isinstance(await store.append(AppendCommand(bad.id[:200], b"", bad.writes)), Appended)


async def test_a_command_appends_all_of_its_events_or_none(store):
    stream = stream_id("said", "a")
    bad = StreamWrite(stream, 0, (event("a"), NewEvent("Said", 1, b"{"), event("c")))
    with pytest.raises(UnstorableError):
        await store.append(command(bad))
    assert await versions(store, stream) == []


async def test_the_same_id_again_gets_the_first_outcome(store):
    stream = stream_id("said", "a")
    first = command(say(stream, 0, 3), id="one")
    await store.append(first)
    await store.append(command(say(stream, 3, 2)))
    assert await store.append(first) == Duplicate(0, 3)
    again = command(say(stream, 5, 1), id="one")
    assert await store.append(again) == Duplicate(0, 3)
    assert await versions(store, stream) == [1, 2, 3, 4, 5]


async def test_the_same_id_given_twice_at_once_is_appended_once(store):
    stream = stream_id("said", "a")
    first = command(say(stream, 0, 2), id="one")
    outcomes = await asyncio.gather(*(store.append(first) for _ in range(5)))
    assert isinstance(outcomes[0], Appended)
    assert outcomes[1:] == [Duplicate(0, 2)] * 4


async def test_the_same_id_with_another_body_is_refused(store):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0), id="one", body_hash=b"first"))
    again = command(say(stream, 1), id="one", body_hash=b"other")
    assert await store.append(again) == DuplicateMismatch()
    assert await versions(store, stream) == [1]


async def test_the_same_id_in_another_stream_is_another_command(store):
    one, other = stream_id("said", "a"), stream_id("said", "b")
    assert isinstance(await store.append(command(say(one, 0), id="one")), Appended)
    assert isinstance(await store.append(command(say(other, 0), id="one")), Appended)


async def test_a_command_that_was_in_conflict_is_not_remembered(store):
    stream = stream_id("said", "a")
    assert await store.append(command(say(stream, 1), id="one")) == Conflict(stream, 0)
    assert isinstance(await store.append(command(say(stream, 0), id="one")), Appended)


async def test_the_head_tells_what_became_of_an_id(store):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0, 2), id="one", body_hash=b"first"))
    await store.append(command(say(stream, 2, 1), id="two", body_hash=b"first"))
    assert (await store.head(stream, "one", b"first")).command == Duplicate(0, 2)
    assert (await store.head(stream, "two", b"first")).command == Duplicate(2, 3)
    assert (await store.head(stream, "one", b"other")).command == DuplicateMismatch()
    head = await store.head(stream, "three", b"first")
    assert (head.version, head.command) == (3, None)


async def test_heads_of_many_streams_come_at_once_and_those_without_events_are_left_out(store):
    one, two, three = (stream_id("said", name) for name in "abc")
    await store.append(command(say(one, 0, 2)))
    await store.append(command(say(three, 0, 5)))
    assert dict(await store.heads([one, two, three])) == {one: 2, three: 5}
    assert dict(await store.heads([])) == {}


async def test_a_command_over_several_streams_is_appended_whole(store):
    one, two, three = (stream_id("said", name) for name in "abc")
    await store.append(command(say(two, 0, 4)))
    outcome = await store.append(command(say(one, 0, 2), say(two, 4, 1), say(three, 0, 3)))
    assert isinstance(outcome, Appended)
    assert [(span.stream, span.from_version, span.to_version) for span in outcome.spans] == [
        (one, 0, 2),
        (two, 4, 5),
        (three, 0, 3),
    ]
    assert await versions(store, two) == [1, 2, 3, 4, 5]
    await assert_positions_are_contiguous(store)


async def test_a_command_over_several_streams_with_one_conflict_appends_nothing(store):
    one, two, three = (stream_id("said", name) for name in "abc")
    await store.append(command(say(two, 0, 4)))
    assert await store.append(command(say(one, 0), say(two, 3), say(three, 0))) == Conflict(two, 4)
    assert await versions(store, one) == []
    assert await versions(store, three) == []
    await assert_positions_are_contiguous(store)


async def test_a_command_over_several_streams_is_known_again(store):
    one, two = in_partition(5, 2)
    both = command(say(one, 0, 2), say(two, 0), id="both")
    await store.append(both)
    assert await store.append(both) == Duplicate(0, 2)
    assert (
        await store.append(command(say(one, 2), say(stream_id("said", "c"), 0), id="both"))
        == DuplicateMismatch()
    )


async def test_a_stream_id_of_the_wrong_partition_is_refused(store):
    right = stream_id("said", "a")
    wrong = right.replace(right[5:7], f"{(int(right[5:7]) + 1) % PARTITIONS:02}")
    with pytest.raises(StreamIdError):
        await store.append(command(say(wrong, 0)))
    with pytest.raises(StreamIdError):
        await store.read(wrong)


async def test_positions_grow_together_with_the_versions_of_a_stream(store):
    streams = in_partition(7, 4)
    for number in range(5):
        await asyncio.gather(*(store.append(command(say(stream, number * 2, 2))) for stream in streams))
    assert await assert_positions_are_contiguous(store) == 4 * 5 * 2
    for stream in streams:
        positions = [stored.position for stored in await store.read(stream)]
        assert positions == sorted(positions)


async def test_overdue_deadlines_are_claimed_once_and_again_later(store):
    stream, other = stream_id("said", "a"), stream_id("other", "a")
    await store.append(command(say(stream, 0, deadline=SOON)))
    await store.append(command(say(other, 0, deadline=SOON)))
    (claim,) = await store.claim_overdue("said", overdue_s=1, limit=10)
    assert (claim.stream, claim.due_at, claim.attempts) == (stream, SOON, 1)
    assert await store.claim_overdue("said", overdue_s=1, limit=10) == []
    # The claim pushed the retry time two seconds on: "overdue by minus three seconds" looks that far ahead.
    (again,) = await store.claim_overdue("said", overdue_s=-3, limit=10)
    assert again.attempts == 2


async def test_a_deadline_is_not_overdue_before_its_time(store):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0, deadline=await store.now())))
    assert await store.claim_overdue("said", overdue_s=60, limit=10) == []


async def test_an_append_moves_the_deadline_and_one_without_clears_it(store):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0, deadline=SOON)))
    await store.claim_overdue("said", overdue_s=1, limit=10)
    later = SOON + timedelta(days=1)
    await store.append(command(say(stream, 1, deadline=later)))
    (claim,) = await store.claim_overdue("said", overdue_s=1, limit=10)
    assert (claim.due_at, claim.attempts) == (later, 1)
    await store.append(command(say(stream, 2)))
    assert await store.claim_overdue("said", overdue_s=-9999, limit=10) == []


async def test_a_command_that_is_not_appended_leaves_the_deadline_alone(store):
    stream = stream_id("said", "a")
    await store.append(command(say(stream, 0, deadline=SOON), id="one"))
    await store.append(command(say(stream, 0)))
    await store.append(command(say(stream, 1), id="one", body_hash=b"other"))
    assert [claim.due_at for claim in await store.claim_overdue("said", overdue_s=1, limit=10)] == [SOON]


async def test_the_most_overdue_are_claimed_first_and_no_more_than_the_limit(store):
    streams = [stream_id("said", str(number)) for number in range(5)]
    for number, stream in enumerate(streams):
        await store.append(command(say(stream, 0, deadline=SOON - timedelta(hours=number))))
    first = await store.claim_overdue("said", overdue_s=1, limit=2)
    assert {claim.stream for claim in first} == {streams[4], streams[3]}


async def test_beats_record_an_outage_once(store):
    assert await store.beat(3.0) is None
    assert await store.beat(3.0) is None
    before = await store.now()
    await asyncio.sleep(0.05)
    first = await store.beat(0.02)
    assert first is not None
    assert first.began_at <= before < first.ended_at
    assert await store.beat(3.0) == first
    assert await store.outages_since(before) == [first]
    assert await store.outages_since(first.ended_at) == []
