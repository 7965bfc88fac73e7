"""What happens by itself, on time and once.

The replica that has a stream warm fires its deadline from a timer in the process; one that has very many timers keeps
none for what is far away. Any replica takes what is over a second overdue (its stream's replica has died, or nobody has a
timer for it): by one short statement, committed before the command is decided. A fired deadline is an ordinary command
whose id follows from the stream, the time and the turn, so a double or late one is harmless.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final, Generic, TypeVar

from libs.eventlog.background import end, run_in_background, run_once
from libs.eventlog.errors import AppendTimeoutError, ContentionError, LogUnavailableError, StreamBusyError
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import EventStore
from libs.eventlog.streams import parse_stream

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")

_LONGEST_SLEEP_S: Final = 1.0
_OVERDUE_S: Final = 1.0
_FAR: Final = timedelta(hours=1)

_PASSING: Final = (LogUnavailableError, AppendTimeoutError, ContentionError, StreamBusyError)
"""Why a deadline may fail to be decided without anybody's fault."""

log = logging.getLogger(__name__)


class DeadlineKeeper(Generic[State, Body, Event]):
    """Fires the deadlines of one runtime: its warm streams by a timer, everyone's overdue ones by a sweep.

    With `most_timers` it takes no more timers for what is over an hour away.
    """

    def __init__(
        self,
        runtime: Runtime[State, Body, Event],
        store: EventStore,
        *,
        now: Callable[[], datetime],
        sweep_every_s: float = 1.0,
        at_once: int = 64,
        most_timers: int = 100_000,
        observations: Observations | None = None,
    ) -> None:
        self._runtime = runtime
        self._store = store
        self._now = now
        self._sweep_every_s = sweep_every_s
        self._at_once = at_once
        self._most_timers = most_timers
        self._observations: Observations = observations or NoObservations()
        self._places = asyncio.Semaphore(at_once)
        self._heap: list[tuple[datetime, int, str]] = []
        self._due: dict[str, datetime] = {}
        self._horizon = datetime.max.replace(tzinfo=UTC)
        self._order = count()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._firing: set[asyncio.Task[None]] = set()
        runtime.watch_deadlines(self._learn)

    async def start(self) -> None:
        """Begin to fire. The runtime's liveness must have started: an outage is recorded before anything fires."""
        self._tasks = [
            run_in_background(self._run_timer(), "deadline timer"),
            run_in_background(self._run_sweep(), "deadline sweep"),
        ]

    async def stop(self) -> None:
        """Fire no more; what is being decided is finished."""
        await end(*self._tasks)
        await asyncio.gather(*self._firing, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """How many streams have a timer here."""
        return len(self._due)

    async def sweep(self) -> int:
        """Take what is overdue, no more than can be decided now, and begin to; gives how many were taken.

        Nobody waits for the slowest: one stream that cannot be decided holds up no other. Raises LogUnavailableError.
        """
        free = self._at_once - len(self._firing)
        if free <= 0:
            return 0
        claims = await self._store.claim_overdue(self._runtime.category, overdue_s=_OVERDUE_S, limit=free)
        for claim in claims:
            self._start_firing(parse_stream(claim.stream).id)
        return len(claims)

    def _learn(self, id: str, due_at: datetime | None) -> None:
        if due_at is None:
            self._due.pop(id, None)
            return
        if due_at > self._horizon and len(self._heap) >= self._most_timers:
            # A year's end is the deadline of every player: it would be kept for each that was ever seen here.
            self._due.pop(id, None)
            return
        if self._due.get(id) == due_at:
            return
        self._due[id] = due_at
        heapq.heappush(self._heap, (due_at, next(self._order), id))
        if self._heap[0][2] == id:
            self._wake.set()

    async def _run_timer(self) -> None:
        while True:
            self._wake.clear()
            now = self._now()
            self._horizon = now + _FAR
            while self._heap and self._heap[0][0] <= now:
                due_at, _, id_ = heapq.heappop(self._heap)
                if self._due.get(id_) == due_at:
                    del self._due[id_]
                    self._start_firing(id_)
            wait_s = _LONGEST_SLEEP_S
            if self._heap:
                # The clock may be corrected meanwhile: never sleep long on one reading of it.
                wait_s = min(wait_s, (self._heap[0][0] - now).total_seconds())
            try:
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _run_sweep(self) -> None:
        while True:
            try:
                taken = await self.sweep()
            except LogUnavailableError as error:
                log.warning("overdue deadlines could not be taken: %s", error)
                taken = 0
            if taken and len(self._firing) >= self._at_once:
                # There may be more: go on as soon as one of these is decided.
                await asyncio.wait(self._firing, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(self._sweep_every_s * random.uniform(0.8, 1.0))  # noqa: S311 - jitter

    def _start_firing(self, id: str) -> None:
        task = run_once(self._fire(id), f"deadline of {id}")
        self._firing.add(task)
        task.add_done_callback(self._firing.discard)

    async def _fire(self, id: str) -> None:
        async with self._places:
            try:
                await self._runtime.fire_due(id)
            except Exception as error:  # a bug in one stream must not stop the clocks of all others
                # The row stays overdue in the log: some replica's sweep takes it again, later each time.
                is_bug = not isinstance(error, _PASSING)
                log.log(
                    logging.ERROR if is_bug else logging.WARNING,
                    "the deadline of %s %s was not decided: %r",
                    self._runtime.category,
                    id,
                    error,
                    exc_info=error if is_bug else None,
                )
                self._observations.deadline_failed(self._runtime.category)
