"""Bare hints between replicas, over core NATS: "table T is at version V".

A replica that has viewers of T but did not make the move reads the tail from the log and serves them; one that relays
T's partition looks for messages to publish. A hint holds no card and may be lost: the next one, or the slow look at the
heads of watched tables, makes it good.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from carteado.table.v1 import events_pb2
from libs.eventlog.errors import LogUnavailableError

SUBJECT: Final = "carteado.table-hint.v1"
SLOW_LOOK_S: Final = 2.0
GATHER_S: Final = 0.005
"""After a message the next one waits so long: under load it tells of several commits."""
MAX_WAITING: Final = 10_000
MAX_IN_MESSAGE: Final = 500

log = structlog.get_logger()

Heads = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]


class Hints:
    """Tells the other replicas of this one's commits, and this one of theirs."""

    def __init__(
        self,
        client: Client,
        heads: Heads,
        watched: Callable[[], Iterable[str]],
        hinted: Callable[[str, int], None],
        heard: Callable[[], None],
    ) -> None:
        """`heads` gives the versions of tables in the log, `watched` the tables with viewers here.

        `hinted(table_id, version)` is told of what may be news, `heard` that another replica has committed.
        """
        self._replica = str(uuid.uuid4())
        self._heard = heard
        self._client = client
        self._heads = heads
        self._watched = watched
        self._hinted = hinted
        self._waiting: dict[str, int] = {}
        self._wake = asyncio.Event()

    def committed(self, table_id: str, version: int) -> None:
        """This replica has made a commit: the others are told soon, several at once when there are many."""
        if table_id in self._waiting or len(self._waiting) < MAX_WAITING:
            self._waiting[table_id] = version
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
        told = events_pb2.TableHints.FromString(message.data)
        if told.replica == self._replica:
            return
        self._heard()
        for hint in told.hints:
            self._hinted(hint.table_id, hint.version)

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            taken = dict(list(self._waiting.items())[:MAX_IN_MESSAGE])
            for table_id in taken:
                del self._waiting[table_id]
            if not self._waiting:
                self._wake.clear()
            hints = [
                events_pb2.TableHint(table_id=table_id, version=version)
                for table_id, version in taken.items()
            ]
            told = events_pb2.TableHints(hints=hints, replica=self._replica)
            try:
                await self._client.publish(SUBJECT, told.SerializeToString())
            except (nats.errors.Error, OSError) as error:
                # A lost hint is made good by the slow look.
                log.debug("hints lost", hints=len(hints), why=repr(error))
            await asyncio.sleep(GATHER_S)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(SLOW_LOOK_S * random.uniform(0.8, 1.2))  # noqa: S311 -- jitter
            watched = list(self._watched())
            if not watched:
                continue
            try:
                heads = await self._heads(watched)
            except LogUnavailableError as error:
                log.warning("the heads of watched tables are not known", why=str(error))
                continue
            for table_id, version in heads.items():
                self._hinted(table_id, version)
