"""The projector: keeps a projection up with the log, partition by partition, in bounded pages.

Every page is one transaction with its checkpoint (fault B095), so a crash anywhere costs a repetition and never a row.
Replicas need no leader: each looks for what is behind, and a partition that another one is at is left alone.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Sequence
from typing import Final, Generic, TypeVar

import msgspec
import psycopg

from libs.eventlog.background import run_in_background
from libs.eventlog.connections import Connection, connect, statement_deadline
from libs.eventlog.errors import LogCorruptError, UnknownEventError
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.projection import Projection
from libs.eventlog.projection_build import apply_page, lag, make_live
from libs.eventlog.store import AppendCommand

Event = TypeVar("Event")

log = logging.getLogger(__name__)

_LONGEST_PAUSE_S: Final = 30.0
_END_IF_FROZEN: Final = "SELECT set_config('idle_in_transaction_session_timeout', %s, false)"


class ProjectorLimits(msgspec.Struct, frozen=True):
    """Bounds: events of a transaction, seconds that it may take, seconds between looks, and least seconds between them.

    `gather_s` keeps a busy log from waking the projector at each commit.
    """

    page: int = 500
    page_s: float = 10.0
    poll_s: float = 1.0
    gather_s: float = 0.1


class Projector(Generic[Event]):
    """Keeps one projection up, in the background of a service."""

    def __init__(
        self,
        conninfo: str,
        projection: Projection[Event],
        *,
        limits: ProjectorLimits = ProjectorLimits(),  # noqa: B008 - a frozen value
        observations: Observations | None = None,
    ) -> None:
        self._conninfo = conninfo
        self._projection = projection
        self._limits = limits
        self._observations: Observations = observations or NoObservations()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._paused_until: dict[int, float] = {}
        self._failures: dict[int, int] = {}

    async def start(self) -> None:
        """See to it that the tables are there, and begin to fill them in the background.

        Raises ProjectionChangedError, and psycopg.Error when the database cannot be reached or the tables not be made.
        """
        connection = await self._connect()
        try:
            async with statement_deadline(connection, self._limits.page_s):
                await make_live(connection, self._projection)
        finally:
            await connection.close()
        self._task = run_in_background(self._run(), f"projector of {self._projection.name}")

    async def stop(self) -> None:
        """Stop; a page that was under way leaves nothing."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def wake(self) -> None:
        """Look now, not at the next poll."""
        self._wake.set()

    def on_appended(self, _commands: Sequence[AppendCommand]) -> None:
        """Wake: something was appended (for `Appender.on_appended`)."""
        self._wake.set()

    async def _connect(self) -> Connection:
        return await connect(
            self._conninfo,
            f"carteado projector {self._projection.name}",
            statement_timeout_s=self._limits.page_s,
        )

    async def _run(self) -> None:
        delay_s = 0.1
        while True:
            try:
                connection = await self._connect()
                try:
                    delay_s = 0.1
                    # A process that stands still in a page would keep its partition from all the others.
                    await connection.execute(_END_IF_FROZEN, (f"{int(self._limits.page_s * 1000)}ms",))
                    await self._follow(connection)
                finally:
                    await connection.close()
            except psycopg.Error as error:
                log.warning("the projector of %s lost the log: %s", self._projection.name, error)
                await asyncio.sleep(delay_s * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
                delay_s = min(delay_s * 2, 2.0)

    async def _follow(self, connection: Connection) -> None:
        while True:
            self._wake.clear()
            while await self._pass(connection):
                pass
            await asyncio.sleep(self._limits.gather_s)
            try:
                async with asyncio.timeout(self._limits.poll_s * random.uniform(0.8, 1.0)):  # noqa: S311 - jitter
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _pass(self, connection: Connection) -> bool:
        """Apply a page of each partition that is behind; gives whether there is more to do at once."""
        async with statement_deadline(connection, self._limits.page_s):
            behind = await lag(connection, self._projection.schema)
        self._observations.projection_lag(
            self._projection.name,
            sum(one.events for one in behind),
            max((one.age_s for one in behind), default=0.0),
        )
        now = time.monotonic()
        is_more = False
        for one in behind:
            if self._paused_until.get(one.partition, 0.0) <= now:
                is_more |= await self._apply(connection, one.partition)
        return is_more

    async def _apply(self, connection: Connection, partition: int) -> bool:
        """Apply one page of a partition; gives whether it was full.

        What came after a page that was not waits for the next look: on a busy log every look would find an event or
        two, each for a transaction of its own.
        """
        began_at = time.monotonic()
        projection = self._projection
        try:
            async with statement_deadline(connection, self._limits.page_s), connection.transaction():
                page = await apply_page(
                    connection, projection, projection.schema, partition, limit=self._limits.page
                )
        except (UnknownEventError, LogCorruptError, psycopg.Error) as error:
            if connection.closed or connection.broken:
                raise
            self._pause(partition, error)
            return False
        self._failures.pop(partition, None)
        if page is None or not page.events:
            return False
        self._observations.projected(projection.name, page.events, time.monotonic() - began_at)
        return page.events >= self._limits.page

    def _pause(self, partition: int, error: Exception) -> None:
        """The partition stands still, loudly, and is tried again: nothing is ever skipped."""
        failures = self._failures[partition] = self._failures.get(partition, 0) + 1
        pause_s = min(0.5 * 2 ** min(failures, 10), _LONGEST_PAUSE_S) * random.uniform(0.5, 1.0)  # noqa: S311 - jitter
        self._paused_until[partition] = time.monotonic() + pause_s
        self._observations.projection_failed(self._projection.name, partition)
        log.error(
            "the projection %s stands still in partition %d: %s", self._projection.name, partition, error
        )
