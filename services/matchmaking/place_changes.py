"""Who waits for a change of place, and what wakes them: each commit on a stream that the place rests on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from libs.eventlog.streams import stream_id
from services.matchmaking.match import MATCH
from services.matchmaking.player import PLAYER


def player_stream(player_id: str) -> str:
    """The stream of a player."""
    return stream_id(PLAYER.category, player_id)


def match_stream(table_id: str) -> str:
    """The stream of a match."""
    return stream_id(MATCH.category, table_id)


class Watch:
    """One who waits. A change that comes before `wait` is not lost."""

    def __init__(self, changes: PlaceChanges) -> None:
        self._changes = changes
        self.streams: set[str] = set()
        self.changed = asyncio.Event()

    def add(self, stream: str) -> bool:
        """Watches this stream too; False if it was watched already."""
        if stream in self.streams:
            return False
        self.streams.add(stream)
        self._changes.by_stream.setdefault(stream, set()).add(self)
        return True

    async def wait(self, seconds: float) -> None:
        """Until something has changed since the last call, or for so long; returns at once while the service goes down."""
        if not self._changes.is_over:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self.changed.wait()
        self.changed.clear()


class PlaceChanges:
    """The watches of one replica."""

    def __init__(self) -> None:
        self.by_stream: dict[str, set[Watch]] = {}
        self.is_over = False

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """A watch for as long as the block lasts."""
        watch = Watch(self)
        try:
            yield watch
        finally:
            for stream in watch.streams:
                watches = self.by_stream[stream]
                watches.discard(watch)
                if not watches:
                    del self.by_stream[stream]

    def changed(self, stream: str) -> None:
        """Wakes who watches a stream; to be woken for nothing is harmless."""
        for watch in self.by_stream.get(stream, ()):
            watch.changed.set()

    def close(self) -> None:
        """Wakes everybody, and lets nobody wait any more: the service goes down."""
        self.is_over = True
        for stream in self.by_stream:
            self.changed(stream)
