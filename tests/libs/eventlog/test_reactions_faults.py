"""Reactions whatever delivery does: doubled, late, shuffled, poison; and NATS restarted in the middle (fault B091)."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import nats.errors
import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from deploy.local.nats import Nats, find_binary
from deploy.local.ports import free_ports
from libs.eventlog.committed import Committed
from libs.eventlog.decider import Rejection
from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.parked import count_parked, list_parked, redrive
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.reactions import Message, consume
from libs.eventlog.runtime import Limits, Runtime
from tests.libs.eventlog.counter import COUNTER, Add, End, RunOut, Start, registry
from tests.libs.eventlog.test_relay_faults import reconnecting
from tests.libs.eventlog.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.fault]

RESULTS = StreamSpec("carteado-said", ("carteado.said.ended.v1",))
SUBJECT = RESULTS.subjects[0]


class Week:
    """A reaction with an effect: each message adds its number to a counter, by a command that follows from it."""

    def __init__(self, store: PostgresStore) -> None:
        self.runtime = Runtime(COUNTER, registry(), store, limits=Limits(attempts=50))
        self.answers: dict[str, list] = {}
        self.is_broken = False

    async def __call__(self, message: Message) -> None:
        if self.is_broken and message.data == b"13":
            raise ValueError("unlucky")
        answer = await self.runtime.handle(
            "week", Add(int(message.data)), command_id=message.command_id("points"), actor="reaction"
        )
        self.answers.setdefault(message.id, []).append(answer)

    async def total(self) -> int:
        return (await self.runtime.load("week")).state.total


def message(number: int, delivery: int = 1) -> Message:
    return Message(f"said-3-{number}", SUBJECT, str(number).encode(), {}, delivery)


@pytest.fixture
async def week(postgres_store: PostgresStore) -> Week:
    week = Week(postgres_store)
    await week.runtime.handle("week", Start(), command_id="start", actor="test")
    return week


async def test_b091_doubled_late_and_shuffled_messages_have_each_their_effect_once(week, postgres_store):
    """Two replicas get every message one to four times, in any order."""
    draw = random.Random(91)
    other = Week(postgres_store)
    deliveries = [message(number) for number in range(1, 41) for _ in range(draw.randint(1, 4))]
    draw.shuffle(deliveries)
    await asyncio.gather(*(draw.choice((week, other))(one) for one in deliveries))
    assert await week.total() == sum(range(1, 41))
    for number in range(1, 41):
        answers = [*week.answers.get(f"said-3-{number}", ()), *other.answers.get(f"said-3-{number}", ())]
        assert sorted(answer.duplicate for answer in answers) == [False] + [True] * (len(answers) - 1)
    # Days later, after a rewind, everything comes once more.
    for one in deliveries:
        await other(one)
    assert await week.total() == sum(range(1, 41))


async def test_a_message_that_comes_when_all_is_over_is_an_answer_and_no_failure(week):
    await week(message(1))
    await week.runtime.handle("week", End(), command_id="end", actor="test")
    await week(message(2))
    await week(message(1))
    assert week.answers["said-3-2"] == [Rejection("ENDED")]
    assert week.answers["said-3-1"][1].duplicate
    assert await week.total() == 1


async def test_b101_a_message_of_an_older_turn_does_nothing_to_the_next_one(week):
    """What a message names (here the turn) is checked by the decision, so a late one finds that it has passed."""
    held_back = RunOut(0)
    await week(message(5))
    before = await week.runtime.load("week")
    late = message(7).command_id("turn")
    answer = await week.runtime.handle("week", held_back, command_id=late, actor="reaction")
    assert answer == Rejection("STALE")
    assert await week.runtime.load("week") == before
    in_time = await week.runtime.handle("week", RunOut(1), command_id="another", actor="reaction")
    assert isinstance(in_time, Committed)


@pytest.fixture
def own_nats(tmp_path: Path) -> Iterator[Nats]:
    """A NATS of this test's own, which it may stop."""
    server = Nats(tmp_path / "nats", free_ports(1)[0], find_binary({}))
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("is_closed", [False, True])
async def test_a_consumer_ends_when_it_is_told_to_while_nats_is_away(week, own_nats, is_closed):
    client = await reconnecting(own_nats.url)
    js = client.jetstream()
    await ensure_streams(js, [RESULTS, PARKED])
    consuming = asyncio.create_task(consume(js, RESULTS.name, "week", SUBJECT, week))
    await js.publish(SUBJECT, b"1", headers={"Nats-Msg-Id": "said-3-1"})

    async def is_handled() -> bool:
        return bool(week.answers)

    await until(is_handled)
    own_nats.stop()
    if is_closed:
        await client.close()
    consuming.cancel()
    async with asyncio.timeout(30):
        await asyncio.wait([consuming])
    await client.close()


async def test_a_connection_that_is_closed_for_good_ends_the_consumer_loudly(week, js_of_its_own):
    client, js = js_of_its_own
    consuming = asyncio.create_task(consume(js, RESULTS.name, "week", SUBJECT, week))
    await js.publish(SUBJECT, b"1", headers={"Nats-Msg-Id": "said-3-1"})

    async def is_handled() -> bool:
        return bool(week.answers)

    await until(is_handled)
    await client.close()
    with pytest.raises(nats.errors.ConnectionClosedError):
        await asyncio.wait_for(consuming, 30)


@pytest.fixture
async def js_of_its_own(nats_url: str) -> AsyncIterator[tuple[Client, JetStreamContext]]:
    """A connection that the test may close."""
    client = await reconnecting(nats_url)
    await ensure_streams(client.jetstream(), [RESULTS, PARKED])
    yield client, client.jetstream()
    await client.close()


async def test_a_deleted_stream_of_parked_messages_stops_no_consumer_and_comes_back(
    week, own_nats, monkeypatch
):
    monkeypatch.setattr("libs.eventlog.reactions._COUNT_EVERY_S", 0.1)
    client = await reconnecting(own_nats.url)
    js = client.jetstream()
    await ensure_streams(js, [RESULTS, PARKED])
    week.is_broken = True
    consuming = asyncio.create_task(
        consume(js, RESULTS.name, "week", SUBJECT, week, ack_wait_s=1.0, max_deliver=1)
    )

    async def is_handled() -> bool:
        return bool(week.answers)

    async def is_parked() -> bool:
        try:
            return await count_parked(js, "week") == 1
        except NotFoundError:
            return False

    await js.delete_stream(PARKED.name)
    for number in (13, 14):
        await js.publish(SUBJECT, str(number).encode(), headers={"Nats-Msg-Id": f"said-3-{number}"})
    await until(is_handled)
    await until(is_parked, within_s=30)
    consuming.cancel()
    await asyncio.gather(consuming, return_exceptions=True)
    await client.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_b091_nats_restarted_in_the_middle_loses_and_doubles_nothing(week, own_nats, how):
    """Forty messages, one of them poison; the server is away while they are handled."""
    client = await reconnecting(own_nats.url)
    js = client.jetstream()
    await ensure_streams(js, [RESULTS, PARKED])
    consuming = asyncio.create_task(
        consume(js, RESULTS.name, "week", SUBJECT, week, concurrency=4, ack_wait_s=1.0, max_deliver=3)
    )
    week.is_broken = True

    async def publish(numbers: range) -> None:
        for number in numbers:
            await js.publish(SUBJECT, str(number).encode(), headers={"Nats-Msg-Id": f"said-3-{number}"})

    async def handled(least: int) -> bool:
        return len(week.answers) >= least

    await publish(range(1, 41))
    await until(lambda: handled(10))
    assert own_nats.process is not None
    own_nats.process.send_signal(how)
    own_nats.process.wait(60)
    await asyncio.sleep(0.5)
    own_nats.start()
    await until(lambda: handled(39), within_s=30)

    async def is_parked() -> bool:
        return client.is_connected and await count_parked(js, "week") == 1

    await until(is_parked, within_s=30)
    expected = sum(range(1, 41)) - 13
    assert await week.total() == expected
    week.is_broken = False
    async for parked in list_parked(js):
        await redrive(js, parked)
    await until(lambda: handled(40), within_s=30)
    assert await week.total() == expected + 13

    async def all_acknowledged() -> bool:
        info = await js.consumer_info(RESULTS.name, "week")
        return info.num_ack_pending == info.num_pending == 0

    await until(all_acknowledged, within_s=30)
    consuming.cancel()
    await asyncio.gather(consuming, return_exceptions=True)
    await client.close()
