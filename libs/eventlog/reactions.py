"""Reactions to other services' messages: a durable pull consumer, bounded in everything.

A message is handled at least once: what a handler does must be a command whose id is derived from the message
(`Message.command_id`), which makes doubled, late and shuffled delivery harmless. What still fails after `max_deliver`
deliveries is parked with its reason (`parked.py`), and the others go on.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID, uuid5

import msgspec
import nats.errors
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
from nats.js.errors import NotFoundError

from libs.eventlog.jetstream import PARKED, ensure_streams
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.parked import count_parked, park
from libs.eventlog.relay import EVENT_ID, MESSAGE_ID

_REACTION_IDS: Final = UUID("1a2f9f64-52c1-5d0b-8a1b-6f5b7f0f2c11")
_GRACE_DELIVERIES: Final = 3
_FIRST_DELAY_S: Final = 0.1
_LONGEST_DELAY_S: Final = 5.0
_COUNT_EVERY_S: Final = 10.0
_FETCH_S: Final = 5.0
_REST_S: Final = 0.02
_LEAVE_S: Final = 0.5

log = logging.getLogger(__name__)


class Message(msgspec.Struct, frozen=True):
    """A public message as a consumer gets it.

    `id` names service, partition and position, also of a message that was parked and driven again; `delivery` counts
    from 1.
    """

    id: str
    subject: str
    data: bytes
    headers: Mapping[str, str]
    delivery: int

    def command_id(self, reaction: str) -> str:
        """The id of the command that `reaction` gives for this message: always the same one."""
        return str(uuid5(_REACTION_IDS, f"{reaction} {self.id}"))


Handler = Callable[[Message], Awaitable[None]]


async def consume(
    js: JetStreamContext,
    stream: str,
    durable: str,
    subject: str,
    handler: Handler,
    *,
    concurrency: int = 8,
    ack_wait_s: float = 30.0,
    max_deliver: int = 5,
    longest_pause_s: float = 30.0,
    observations: Observations | None = None,
) -> None:
    """Handle messages until cancelled; survives the loss of NATS.

    Raises nats.errors.ConnectionClosedError when the connection is closed for good.

    A handler that returns has dealt with the message. One that raises, or takes over 0.8 of `ack_wait_s`, gets the
    message again, later each time; the last time it is parked in `carteado-parked` (`PARKED`), which is made anew when it
    is missing.
    """
    consumer = _Consumer(
        js,
        stream,
        durable,
        subject,
        handler,
        concurrency,
        ack_wait_s,
        max_deliver,
        longest_pause_s,
        observations,
    )
    await consumer.run()


class _Consumer:
    def __init__(
        self,
        js: JetStreamContext,
        stream: str,
        durable: str,
        subject: str,
        handler: Handler,
        concurrency: int,
        ack_wait_s: float,
        max_deliver: int,
        longest_pause_s: float,
        observations: Observations | None,
    ) -> None:
        self._js = js
        self._stream = stream
        self._durable = durable
        self._subject = subject
        self._handler = handler
        self._concurrency = concurrency
        self._ack_wait_s = ack_wait_s
        self._max_deliver = max_deliver
        self._longest_pause_s = longest_pause_s
        self._observations: Observations = observations or NoObservations()
        self._delay_s = _FIRST_DELAY_S
        self._places = asyncio.Semaphore(concurrency)
        self._handling: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        try:
            while True:
                try:
                    await self._pull()
                except nats.errors.ConnectionClosedError:
                    # Closed, not lost: nobody will open it again. The client also says this in place of a cancellation.
                    raise
                except (nats.errors.Error, TimeoutError) as error:
                    log.warning("the consumer %s lost its stream: %r", self._durable, error)
                    await asyncio.sleep(self._delay_s * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
                    self._delay_s = min(self._delay_s * 2, _LONGEST_DELAY_S)
        finally:
            for task in self._handling:
                task.cancel()
            await asyncio.gather(*self._handling, return_exceptions=True)

    async def _pull(self) -> None:
        await self._js.add_consumer(
            self._stream,
            ConsumerConfig(
                durable_name=self._durable,
                filter_subject=self._subject,
                deliver_policy=DeliverPolicy.ALL,
                ack_policy=AckPolicy.EXPLICIT,
                ack_wait=self._ack_wait_s,
                # Some more than we allow: what was delivered so often without an answer is parked, not forgotten.
                max_deliver=self._max_deliver + _GRACE_DELIVERIES,
                max_ack_pending=self._concurrency * 4,
            ),
        )
        subscription = await self._js.pull_subscribe_bind(self._durable, self._stream)
        counted_at = -float("inf")
        try:
            while True:
                if time.monotonic() - counted_at >= _COUNT_EVERY_S:
                    self._observations.parked(self._durable, await self._count_parked())
                    counted_at = time.monotonic()
                # One is waited for alone, and begun at once: a server that is asked for several sometimes keeps what it
                # has sent of them open, and the client's library with it, until the time for all of them is over.
                if await self._take(subscription, 1, _FETCH_S):
                    # Not before: what fails at its first request again and again is tried less and less often.
                    self._delay_s = _FIRST_DELAY_S
                    await self._take(subscription, self._concurrency, _REST_S)
        finally:
            await _leave(subscription)

    async def _take(
        self, subscription: JetStreamContext.PullSubscription, most: int, timeout_s: float
    ) -> bool:
        """Begins to handle the messages that are there or come in time, as many as there are places for; whether any did."""
        _heed_cancellation()
        free = 0
        while free < most and (free == 0 or not self._places.locked()):
            await self._places.acquire()
            free += 1
        messages: list[Msg] = []
        try:
            messages = await subscription.fetch(free, timeout=timeout_s)
        except TimeoutError:
            return False
        finally:
            for _ in range(free - len(messages)):
                self._places.release()
        for message in messages:
            task = asyncio.create_task(self._handle(message))
            self._handling.add(task)
            task.add_done_callback(self._done)
        return bool(messages)

    async def _count_parked(self) -> int:
        """How many messages are parked; makes the stream for them anew when somebody has deleted it.

        Without it nothing could be put aside, and what is not put aside in time NATS forgets.
        """
        try:
            return await count_parked(self._js, self._durable)
        except NotFoundError:
            log.warning("the stream %s is missing and is made anew", PARKED.name)
            await ensure_streams(self._js, (PARKED,))
            return 0

    def _done(self, task: asyncio.Task[None]) -> None:
        self._handling.discard(task)
        self._places.release()
        if not task.cancelled() and task.exception() is not None:
            log.error("the consumer %s could not answer a message: %r", self._durable, task.exception())

    async def _handle(self, raw: Msg) -> None:
        headers = dict(raw.headers or {})
        delivery = raw.metadata.num_delivered
        message_id = (
            headers.get(EVENT_ID)
            or headers.get(MESSAGE_ID)
            or f"{self._stream}-{raw.metadata.sequence.stream}"
        )
        message = Message(message_id, raw.subject, raw.data, headers, delivery)
        if delivery > self._max_deliver:
            await self._park(raw, message, f"no answer after {delivery - 1} deliveries")
            return
        try:
            async with asyncio.timeout(self._ack_wait_s * 0.8):
                await self._handler(message)
        except Exception as error:  # noqa: BLE001 - whatever a handler raises, its message must be tried again or parked
            log.warning("%s failed on %s, delivery %d: %r", self._durable, message_id, delivery, error)
            if delivery >= self._max_deliver:
                await self._park(raw, message, repr(error))
            else:
                self._observations.reaction(self._durable, "again")
                await raw.nak(delay=min(0.2 * 2**delivery, self._longest_pause_s) * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
            return
        await raw.ack()
        self._observations.reaction(self._durable, "done")

    async def _park(self, raw: Msg, message: Message, reason: str) -> None:
        """Put a message aside with its reason. When that fails too, it is delivered again and parked then."""
        place, moment = raw.metadata.sequence.stream, raw.metadata.timestamp.timestamp()
        await park(
            self._js,
            durable=self._durable,
            stream=self._stream,
            delivered=f"{self._stream}-{place}-{moment:.6f}",
            id=message.id,
            subject=message.subject,
            data=message.data,
            headers=message.headers,
            reason=reason,
        )
        await raw.term()
        self._observations.reaction(self._durable, "parked")
        log.error("%s parked %s: %s", self._durable, message.id, reason)


def _heed_cancellation() -> None:
    """Raise a cancellation that was asked for and lost: a fetch that ends in that very moment swallows it."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def _leave(subscription: JetStreamContext.PullSubscription) -> None:
    """End a subscription, if NATS can be told. Nothing is raised: it would take the place of what ended the pulling."""
    with suppress(nats.errors.Error, TimeoutError):
        async with asyncio.timeout(_LEAVE_S):
            await subscription.unsubscribe()
