"""What waits for one socket's reader, bounded, so that one who reads slowly costs nobody else anything."""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec

from carteado.gateway.v1 import gateway_pb2


class Update(msgspec.Struct, frozen=True):
    """A serialised TableUpdate, as the table service sent it."""

    table_update: bytes


Item = Update | gateway_pb2.ServerMessage


class Outbox:
    """A queue that never blocks who puts and never grows beyond its bounds. One reader."""

    def __init__(self, max_items: int, max_bytes: int) -> None:
        """Bounds count what waits, not what is being sent."""
        self._items: deque[tuple[Item, int]] = deque()
        self._bytes = 0
        self._max_items = max_items
        self._max_bytes = max_bytes
        self._is_closed = False
        self._wake = asyncio.Event()

    def put(self, item: Item) -> bool:
        """Queues an item; False when it does not fit (or the outbox is closed) and is dropped."""
        size = len(item.table_update) if isinstance(item, Update) else item.ByteSize()
        if self._is_closed or len(self._items) >= self._max_items or self._bytes + size > self._max_bytes:
            return False
        self._items.append((item, size))
        self._bytes += size
        self._wake.set()
        return True

    def finish(self, last: Item | None, *, drop_waiting: bool) -> None:
        """Takes no more; `last` is what the client is told at the end, whatever the bounds."""
        if drop_waiting:
            self._items.clear()
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
        self._bytes -= size
        return item
