"""Messages that were put aside: listed, driven again, and never lost or doubled by that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import nats
import pytest
from nats.js import JetStreamContext

from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.parked import ParkedMessage, count_parked, list_parked, park, redrive
from libs.eventlog.reactions import Message, consume
from tests.libs.eventlog.test_reactions import Handled
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

RESULTS = StreamSpec("carteado-said", ("carteado.said.word.v1",))
SUBJECT = RESULTS.subjects[0]


@pytest.fixture
async def js(nats_url: str) -> AsyncIterator[JetStreamContext]:
    client = await nats.connect(nats_url, connect_timeout=30)
    await ensure_streams(client.jetstream(), [RESULTS, PARKED])
    yield client.jetstream()
    await client.close()


class Consumer:
    """A consumer whose handler can be broken and mended."""

    def __init__(self, js: JetStreamContext, durable: str) -> None:
        self.is_broken = False
        self.handled = Handled(self._work)
        self._task = asyncio.create_task(
            consume(js, RESULTS.name, durable, SUBJECT, self.handled, max_deliver=1)
        )

    async def _work(self, message: Message) -> None:
        if self.is_broken:
            raise ValueError("broken")

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


async def publish(js: JetStreamContext, number: int) -> None:
    message_id = f"said-3-{number}"
    headers = {"Nats-Msg-Id": message_id, "ce-id": message_id, "traceparent": "00-abc-def-01"}
    await js.publish(SUBJECT, str(number).encode(), headers=headers)


async def parked_now(js: JetStreamContext, durable: str | None = None) -> list[ParkedMessage]:
    return [parked async for parked in list_parked(js, durable)]


async def wait_parked(js: JetStreamContext, durable: str, number: int) -> list[ParkedMessage]:
    async def are_there() -> bool:
        return await count_parked(js, durable) == number

    await until(are_there)
    return await parked_now(js, durable)


async def test_what_is_parked_is_listed_with_all_that_is_known_of_it(js):
    consumer = Consumer(js, "league")
    consumer.is_broken = True
    await publish(js, 1)
    (parked,) = await wait_parked(js, "league", 1)
    assert (parked.durable, parked.id, parked.subject, parked.stream, parked.data) == (
        "league",
        "said-3-1",
        SUBJECT,
        RESULTS.name,
        b"1",
    )
    assert parked.reason == "ValueError('broken')"
    assert parked.parked_at.utcoffset() is not None
    assert await parked_now(js) == [parked]
    assert await parked_now(js, "other") == []
    assert await count_parked(js, "other") == 0
    await consumer.close()


async def test_a_redriven_message_is_handled_under_the_id_that_it_always_had(js):
    consumer = Consumer(js, "league")
    consumer.is_broken = True
    await publish(js, 1)
    (parked,) = await wait_parked(js, "league", 1)
    consumer.is_broken = False
    await redrive(js, parked)
    first, again = await consumer.handled.wait_for(2)
    assert again.id == first.id == "said-3-1"
    assert again.command_id("points") == first.command_id("points")
    assert again.data == first.data
    assert again.headers["traceparent"] == "00-abc-def-01"
    assert not [name for name in again.headers if name.startswith("Carteado-Parked")]
    assert await parked_now(js) == []
    await consumer.close()


async def test_a_redriven_message_that_fails_again_is_parked_again(js):
    """Also at once: JetStream's duplicate window must not swallow the second parking."""
    consumer = Consumer(js, "league")
    consumer.is_broken = True
    await publish(js, 1)
    (parked,) = await wait_parked(js, "league", 1)
    for _ in range(3):
        await redrive(js, parked)
        before = parked.sequence

        async def is_parked_anew(before: int = before) -> bool:
            return [one.sequence > before for one in await parked_now(js)] == [True]

        await until(is_parked_anew)
        (parked,) = await parked_now(js)
        assert (parked.id, parked.data) == ("said-3-1", b"1")
    await consumer.close()


async def test_redriving_twice_sends_once(js):
    """The command was killed after sending and before forgetting."""
    consumer = Consumer(js, "league")
    consumer.is_broken = True
    await publish(js, 1)
    (parked,) = await wait_parked(js, "league", 1)
    consumer.is_broken = False
    before = (await js.stream_info(RESULTS.name)).state.messages
    await redrive(js, parked)
    await park_again(js, parked)
    assert (await js.stream_info(RESULTS.name)).state.messages == before + 1
    await consumer.close()


async def park_again(js: JetStreamContext, parked: ParkedMessage) -> None:
    with pytest.raises(nats.errors.Error):
        await redrive(js, parked)  # it is not parked any more, and its sending was dropped


async def test_every_consumer_of_the_subject_hears_a_redriven_message_under_its_id(js):
    broken, other = Consumer(js, "league"), Consumer(js, "medals")
    broken.is_broken = True
    await publish(js, 1)
    (parked,) = await wait_parked(js, "league", 1)
    await other.handled.wait_for(1)
    broken.is_broken = False
    await redrive(js, parked)
    first, again = await other.handled.wait_for(2)
    assert first.command_id("medals") == again.command_id("medals")
    await broken.close()
    await other.close()


async def test_a_delivery_that_is_parked_twice_is_kept_once(js):
    """The consumer died after parking and before it could say so to JetStream."""
    for _ in range(2):
        await park(
            js,
            durable="league",
            stream=RESULTS.name,
            delivered="carteado-said-7",
            id="said-3-1",
            subject=SUBJECT,
            data=b"1",
            headers={},
            reason="line one\nline two",
        )
    (parked,) = await parked_now(js)
    assert parked.reason == "line one line two"


async def test_many_parked_messages_are_listed_in_order_around_what_was_forgotten(js):
    consumer = Consumer(js, "league")
    consumer.is_broken = True
    for number in range(1, 8):
        await publish(js, number)
    parked = await wait_parked(js, "league", 7)
    consumer.is_broken = False
    for one in parked[1::2]:
        await redrive(js, one)
    left = await parked_now(js, "league")
    assert [one.sequence for one in left] == [one.sequence for one in parked[::2]]
    await consumer.close()
