"""The relay on real Postgres and NATS: nothing lost, nothing reordered, nothing that was not committed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import nats
import nats.errors
import psycopg
import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.relay import PREVIOUS, Relay, RelayLimits
from libs.eventlog.relay_status import rewind
from libs.eventlog.store import AppendCommand, Appended, NewEvent, StreamWrite
from libs.eventlog.streams import PARTITIONS, stream_id
from tests.libs.eventlog.test_store_contract import in_partition
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

SAID = StreamSpec("carteado-said", ("carteado.said.word.v1", "carteado.said.end.v1"))
QUICK = RelayLimits(poll_s=0.1, publish_s=0.5, attempts=2, pause_most_s=0.2)


@pytest.fixture
async def client(nats_url: str) -> AsyncIterator[Client]:
    client = await nats.connect(nats_url, connect_timeout=30)
    await ensure_streams(client.jetstream(), [SAID, PARKED])
    yield client
    await client.close()


@pytest.fixture
def js(client: Client) -> JetStreamContext:
    return client.jetstream()


def word(
    stream: str, version: int, text: str, subject: str | None = "carteado.said.word.v1", trace: str = ""
):
    public = (subject, text.encode()) if subject else (None, None)
    event = NewEvent("Said", 1, b"{}", *public)
    return AppendCommand(str(uuid4()), b"", (StreamWrite(stream, version, (event,)),), trace=trace)


async def messages(js: JetStreamContext, number: int, stream: str = SAID.name) -> list:
    """The first messages of a JetStream stream, waited for."""
    found = []
    async with asyncio.timeout(20):
        while len(found) < number:
            try:
                found.append(await js.get_msg(stream, len(found) + 1))
            except NotFoundError:
                await asyncio.sleep(0.01)
    return found


async def count(js: JetStreamContext) -> int:
    return (await js.stream_info(SAID.name)).state.messages


async def checkpoint(conninfo: str, partition: int) -> int:
    async with await psycopg.AsyncConnection.connect(conninfo) as connection:
        cursor = await connection.execute(
            "SELECT position FROM relay_positions WHERE partition = %s", (partition,)
        )
        return (await cursor.fetchone())[0]


async def test_a_public_message_reaches_jetstream_with_its_headers(postgres_store, log_database, js):
    (stream,) = in_partition(3, 1)
    relay = Relay(log_database, js, "said", limits=QUICK)
    await relay.start()
    outcome = await postgres_store.append(word(stream, 0, "hello", trace="00-abc-def-01"))
    assert isinstance(outcome, Appended)
    (message,) = await messages(js, 1)
    assert (message.subject, message.data) == ("carteado.said.word.v1", b"hello")
    assert message.headers == {
        "Nats-Msg-Id": "said-3-1",
        "ce-specversion": "1.0",
        "ce-id": "said-3-1",
        "ce-type": "carteado.said.word.v1",
        "ce-source": "carteado/said",
        "ce-time": outcome.recorded_at.isoformat(),
        "content-type": "application/protobuf",
        "Carteado-Previous": "0",
        "traceparent": "00-abc-def-01",
    }
    await relay.stop()


async def test_each_message_names_the_position_published_before_it(postgres_store, log_database, js):
    (stream,) = in_partition(3, 1)
    for version, text in enumerate("abcdefg"):
        subject = "carteado.said.word.v1" if text in "adg" else None
        await postgres_store.append(word(stream, version, text, subject))
    relay = Relay(log_database, js, "said", limits=RelayLimits(page=2))
    await relay.start()
    found = await messages(js, 3)
    assert [(m.headers["Nats-Msg-Id"], m.headers[PREVIOUS]) for m in found] == [
        ("said-3-1", "0"),
        ("said-3-4", "1"),
        ("said-3-7", "4"),
    ]
    await relay.stop()


async def test_all_messages_arrive_in_the_order_of_their_partition(postgres_store, log_database, js):
    relay = Relay(log_database, js, "said", limits=RelayLimits(page=7))
    postgres_store.appender.on_appended = relay.on_appended
    await relay.start()
    streams = [stream_id("said", str(number)) for number in range(30)]
    for version in range(5):
        await asyncio.gather(
            *(postgres_store.append(word(stream, version, f"{stream} {version}")) for stream in streams)
        )
    found = await messages(js, 150)
    last = [0] * PARTITIONS
    for message in found:
        _, partition, position = message.headers["Nats-Msg-Id"].split("-")
        assert int(message.headers[PREVIOUS]) == last[int(partition)]
        last[int(partition)] = int(position)
    assert {message.data.decode() for message in found} == {f"{s} {v}" for s in streams for v in range(5)}
    await relay.stop()


async def test_the_appender_wakes_the_relay(postgres_store, log_database, js):
    relay = Relay(log_database, js, "said", limits=RelayLimits(poll_s=60))
    postgres_store.appender.on_appended = relay.on_appended
    await relay.start()
    await until(lambda: has_all(relay))
    await postgres_store.append(word(stream_id("said", "a"), 0, "now"))
    assert len(await messages(js, 1)) == 1
    await relay.stop()


async def has_all(relay: Relay) -> bool:
    return len(relay.held) == PARTITIONS


async def test_b096_what_was_rolled_back_is_never_published(postgres_store, log_database, js):
    (stream,) = in_partition(3, 1)
    document = f'[[0,0,"x","00","ana",null,null,null,"{stream}",3,0,null,null,false,[["Said",1,{{}},"carteado.said.word.v1","00"]]]]'
    async with (
        await psycopg.AsyncConnection.connect(log_database, autocommit=True) as other,
        other.transaction(force_rollback=True),
    ):
        await other.execute("SELECT * FROM append(%s::jsonb, ARRAY[3]::smallint[])", (document,))
    relay = Relay(log_database, js, "said", limits=QUICK)
    await relay.start()
    await postgres_store.append(word(stream, 0, "after"))
    (message,) = await messages(js, 1)
    assert message.data == b"after"
    assert await count(js) == 1
    await relay.stop()


async def test_b089_after_many_rolled_back_appends_the_next_message_arrives_and_is_the_first(
    postgres_store, log_database, js
):
    (stream,) = in_partition(3, 1)
    document = f'[[0,0,"x","00","ana",null,null,null,"{stream}",3,0,null,null,false,[["Said",1,{{}},"carteado.said.word.v1","00"]]]]'
    relay = Relay(log_database, js, "said", limits=QUICK)
    await relay.start()
    async with await psycopg.AsyncConnection.connect(log_database, autocommit=True) as other:
        for _ in range(150):
            async with other.transaction(force_rollback=True):
                await other.execute("SELECT * FROM append(%s::jsonb, ARRAY[3]::smallint[])", (document,))
    await postgres_store.append(word(stream, 0, "first"))
    async with asyncio.timeout(30):
        (message,) = await messages(js, 1)
        await until(lambda: reached(log_database, 3, 1))
    assert (message.data, message.headers["Nats-Msg-Id"], message.headers[PREVIOUS]) == (
        b"first",
        "said-3-1",
        "0",
    )
    assert await count(js) == 1
    await relay.stop()


class Dying(Relay):
    """A relay that dies after publishing and before its checkpoint is stored."""

    async def _publish_page(self, page):
        await super()._publish_page(page)
        raise asyncio.CancelledError


async def test_b096_killed_between_publish_and_checkpoint_nothing_is_lost_or_doubled(
    postgres_store, log_database, js
):
    (stream,) = in_partition(3, 1)
    for version in range(10):
        await postgres_store.append(word(stream, version, str(version)))
    for _ in range(3):
        dying = Dying(log_database, js, "said", limits=QUICK)
        await dying.start()
        await asyncio.wait([dying._task])
        await dying.stop()
    assert await checkpoint(log_database, 3) == 0
    assert await count(js) == 10
    relay = Relay(log_database, js, "said", limits=QUICK)
    await relay.start()
    await postgres_store.append(word(stream, 10, "10"))
    found = await messages(js, 11)
    assert [message.data for message in found] == [str(number).encode() for number in range(11)]
    await until(lambda: reached(log_database, 3, 11))
    assert await count(js) == 11
    await relay.stop()


async def reached(conninfo: str, partition: int, position: int) -> bool:
    return await checkpoint(conninfo, partition) == position


async def test_a_restarted_relay_goes_on_where_the_checkpoint_is(postgres_store, log_database, js):
    (stream,) = in_partition(3, 1)
    for turn in range(3):
        relay = Relay(log_database, js, "said", limits=QUICK)
        await relay.start()
        await postgres_store.append(word(stream, turn, str(turn)))
        await until(lambda turn=turn: reached(log_database, 3, turn + 1))
        await relay.stop()
    assert [message.data for message in await messages(js, 3)] == [b"0", b"1", b"2"]


async def test_one_pump_per_partition_with_three_replicas(postgres_store, log_database, js):
    relays = [Relay(log_database, js, "said", limits=QUICK) for _ in range(3)]
    for relay in relays:
        await relay.start()

    async def all_held() -> bool:
        return sum(len(relay.held) for relay in relays) == PARTITIONS

    await until(all_held)
    assert sorted(partition for relay in relays for partition in relay.held) == list(range(PARTITIONS))
    holder = max(relays, key=lambda relay: len(relay.held))
    await holder.stop()
    relays.remove(holder)
    await until(all_held)
    await postgres_store.append(word(stream_id("said", "a"), 0, "still"))
    assert len(await messages(js, 1)) == 1
    for relay in relays:
        await relay.stop()


async def test_a_relay_that_loses_its_connection_takes_up_again(postgres_store, log_database, js):
    relay = Relay(log_database, js, "said", limits=QUICK)
    await relay.start()
    await until(lambda: has_all(relay))
    async with await psycopg.AsyncConnection.connect(log_database, autocommit=True) as other:
        await other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'carteado relay said' AND datname = current_database()"
        )
    await postgres_store.append(word(stream_id("said", "a"), 0, "again"))
    assert len(await messages(js, 1)) == 1
    await relay.stop()


class Backlog:
    """Keeps the relay's observations of its backlog."""

    def __init__(self) -> None:
        self.messages: dict[int, int] = {}
        self.failures = 0

    def relay_backlog(self, partition: int, messages: int, age_s: float) -> None:
        self.messages[partition] = messages

    def relay_failed(self, partition: int) -> None:
        self.failures += 1

    def relayed(self, partition: int, messages: int) -> None:
        pass


async def test_a_message_that_no_stream_takes_holds_up_its_own_partition_alone(
    postgres_store, log_database, js
):
    """In log order: what comes after it in the partition waits; the backlog shows it; then it goes on."""
    seen = Backlog()
    (held_up,), (free,) = in_partition(3, 1), in_partition(4, 1)
    relay = Relay(log_database, js, "said", limits=QUICK, observations=seen)
    await relay.start()
    await postgres_store.append(word(held_up, 0, "lost", "carteado.said.undeclared.v1"))
    await postgres_store.append(word(held_up, 1, "behind"))
    await postgres_store.append(word(free, 0, "free"))
    assert [message.data for message in await messages(js, 1)] == [b"free"]

    async def is_seen() -> bool:
        return seen.messages.get(3) == 2 and seen.failures > 0

    await until(is_seen)
    assert await count(js) == 1
    await ensure_streams(js, [StreamSpec(SAID.name, (*SAID.subjects, "carteado.said.undeclared.v1"))])
    assert [message.data for message in await messages(js, 3)] == [b"free", b"lost", b"behind"]

    async def is_gone() -> bool:
        return seen.messages.get(3) == 0

    await until(is_gone)
    await relay.stop()


async def test_an_operator_can_rewind_a_running_relay(postgres_store, log_database, js):
    (stream,) = in_partition(3, 1)
    relay = Relay(log_database, js, "said", limits=QUICK)
    await relay.start()
    for version in range(3):
        await postgres_store.append(word(stream, version, str(version)))
    await until(lambda: reached(log_database, 3, 3))
    # The stream is lost, and with it what JetStream knows of message ids.
    await js.delete_stream(SAID.name)
    await ensure_streams(js, [SAID])
    await rewind(log_database, 3, 1)
    found = await messages(js, 2)
    assert [(m.data, m.headers[PREVIOUS]) for m in found] == [(b"1", "1"), (b"2", "2")]
    await until(lambda: reached(log_database, 3, 3))
    await relay.stop()


async def test_streams_are_made_once_and_changed_in_place(js):
    queue = StreamSpec("carteado-said-work", ("carteado.said.turn.v1",), is_work_queue=True)
    await asyncio.gather(*(ensure_streams(js, [queue]) for _ in range(4)))
    await js.publish("carteado.said.turn.v1", b"x")
    wider = StreamSpec(queue.name, (*queue.subjects, "carteado.said.more.v1"), is_work_queue=True)
    await ensure_streams(js, [wider])
    info = await js.stream_info(queue.name)
    assert (info.state.messages, info.config.subjects, info.config.retention) == (
        1,
        list(wider.subjects),
        "workqueue",
    )
    assert info.config.storage == "file"
