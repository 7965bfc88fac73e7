"""One long-lived `Play` stream to one table replica: many sockets' subscriptions and commands over it.

It outlives the stream: when that is lost it opens another, attaches each subscription again from the version that its
client has, and sends every unanswered command again under the same command id, so that clients notice nothing but a
pause. It reads no update; it forwards the bytes.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

import grpc
import structlog

from carteado.table.v1 import table_service_pb2 as pb
from services.gateway.limits import Limits
from services.gateway.outbox import Update

PlayStream: TypeAlias = "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"


class Follower(Protocol):
    """Who follows a table. Called from the stream's reader, so neither method may wait."""

    def on_update(self, update: Update) -> None:
        """Takes an update, the same one as everybody else who is told the same."""

    def on_ended(self, subscription: Subscription, code: str) -> None:
        """There are no more updates; `code` is one of the table service's."""


class Subscription:
    """One socket's interest in one table, whichever stream carries it now."""

    __slots__ = ("carrier", "follower", "last_version", "number", "table_id", "viewer")

    def __init__(
        self, number: int, table_id: str, viewer: pb.Viewer, last_version: int, follower: Follower
    ) -> None:
        """`number` is unique in this process, `last_version` is what the client has."""
        self.number = number
        self.table_id = table_id
        self.viewer = viewer
        self.last_version = last_version
        self.follower = follower
        self.carrier: PlayLink | None = None


class PendingCommand:
    """A command whose outcome is not known yet, whichever stream carries it now."""

    __slots__ = ("actor", "carrier", "command", "outcome", "sent_at_s", "tag")

    def __init__(self, tag: int, actor: pb.Viewer, command: pb.TableCommand, now_s: float) -> None:
        """`tag` is unique in this process; `now_s` is the loop's time."""
        self.tag = tag
        self.actor = actor
        self.command = command
        self.sent_at_s = now_s
        self.outcome: asyncio.Future[pb.CommandOutcome] = asyncio.get_running_loop().create_future()
        self.carrier: PlayLink | None = None


class PlayLink:
    """The way to one replica. `run` must be running; everything else returns at once."""

    def __init__(
        self,
        address: str,
        open_stream: Callable[[], PlayStream],
        limits: Limits,
        on_change: Callable[[], None],
    ) -> None:
        """`open_stream` begins a new call; `on_change` is told when the stream comes up or is lost."""
        self.address = address
        self.is_up = False
        self._open_stream = open_stream
        self._limits = limits
        self._on_change = on_change
        self._subscriptions: dict[int, Subscription] = {}
        self._commands: dict[int, PendingCommand] = {}
        self._queue: deque[pb.PlayItem] = deque()
        self._wake = asyncio.Event()
        self._reset = asyncio.Event()
        self._received_at_s = 0.0
        self._random = random.SystemRandom()
        self._log = structlog.get_logger("play_link").bind(replica=address)

    def follow(self, subscription: Subscription) -> None:
        """Attaches the subscription now, or as soon as there is a stream."""
        self._subscriptions[subscription.number] = subscription
        subscription.carrier = self
        self._enqueue(_attach(subscription))

    def unfollow(self, subscription: Subscription) -> None:
        """Detaches the subscription; nothing more comes of it."""
        if self._subscriptions.pop(subscription.number, None) is not None:
            self._enqueue(pb.PlayItem(detach=pb.Detach(subscription=subscription.number)))

    def send(self, command: PendingCommand) -> None:
        """Sends the command now, or as soon as there is a stream."""
        self._commands[command.tag] = command
        command.carrier = self
        self._enqueue(_play(command))

    def forget(self, command: PendingCommand) -> None:
        """Nobody waits for this command any more; it is not sent again."""
        self._commands.pop(command.tag, None)

    def surrender(self) -> tuple[list[Subscription], list[PendingCommand]]:
        """Gives up all it carries, for another replica to take. Only while it is down."""
        subscriptions, commands = list(self._subscriptions.values()), list(self._commands.values())
        self._subscriptions.clear()
        self._commands.clear()
        return subscriptions, commands

    def suspect(self, silent_since_s: float) -> None:
        """An answer is overdue: a stream that has brought nothing since then is dead, and is opened anew."""
        if self.is_up and self._received_at_s < silent_since_s:
            self._log.warning("silent stream dropped")
            self._reset.set()

    async def run(self) -> None:
        """Keeps a stream open until cancelled."""
        pause_s = self._limits.reconnect_first_s
        while True:
            received_before_s = self._received_at_s
            try:
                await self._serve(self._open_stream())
            except grpc.aio.AioRpcError as error:
                self._log.warning("stream lost", status=error.code().name, details=error.details())
            if self._received_at_s > received_before_s:
                pause_s = self._limits.reconnect_first_s
            await asyncio.sleep(pause_s * self._random.uniform(0.5, 1.0))
            pause_s = min(pause_s * 2, self._limits.reconnect_most_s)

    async def _serve(self, stream: PlayStream) -> None:
        try:
            await stream.wait_for_connection()
            resumed, repeated = self._begin()
            tasks = {
                asyncio.create_task(self._read(stream)),
                asyncio.create_task(self._write(stream, resumed, repeated)),
                asyncio.create_task(self._reset.wait()),
                asyncio.create_task(self._watch()),
            }
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            for task in done:
                task.result()
        finally:
            stream.cancel()
            if self.is_up:
                self.is_up = False
                self._queue.clear()
                self._on_change()

    async def _watch(self) -> None:
        """Returns when the stream has been silent for longer than a live replica is: it says something twice a second."""
        loop = asyncio.get_running_loop()
        opened_at_s = loop.time()
        while True:
            silent_s = loop.time() - max(opened_at_s, self._received_at_s)
            if silent_s >= self._limits.link_silence_s:
                self._log.warning("silent stream dropped")
                return
            await asyncio.sleep(self._limits.link_silence_s - silent_s)

    def _begin(self) -> tuple[list[int], list[int]]:
        resumed, repeated = list(self._subscriptions), list(self._commands)
        self._queue.clear()
        self._reset.clear()
        self.is_up = True
        self._log.info("stream open", subscriptions=len(resumed), commands=len(repeated))
        self._on_change()
        return resumed, repeated

    async def _write(self, stream: PlayStream, resumed: list[int], repeated: list[int]) -> None:
        try:
            await self._write_on(stream, resumed, repeated)
        except asyncio.InvalidStateError:
            return  # The call is over; the reader learns why.

    async def _write_on(self, stream: PlayStream, resumed: list[int], repeated: list[int]) -> None:
        for batch in _batches(self._resume(resumed, repeated), self._limits.link_batch_items):
            await stream.write(pb.PlayRequest(items=batch))
        while True:
            while self._queue:
                count = min(len(self._queue), self._limits.link_batch_items)
                items = [self._queue.popleft() for _ in range(count)]
                await stream.write(pb.PlayRequest(items=items))
            self._wake.clear()
            await self._wake.wait()

    def _resume(self, numbers: Iterable[int], tags: Iterable[int]) -> Iterator[pb.PlayItem]:
        for number in numbers:
            if (subscription := self._subscriptions.get(number)) is not None:
                yield _attach(subscription)
        for tag in tags:
            if (command := self._commands.get(tag)) is not None:
                yield _play(command)

    async def _read(self, stream: PlayStream) -> None:
        loop = asyncio.get_running_loop()
        while True:
            response = await stream.read()
            if not isinstance(response, pb.PlayResponse):
                self._log.info("stream ended by the replica")
                return
            self._received_at_s = loop.time()
            for reply in response.items:
                self._take(reply)

    def _take(self, reply: pb.PlayReply) -> None:
        kind = reply.WhichOneof("reply")
        if kind == "update":
            self._tell(reply.update)
        elif kind == "answer":
            command = self._commands.pop(reply.answer.tag, None)
            if command is not None and not command.outcome.done():
                command.outcome.set_result(reply.answer.outcome)
        elif kind == "ended":
            subscription = self._subscriptions.pop(reply.ended.subscription, None)
            if subscription is not None:
                subscription.follower.on_ended(subscription, reply.ended.code)

    def _tell(self, frame: pb.UpdateFrame) -> None:
        update, to_version = Update(frame.update), frame.to_version
        for number in (frame.subscription, *frame.also):
            subscription = self._subscriptions.get(number)
            if subscription is not None:
                subscription.last_version = to_version
                subscription.follower.on_update(update)

    def _enqueue(self, item: pb.PlayItem) -> None:
        if not self.is_up:
            return  # The next stream begins with everything that is carried then.
        if len(self._queue) >= self._limits.link_queue_items:
            self._log.warning("queue full, stream dropped")
            self._reset.set()
            return
        self._queue.append(item)
        self._wake.set()


def _attach(subscription: Subscription) -> pb.PlayItem:
    return pb.PlayItem(
        attach=pb.Attach(
            subscription=subscription.number,
            table_id=subscription.table_id,
            viewer=subscription.viewer,
            last_version=subscription.last_version,
        )
    )


def _play(command: PendingCommand) -> pb.PlayItem:
    return pb.PlayItem(command=pb.PlayCommand(tag=command.tag, actor=command.actor, command=command.command))


def _batches(items: Iterator[pb.PlayItem], size: int) -> Iterator[list[pb.PlayItem]]:
    while batch := list(itertools.islice(items, size)):
        yield batch
