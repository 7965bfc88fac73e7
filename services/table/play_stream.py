"""One caller's Play stream: many tables' commands, answers and updates, several to a message when they queue.

Everything is bounded: commands in flight (then the stream is not read on), subscriptions, and what waits to be sent
(then the stream ends as SLOW_CONSUMER, and the caller resumes from the versions it has).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

import structlog

from carteado.table.v1 import table_service_pb2 as pb
from libs.service.errors import INTERNAL, INVALID_ARGUMENT, OVERLOADED, ServiceError
from services.table.answers import failed
from services.table.errors import ERRORS
from services.table.live import Subscription
from services.table.tables import Tables
from services.table.updates import Frame

MAX_IN_FLIGHT = 1024
MAX_QUEUED = 8192
MAX_SUBSCRIPTIONS = 20_000
MAX_BATCH = 128
HEARTBEAT_S = 0.5
"""How often a stream that has nothing to say says so, with an empty message: silence means a dead replica."""

log = structlog.get_logger()


_Waiting = pb.PlayReply | tuple[int, Frame]
"""A reply, or a subscription's number and an update of it."""


class PlayStream:
    """The two directions of one stream."""

    def __init__(self, tables: Tables, caller: str) -> None:
        """`caller` is the verified name of the calling service."""
        self._tables = tables
        self._caller = caller
        self._queue: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._has_overflowed = False
        self._subscriptions: dict[int, Subscription] = {}
        self._in_flight = asyncio.Semaphore(MAX_IN_FLIGHT)
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None
        self._is_beat_due = False

    async def replies(self, requests: AsyncIterator[pb.PlayRequest]) -> AsyncIterator[pb.PlayResponse]:
        """What is sent, while `requests` are read; ends with them. Raises SLOW_CONSUMER when the caller falls behind."""
        reading = self._reading = asyncio.create_task(self._read(requests))
        reading.add_done_callback(lambda _: self._wake.set())
        beating = asyncio.create_task(self._beat())
        self._tables.open_streams.add(self.end)
        try:
            while not self._has_overflowed:
                if self._queue or self._is_beat_due:
                    self._is_beat_due = False
                    yield self._batch()
                elif reading.done() and not self._tasks:
                    if not reading.cancelled():
                        reading.result()
                    return
                else:
                    self._wake.clear()
                    await self._wake.wait()
            raise ERRORS["SLOW_CONSUMER"].error()
        finally:
            # Commands under way are left to end: they are in doubt for the caller, not for the log.
            self._tables.open_streams.discard(self.end)
            reading.cancel()
            beating.cancel()
            for subscription in tuple(self._subscriptions.values()):
                self._tables.live.detach(subscription)

    def end(self) -> None:
        """Reads no more: what is under way is answered, then the stream ends and its caller goes to another replica."""
        if self._reading is not None:
            self._reading.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self._is_beat_due = True
            self._wake.set()

    def _batch(self) -> pb.PlayResponse:
        response = pb.PlayResponse()
        items = response.items
        # An update that several get is sent once. The frame is kept too: what is freed would give its id to another.
        told: dict[int, tuple[Frame, pb.UpdateFrame]] = {}
        for _ in range(min(len(self._queue), MAX_BATCH)):
            waiting = self._queue.popleft()
            if isinstance(waiting, tuple):
                number, frame = waiting
                if (same := told.get(id(frame))) is not None:
                    same[1].also.append(number)
                    continue
                # Written where it is sent from: most of what is sent are updates, and each copy costs as much again.
                framed = items.add().update
                framed.subscription = number
                framed.update, framed.from_version, framed.to_version = frame
                told[id(frame)] = (frame, framed)
            else:
                items.append(waiting)
        return response

    def _send(self, reply: _Waiting) -> None:
        if len(self._queue) < MAX_QUEUED:
            self._queue.append(reply)
        else:
            self._has_overflowed = True
        self._wake.set()

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        async for request in requests:
            for item in request.items:
                match item.WhichOneof("item"):
                    case "attach":
                        self._attach(item.attach)
                    case "detach":
                        self._detach(item.detach.subscription)
                    case "command":
                        await self._in_flight.acquire()
                        self._start(item.command)
                    case None:
                        continue  # an item of a newer contract: nothing that this release could do

    def _start(self, command: pb.PlayCommand) -> None:
        task = asyncio.create_task(self._command(command))
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._in_flight.release()
        self._wake.set()

    async def _command(self, command: pb.PlayCommand) -> None:
        try:
            outcome = await self._tables.outcome(command.actor, command.command, self._caller)
        except Exception:
            log.exception("a command failed unexpectedly", table=command.command.table_id)
            outcome = failed(INTERNAL.error())
        self._send(pb.PlayReply(answer=pb.CommandAnswer(tag=command.tag, outcome=outcome)))

    def _attach(self, attach: pb.Attach) -> None:
        number = attach.subscription

        def deliver(frame: Frame) -> None:
            self._send((number, frame))

        def end(code: str) -> None:
            self._subscriptions.pop(number, None)
            self._send(pb.PlayReply(ended=pb.SubscriptionEnded(subscription=number, code=code)))

        if number in self._subscriptions:
            end(INVALID_ARGUMENT.code)
        elif len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            end(OVERLOADED.code)
        else:
            try:
                subscription = self._tables.subscription(
                    attach.table_id, attach.viewer, attach.last_version, self._caller, deliver, end
                )
            except ServiceError as error:
                end(error.code)
                return
            self._subscriptions[number] = subscription
            self._tables.live.attach(subscription)

    def _detach(self, number: int) -> None:
        subscription = self._subscriptions.pop(number, None)
        if subscription is not None:
            self._tables.live.detach(subscription)
