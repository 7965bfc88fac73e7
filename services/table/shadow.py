"""The shadow worker: replays finished matches all day, at low priority, and says where a replay differs from the log.

New matches come first; when there are none it goes over all of them again, once a day, so that a release that
understands an old match differently is noticed too. It shares its process with the players, so it works in slices of
about two milliseconds and rests in between: a small share of one core, whatever there is to do.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import psycopg
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge

from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.store import EventStore, StoredEvent
from libs.eventlog.streams import PARTITIONS, parse_stream
from services.table.shadow_match import KINDS, Compared, replay_match
from services.table.shadow_progress import PASSES, Finished, Pass, Progress

IDLE_S = 10.0
"""How long it waits when there is nothing to replay, and when the log is out of reach."""

AGAIN_EVERY = timedelta(days=1)
BATCH = 16
"""Matches of one partition before the next partition has its turn."""

BUSY_S = 0.005
"""A rest that ends so much too late was one among players who wait."""

BUSY_SHARE = 0.25
"""Of one core: a process that works more than this while the worker rests, works for players."""

PATIENCE = 10
"""Rests in a row; then a slice of work is done in any case."""

_PAGE = 1_000

log = structlog.get_logger()


class ShadowMetrics:
    """What the worker has compared and found."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.matches = Counter(
            "carteado_shadow_matches",
            "Finished matches replayed; `again` are those that were replayed before",
            ["pass"],
            registry=registry,
        )
        self.hashes = Counter(
            "carteado_shadow_hashes", "State hashes compared with those of the log", registry=registry
        )
        self.divergences = Counter(
            "carteado_shadow_divergences",
            "Differences between a replay and the log; anything but 0 needs a look",
            ["kind"],
            registry=registry,
        )
        self.behind_s = Gauge(
            "carteado_shadow_behind_seconds",
            "Age of the oldest finished match that was not replayed yet",
            registry=registry,
        )
        for kind in KINDS:
            self.divergences.labels(kind)
        for which in PASSES:
            self.matches.labels(which)


class Pace:
    """Keeps work to a share of one core: after each slice it rests so long that the work was that share of the time.

    A rest that lasts longer than was asked, or in which the process works a lot, says that others want the core: then it
    rests again, a bounded number of times.
    """

    def __init__(
        self,
        share: float = 0.05,
        slice_s: float = 0.002,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        cpu: Callable[[], float] = time.process_time,
    ) -> None:
        """`share` is above 0 and at most 1; `cpu` gives the seconds that the whole process has worked."""
        self._rest_per_work = 1 / share - 1
        self._slice_s = slice_s
        self._clock = clock
        self._sleep = sleep
        self._cpu = cpu
        self._since = clock()

    def begin(self) -> None:
        """Work begins: what was waited for until now does not count."""
        self._since = self._clock()

    async def rest(self) -> None:
        """Rests, if a slice of work is done."""
        worked_s = self._clock() - self._since
        if worked_s < self._slice_s:
            return
        rest_s = worked_s * self._rest_per_work
        for _ in range(PATIENCE):
            began_at, cpu_s = self._clock(), self._cpu()
            await self._sleep(rest_s)
            self._since = self._clock()
            is_late = self._since - began_at - rest_s >= BUSY_S
            if not is_late and self._cpu() - cpu_s <= BUSY_SHARE * rest_s:
                return


class Shadow:
    """Replays the finished matches of one log."""

    def __init__(
        self, conninfo: str, store: EventStore, metrics: ShadowMetrics, *, pace: Pace | None = None
    ) -> None:
        """`store` reads the log at `conninfo`; its own, so that players do not wait for its connections."""
        self._conninfo = conninfo
        self._store = store
        self._metrics = metrics
        self._pace = pace or Pace()

    async def run(self) -> None:
        """Replays until it is cancelled; begins again after every trouble of the log."""
        while True:
            try:
                async with Progress.open(self._conninfo) as progress:
                    while True:
                        replayed = await self.round(progress)
                        if not replayed:
                            await asyncio.sleep(IDLE_S)
            except (LogUnavailableError, psycopg.OperationalError) as error:
                log.warning("the shadow worker waits for the log", why=type(error).__name__)
                await asyncio.sleep(IDLE_S)

    async def round(self, progress: Progress, again_every: timedelta = AGAIN_EVERY) -> int:
        """Replays what there is, a batch a partition: new matches, or where there are none old ones; gives how many.

        Raises LogUnavailableError and psycopg.OperationalError.
        """
        partitions = random.sample(range(PARTITIONS), PARTITIONS)  # Replicas begin apart.
        replayed = sum([await self._batch(progress, partition, "fresh") for partition in partitions])
        self._metrics.behind_s.set(await progress.behind_s())
        if replayed:
            return replayed
        return sum([await self._batch(progress, partition, "again", again_every) for partition in partitions])

    async def _batch(
        self, progress: Progress, partition: int, which: Pass, again_every: timedelta = AGAIN_EVERY
    ) -> int:
        async with progress.held(partition) as is_ours:
            if not is_ours:
                return 0
            finished = await progress.next(partition, which, BATCH)
            if which == "again" and not finished:
                await progress.begin_anew(partition, again_every)
                finished = await progress.next(partition, which, BATCH)
            for match in finished:
                await self._replay(match)
                self._metrics.matches.labels(which).inc()
                await progress.advance(partition, which, match.position)
            return len(finished)

    async def _replay(self, match: Finished) -> None:
        # Most of what reading takes is work too: rows become values.
        self._pace.begin()
        stored = await self._read(match.stream)
        await self._pace.rest()
        for compared in replay_match(stored):
            self._tell(match.stream, compared)
            await self._pace.rest()

    def _tell(self, stream: str, compared: Compared) -> None:
        self._metrics.hashes.inc(compared.hashes)
        for divergence in compared.divergences:
            self._metrics.divergences.labels(divergence.kind).inc()
            log.error(
                "a replayed match differs from its log",
                table=parse_stream(stream).id,
                version=divergence.version,
                kind=divergence.kind,
                type=divergence.event,
            )

    async def _read(self, stream: str) -> Sequence[StoredEvent]:
        stored: list[StoredEvent] = []
        while page := await self._store.read(stream, stored[-1].version if stored else 0, None, _PAGE):
            stored.extend(page)
        return stored
