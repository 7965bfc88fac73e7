"""Reactions on real NATS: doubled, late and poison messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import nats
import pytest
from nats.js import JetStreamContext

from libs.eventlog import reactions
from libs.eventlog.committed import Committed
from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.memory import MemoryStore
from libs.eventlog.reactions import Message, consume
from libs.eventlog.runtime import Runtime
from tests.libs.eventlog.counter import COUNTER, Add, Start, registry
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

WORK = StreamSpec("carteado-said-turn", ("carteado.said.turn.v1",), is_work_queue=True)
SUBJECT = WORK.subjects[0]


@pytest.fixture
async def js(nats_url: str) -> AsyncIterator[JetStreamContext]:
    client = await nats.connect(nats_url, connect_timeout=30)
    js = client.jetstream()
    await ensure_streams(js, [WORK, PARKED])
    yield js
    await client.close()


class Handled:
    """A handler that keeps what it got and can be awaited; `work` does the work."""

    def __init__(self, work: Callable[[Message], Awaitable[None]] | None = None) -> None:
        self.messages: list[Message] = []
        self._work = work
        self._new = asyncio.Event()

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)
        self._new.set()
        if self._work is not None:
            await self._work(message)

    async def wait_for(self, number: int) -> list[Message]:
        async with asyncio.timeout(20):
            while len(self.messages) < number:
                self._new.clear()
                await self._new.wait()
        return self.messages


@asynccontextmanager
async def consuming(js: JetStreamContext, handler, durable: str = "workers", **options):
    task = asyncio.create_task(consume(js, WORK.name, durable, SUBJECT, handler, **options))
    yield task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def publish(js: JetStreamContext, number: int, data: bytes = b"x") -> None:
    await js.publish(SUBJECT, data, headers={"Nats-Msg-Id": f"said-3-{number}"})


async def work_left(js: JetStreamContext) -> int:
    return (await js.stream_info(WORK.name)).state.messages


async def test_each_message_is_handled_and_then_gone(js):
    handled = Handled()
    async with consuming(js, handled):
        for number in range(1, 30):
            await publish(js, number, str(number).encode())
        await handled.wait_for(29)

        async def is_done() -> bool:
            return await work_left(js) == 0

        await until(is_done)
    assert sorted(int(message.data) for message in handled.messages) == list(range(1, 30))
    first = handled.messages[0]
    assert (first.id, first.subject, first.delivery) == ("said-3-1", SUBJECT, 1)


async def test_what_has_come_is_handled_though_a_request_for_several_stays_open(js, monkeypatch):
    """Seen now and then: of a burst a few messages came to the client, and its request for more went on to its end."""
    fetch = JetStreamContext.PullSubscription.fetch

    async def kept_open(self, batch=1, timeout=5, heartbeat=None):  # noqa: ASYNC109 - as in nats-py
        messages = await fetch(self, batch, timeout, heartbeat)
        if batch > 1:
            await asyncio.sleep(timeout)
        return messages

    monkeypatch.setattr(JetStreamContext.PullSubscription, "fetch", kept_open)
    handled = Handled()
    async with consuming(js, handled):
        for number in range(40, 45):
            await publish(js, number)
        async with asyncio.timeout(reactions._FETCH_S * 0.9):
            await handled.wait_for(5)


async def test_no_more_are_handled_at_once_than_allowed(js):
    running, most = 0, 0

    async def work(message: Message) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.005)
        running -= 1

    handled = Handled(work)
    async with consuming(js, handled, concurrency=3):
        for number in range(1, 25):
            await publish(js, number)
        await handled.wait_for(24)
    assert most == 3


async def test_a_handler_that_fails_gets_the_message_again(js):
    async def work(message: Message) -> None:
        if message.delivery < 3:
            raise ValueError("not yet")

    handled = Handled(work)
    async with consuming(js, handled):
        await publish(js, 1)
        await handled.wait_for(3)
    assert [message.delivery for message in handled.messages] == [1, 2, 3]


async def test_a_poison_message_is_parked_with_its_reason_and_the_others_go_on(js):
    async def work(message: Message) -> None:
        if message.data == b"poison":
            raise ValueError("I can't, não posso")

    handled = Handled(work)
    async with consuming(js, handled, max_deliver=2):
        await publish(js, 1, b"poison")
        await publish(js, 2, b"good")

        async def is_parked() -> bool:
            return (await js.stream_info(PARKED.name)).state.messages == 1

        await until(is_parked)
        parked = await js.get_msg(PARKED.name, 1)
        assert (parked.subject, parked.data) == ("carteado.parked.workers", b"poison")
        assert parked.headers["Carteado-Parked-Id"] == "said-3-1"
        assert parked.headers["Carteado-Parked-Subject"] == SUBJECT
        assert 'ValueError("I can\'t, n\\xe3o posso")' in parked.headers["Carteado-Parked-Reason"]

        async def is_done() -> bool:
            return await work_left(js) == 0

        await until(is_done)
    assert len([message for message in handled.messages if message.data == b"poison"]) == 2


async def test_a_handler_that_takes_too_long_is_stopped_and_tried_again(js):
    async def work(message: Message) -> None:
        if message.delivery == 1:
            await asyncio.sleep(60)

    handled = Handled(work)
    async with consuming(js, handled, ack_wait_s=0.5):
        await publish(js, 1)
        await handled.wait_for(2)
    assert [message.delivery for message in handled.messages] == [1, 2]


async def test_a_message_whose_worker_died_goes_to_another(js):
    async def hang(message: Message) -> None:
        await asyncio.sleep(60)

    dying, other = Handled(hang), Handled()
    async with consuming(js, dying, ack_wait_s=0.5):
        await publish(js, 1)
        await dying.wait_for(1)
    async with consuming(js, other, ack_wait_s=0.5):
        (message,) = await other.wait_for(1)
    assert message.delivery == 2


async def test_a_message_that_kills_its_worker_again_and_again_is_parked(js):
    async def hang(message: Message) -> None:
        await asyncio.sleep(60)

    for _ in range(2):
        dying = Handled(hang)
        async with consuming(js, dying, ack_wait_s=0.3, max_deliver=2):
            if _ == 0:
                await publish(js, 1)
            await dying.wait_for(1)
    last = Handled(hang)
    async with consuming(js, last, ack_wait_s=0.3, max_deliver=2):

        async def is_parked() -> bool:
            return (await js.stream_info(PARKED.name)).state.messages == 1

        await until(is_parked)
    assert last.messages == []


async def test_b091_a_message_delivered_twice_has_its_effect_once(js):
    """Two workers get the same message, because the first is too slow to acknowledge it."""
    store = MemoryStore()
    await Runtime(COUNTER, registry(), store).handle("week", Start(), command_id="start", actor="test")
    answers = []
    slow = asyncio.Event()

    def worker(is_slow: bool) -> Handled:
        runtime = Runtime(COUNTER, registry(), store)

        async def work(message: Message) -> None:
            answers.append(
                await runtime.handle(
                    "week", Add(100), command_id=message.command_id("points"), actor="reaction"
                )
            )
            if is_slow:
                await slow.wait()

        return Handled(work)

    first, second = worker(True), worker(False)
    async with consuming(js, first, ack_wait_s=0.4):
        await publish(js, 1)
        await first.wait_for(1)
        async with consuming(js, second, ack_wait_s=0.4):

            async def both_answered() -> bool:
                return len(answers) >= 2

            await until(both_answered)
    assert [type(answer) for answer in answers[:2]] == [Committed, Committed]
    assert [answer.duplicate for answer in answers[:2]] == [False, True]
    state = (await Runtime(COUNTER, registry(), store).load("week")).state
    assert state.total == 100


def test_the_command_of_a_reaction_follows_from_the_message():
    message = Message("said-3-1", SUBJECT, b"", {}, 1)
    again = Message("said-3-1", SUBJECT, b"", {"x": "y"}, 7)
    assert message.command_id("points") == again.command_id("points")
    assert message.command_id("points") != message.command_id("medals")
    assert message.command_id("points") != Message("said-3-2", SUBJECT, b"", {}, 1).command_id("points")


async def test_a_cancellation_in_the_moment_in_which_a_message_comes_is_not_lost(js, monkeypatch):
    async def fetch(self, *args: object, **options: object) -> list[object]:
        # What the client's own fetch does when a message is there in the moment of the cancellation.
        fetching.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return []
        return []

    fetching = asyncio.Event()
    monkeypatch.setattr(JetStreamContext.PullSubscription, "fetch", fetch)
    task = asyncio.create_task(consume(js, WORK.name, "workers", SUBJECT, Handled()))
    await asyncio.wait_for(fetching.wait(), 20)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=30)
    assert done == {task}
    assert task.cancelled()
