"""Bare hints between replicas, over core NATS: these players and matches have moved on.

A replica at which somebody waits for such a change looks again. A hint may be lost: the slow look at the heads of watched
streams makes it good.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from carteado.matchmaking.v1 import hints_pb2
from libs.eventlog.errors import LogUnavailableError
from services.matchmaking.place_changes import PlaceChanges

SUBJECT: Final = "carteado.matchmaking-hint.v1"
SLOW_LOOK_S: Final = 2.0
MOST_WAITING: Final = 10_000
MOST_IN_MESSAGE: Final = 500

Heads = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]

log = structlog.get_logger()


class Hints:
    """Tells the other replicas of this one's commits, and this one's watches of theirs."""

    def __init__(
        self, client: Client, heads: Heads, changes: PlaceChanges, *, slow_look_s: float = SLOW_LOOK_S
    ) -> None:
        """`heads` gives the versions of streams in the log."""
        self._replica = str(uuid.uuid4())
        self._client = client
        self._heads = heads
        self._changes = changes
        self._slow_look_s = slow_look_s
        self._waiting: dict[str, None] = {}
        self._wake = asyncio.Event()

    def committed(self, stream: str) -> None:
        """This replica has made a commit, or found one: who watches here is woken, the others are told soon."""
        self._changes.changed(stream)
        if len(self._waiting) < MOST_WAITING:
            self._waiting[stream] = None
            self._wake.set()

    async def run(self) -> None:
        """Sends, receives and looks, until cancelled."""
        subscription = await self._client.subscribe(SUBJECT, cb=self._received)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._send())
                group.create_task(self._look())
        finally:
            if self._client.is_connected:
                await subscription.unsubscribe()

    async def _received(self, message: Msg) -> None:
        told = hints_pb2.PlaceHints.FromString(message.data)
        if told.replica != self._replica:
            for stream in told.streams:
                self._changes.changed(stream)

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            streams = list(self._waiting)[:MOST_IN_MESSAGE]
            for stream in streams:
                del self._waiting[stream]
            if not self._waiting:
                self._wake.clear()
            hints = hints_pb2.PlaceHints(streams=streams, replica=self._replica)
            try:
                await self._client.publish(SUBJECT, hints.SerializeToString())
            except (nats.errors.Error, OSError) as error:
                # A lost hint is made good by the slow look.
                log.debug("hints lost", hints=len(streams), why=repr(error))

    async def _look(self) -> None:
        known: Mapping[str, int] = {}
        while True:
            await asyncio.sleep(self._slow_look_s * random.uniform(0.8, 1.2))  # noqa: S311 - jitter
            watched = list(self._changes.by_stream)
            if not watched:
                known = {}
                continue
            try:
                heads = await self._heads(watched)
            except LogUnavailableError as error:
                log.warning("the heads of watched streams are not known", why=str(error))
                continue
            for stream, version in heads.items():
                # One that was not looked at before may have moved on since its watch began.
                if known.get(stream) != version:
                    self._changes.changed(stream)
            known = heads
