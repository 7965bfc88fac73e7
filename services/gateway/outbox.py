"""What waits for one socket's reader, bounded, so that one who reads slowly costs nobody else anything."""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec

from carteado.gateway.v1 import gateway_pb2


class Update(msgspec.Struct):
    """A serialised TableUpdate, as the table service sent it; one for all sockets that get the same."""

    table_update: bytes
    encoded: bytes | None = None
    """As a binary frame carries it, once one has."""
    transcoded: str | None = None
    """As a text frame carries it, once one has."""


class AreYouThere(msgspec.Struct, frozen=True):
    """A ping, in its turn behind what waits: who does not read it does not answer it."""


Item = Update | AreYouThere | gateway_pb2.ServerMessage


class Budget:
    """The bytes that wait in all outboxes together."""

    def __init__(self, max_bytes: int) -> None:
        """Nothing waits yet."""
        self._left = max_bytes

    def take(self, size: int) -> bool:
        """Counts bytes that begin to wait; False when they do not fit."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def give_back(self, size: int) -> None:
        """Counts bytes that wait no longer."""
        self._left += size


class Outbox:
    """A queue that never blocks who puts and never grows beyond its bounds. One reader."""

    def __init__(self, max_items: int, max_bytes: int, budget: Budget) -> None:
        """Bounds count what waits, not what is being sent; `budget` is shared by all sockets."""
        self._items: deque[tuple[Item, int]] = deque()
        self._bytes = 0
        self._max_items = max_items
        self._max_bytes = max_bytes
        self._budget = budget
        self._is_closed = False
        self._wake = asyncio.Event()

    def put(self, item: Item) -> bool:
        """Queues an item; False when it does not fit (or the outbox is closed) and is dropped."""
        size = _size(item)
        if self._is_closed or len(self._items) >= self._max_items or self._bytes + size > self._max_bytes:
            return False
        if not self._budget.take(size):
            return False
        self._items.append((item, size))
        self._bytes += size
        self._wake.set()
        return True

    def finish(self, last: Item | None, *, drop_waiting: bool) -> None:
        """Takes no more; `last` is what the client is told at the end, whatever the bounds."""
        if drop_waiting:
            self.clear()
        if last is not None:
            self._items.append((last, 0))
        self._is_closed = True
        self._wake.set()

    async def get(self) -> Item | None:
        """The next item; None once the outbox is finished and empty."""
        while not self._items:
            if self._is_closed:
                return None
            self._wake.clear()
            await self._wake.wait()
        item, size = self._items.popleft()
        self._let_go(size)
        return item

    def clear(self) -> None:
        """Drops all that waits."""
        self._items.clear()
        self._let_go(self._bytes)

    def _let_go(self, size: int) -> None:
        self._bytes -= size
        self._budget.give_back(size)


def _size(item: Item) -> int:
    if isinstance(item, Update):
        return len(item.table_update)
    return 0 if isinstance(item, AreYouThere) else item.ByteSize()
