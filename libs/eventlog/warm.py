"""The streams that a replica keeps warm: their states, and whose turn it is to change them.

One command per stream is in flight at a time; the others wait in a queue of bounded length. States are a cache of the
log and nothing more: any of them may be forgotten at any time.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine
from datetime import datetime
from typing import Any, Generic, TypeVar

from libs.eventlog.background import run_once
from libs.eventlog.errors import StreamBusyError

State = TypeVar("State")


class WarmStream(Generic[State]):
    """One stream: its state at a version, if it is known, and the lock that orders its commands.

    `told_version` is how far the listener has been told of it, None when the listener has not been told anything.
    """

    __slots__ = (
        "generation",
        "id",
        "known",
        "last_recorded_at",
        "lock",
        "outages_until",
        "stream",
        "told_version",
        "version",
        "waiting",
    )

    def __init__(self, stream: str, id: str) -> None:
        self.stream = stream
        self.id = id
        self.known: tuple[State] | None = None
        self.version = 0
        self.last_recorded_at: datetime | None = None
        self.outages_until: datetime | None = None
        self.told_version: int | None = None
        self.generation = -1
        self.lock = asyncio.Lock()
        self.waiting = 0

    def set(self, state: State, version: int, last_recorded_at: datetime | None) -> None:
        """Keep a state that is known to stand in the log, and that the listener is about to have been told of."""
        self.known = (state,)
        self.version = self.told_version = version
        self.last_recorded_at = last_recorded_at

    def forget(self) -> None:
        """Drop the state; the next command reads the log. What the listener was told stays known."""
        self.known = None
        self.version = 0
        self.last_recorded_at = None
        self.outages_until = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody holds or awaits its turn."""
        return not self.waiting and not self.lock.locked()


class Turn(Generic[State]):
    """The right to change one stream, until it is released or handed to a task that outlives its caller."""

    __slots__ = ("_held", "warm")

    def __init__(self, warm: WarmStream[State]) -> None:
        self.warm = warm
        self._held = True

    def release(self) -> None:
        """Let the next command in; does nothing when the turn was released or handed over."""
        if self._held:
            self._held = False
            self.warm.lock.release()

    def hand_over(self) -> Turn[State]:
        """The same turn for another holder; releasing this one does nothing from now on."""
        self._held = False
        return Turn(self.warm)


class WarmStreams(Generic[State]):
    """The warm streams of a replica, at most `size` of them: the least recently used idle one goes first."""

    def __init__(self, *, size: int, max_waiting: int) -> None:
        self._streams: OrderedDict[str, WarmStream[State]] = OrderedDict()
        self._size = size
        self._max_waiting = max_waiting
        self._background: set[asyncio.Task[None]] = set()

    def get(self, id: str) -> WarmStream[State] | None:
        """The stream if it is here, whether its state is known or not."""
        return self._streams.get(id)

    async def take_turn(self, stream: str, id: str) -> Turn[State]:
        """Wait for the turn of a stream. Raises StreamBusyError when too many wait already."""
        warm = self._streams.get(id)
        if warm is None:
            self._make_room()
            warm = self._streams[id] = WarmStream(stream, id)
        else:
            self._streams.move_to_end(id)
        if warm.waiting >= self._max_waiting:
            raise StreamBusyError(f"{warm.waiting} commands wait for {stream}")
        warm.waiting += 1
        try:
            await warm.lock.acquire()
        finally:
            warm.waiting -= 1
        return Turn(warm)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Finish work whose caller has gone; kept until it is done."""
        task = run_once(work, "a command whose caller has gone")
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def close(self) -> None:
        """Wait for the work whose callers have gone."""
        await asyncio.gather(*self._background, return_exceptions=True)

    def _make_room(self) -> None:
        if len(self._streams) < self._size:
            return
        for id_, warm in self._streams.items():
            if warm.is_idle:
                del self._streams[id_]
                return
