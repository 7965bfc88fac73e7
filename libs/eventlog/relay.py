"""The relay: public messages from the log to JetStream, in log order, with no state of its own.

The log is the outbox: an event's public bytes stand on its row, so what is committed is published sooner or later and
what is not committed never is. One pump per partition, under a session advisory lock. A crash between publishing and
storing the checkpoint publishes again; JetStream drops it by its message id, and consumers by the log's idempotency.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

import msgspec
import nats.errors
import psycopg
from nats.js import JetStreamContext

from libs.eventlog.background import end, run_in_background
from libs.eventlog.connections import Connection, connect, statement_deadline
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.store import AppendCommand
from libs.eventlog.streams import PARTITIONS

LOCK_SPACE: Final = 0x72656C61  # the first key of the advisory locks; the second is the partition
_STATEMENT_S: Final = 5.0

MESSAGE_ID: Final = "Nats-Msg-Id"
EVENT_ID: Final = "ce-id"
PREVIOUS: Final = "Carteado-Previous"
"""The header with the position of the partition's public message before this one, 0 for the first."""

_END_IF_FROZEN: Final = "SELECT set_config('idle_session_timeout', %s, false)"
_TAKE: Final = "SELECT p FROM unnest(%s::smallint[]) AS p WHERE pg_try_advisory_lock(%s, p::integer)"
_PENDING: Final = """
    SELECT r.partition, r.position, e.position, e.previous, e.public_subject, e.public_data, e.recorded_at, e.trace
    FROM relay_positions r
    CROSS JOIN LATERAL (
        SELECT p.position, p.public_subject, p.public_data, p.recorded_at, coalesce(p.trace, '') AS trace,
               coalesce(lag(p.position) OVER (ORDER BY p.position), (
                   SELECT b.position FROM events b
                   WHERE b.partition = r.partition AND b.position <= r.position AND b.public_subject IS NOT NULL
                   ORDER BY b.position DESC LIMIT 1
               ), 0) AS previous
        FROM (
            SELECT n.* FROM events n
            WHERE n.partition = r.partition AND n.position > r.position AND n.public_subject IS NOT NULL
            ORDER BY n.position LIMIT %s
        ) AS p
    ) AS e
    WHERE r.partition = ANY (%s)
    ORDER BY r.partition, e.position
"""
_ADVANCE: Final = """
    UPDATE relay_positions r SET position = n.position, updated_at = now()
    FROM unnest(%s::smallint[], %s::bigint[], %s::bigint[]) AS n (partition, before, position)
    WHERE r.partition = n.partition AND r.position = n.before
"""
_BACKLOG: Final = """
    SELECT r.partition, b.messages, coalesce(extract(epoch FROM clock_timestamp() - b.oldest), 0)::float8
    FROM relay_positions r
    CROSS JOIN LATERAL (
        SELECT count(*) AS messages, min(p.recorded_at) AS oldest
        FROM (
            SELECT e.recorded_at FROM events e
            WHERE e.partition = r.partition AND e.position > r.position AND e.public_subject IS NOT NULL
            ORDER BY e.position LIMIT 10000
        ) AS p
    ) AS b
    WHERE r.partition = ANY (%s)
"""
log = logging.getLogger(__name__)


class _Message(msgspec.Struct, frozen=True):
    partition: int
    checkpoint: int
    position: int
    previous: int
    subject: str
    data: bytes
    recorded_at: datetime
    trace: str


class RelayLimits(msgspec.Struct, frozen=True):
    """Bounds: messages of a partition between two checkpoints, tries and seconds to publish one, seconds between looks.

    A replica whose process stands still (a paused machine) keeps its partitions for `frozen_s`, then Postgres ends its
    session and others take them. A page is cut short after a third of that, so that a slow NATS is not taken for it.
    """

    page: int = 128
    attempts: int = 4
    publish_s: float = 5.0
    poll_s: float = 1.0
    pause_most_s: float = 10.0
    frozen_s: float = 90.0


class Relay:
    """The pumps of one replica. `service` is the second word of its subjects and the first part of its message ids."""

    def __init__(
        self,
        conninfo: str,
        js: JetStreamContext,
        service: str,
        *,
        limits: RelayLimits = RelayLimits(),  # noqa: B008 - a frozen value
        observations: Observations | None = None,
    ) -> None:
        self._conninfo = conninfo
        self._js = js
        self._service = service
        self._limits = limits
        self._observations: Observations = observations or NoObservations()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._held: set[int] = set()
        self._paused_until: dict[int, float] = {}
        self._failures: dict[int, int] = {}

    @property
    def held(self) -> frozenset[int]:
        """The partitions that this replica pumps now."""
        return frozenset(self._held)

    async def start(self) -> None:
        """Begin to pump, in the background; connects by itself, again and again."""
        self._task = run_in_background(self._run(), f"relay of {self._service}")

    async def stop(self) -> None:
        """Stop; the partitions are free for other replicas at once."""
        if self._task is not None:
            await end(self._task)
            self._task = None

    def wake(self) -> None:
        """Look for messages now, not at the next poll."""
        self._wake.set()

    def on_appended(self, commands: Sequence[AppendCommand]) -> None:
        """Wake when a group that was appended has a public message (for `Appender.on_appended`)."""
        if any(
            event.public_subject for command in commands for write in command.writes for event in write.events
        ):
            self._wake.set()

    async def _run(self) -> None:
        delay_s = 0.1
        while True:
            try:
                connection = await connect(self._conninfo, f"carteado relay {self._service}")
                try:
                    delay_s = 0.1
                    await _execute(connection, _END_IF_FROZEN, (str(int(self._limits.frozen_s * 1000)),))
                    await self._pump(connection)
                finally:
                    self._let_go()
                    await connection.close()
            except psycopg.Error as error:
                log.warning("the relay of %s lost the log: %s", self._service, error)
                await asyncio.sleep(delay_s * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
                delay_s = min(delay_s * 2, 2.0)

    def _let_go(self) -> None:
        """The session is over, and with it the locks: the backlog is another replica's to tell."""
        for partition in self._held:
            self._observations.relay_backlog(partition, 0, 0.0)
        self._held.clear()

    async def _pump(self, connection: Connection) -> None:
        looked_at = -float("inf")
        while True:
            self._wake.clear()
            if time.monotonic() - looked_at >= self._limits.poll_s:
                await self._take_partitions(connection)
                await self._observe_backlog(connection)
                looked_at = time.monotonic()
            if not await self._relay_page(connection):
                try:
                    async with asyncio.timeout(self._limits.poll_s * random.uniform(0.8, 1.0)):  # noqa: S311 - jitter
                        await self._wake.wait()
                except TimeoutError:
                    continue

    async def _take_partitions(self, connection: Connection) -> None:
        free = [partition for partition in range(PARTITIONS) if partition not in self._held]
        if free:
            rows = await _execute(connection, _TAKE, (free, LOCK_SPACE))
            self._held.update(partition for (partition,) in rows)

    async def _observe_backlog(self, connection: Connection) -> None:
        for partition, messages, age_s in await _execute(connection, _BACKLOG, (sorted(self._held),)):
            self._observations.relay_backlog(partition, messages, age_s)

    async def _relay_page(self, connection: Connection) -> bool:
        """Publish the next messages of each partition, the partitions side by side, and store how far they came.

        Gives whether there may be more at once.
        """
        now = time.monotonic()
        ready = [partition for partition in self._held if self._paused_until.get(partition, 0) <= now]
        if not ready:
            return False
        rows = await _execute(connection, _PENDING, (self._limits.page, ready))
        pages = [
            list(page)
            for _, page in groupby((_Message(*row) for row in rows), lambda message: message.partition)
        ]
        published = await asyncio.gather(*(self._publish_page(page) for page in pages))
        done = [(page, number) for page, number in zip(pages, published, strict=True) if number]
        if done:
            partitions = [page[0].partition for page, _ in done]
            before = [page[0].checkpoint for page, _ in done]
            after = [page[number - 1].position for page, number in done]
            await _execute(connection, _ADVANCE, (partitions, before, after))
            for page, number in done:
                self._observations.relayed(page[0].partition, number)
        return any(number == len(page) == self._limits.page for page, number in done)

    async def _publish_page(self, page: Sequence[_Message]) -> int:
        """Publish messages of one partition in order, up to the first that fails; gives how many."""
        partition, began_at = page[0].partition, time.monotonic()
        for number, message in enumerate(page):
            if time.monotonic() - began_at > self._limits.frozen_s / 3:
                return number
            if not await self._publish(message):
                failures = self._failures[partition] = self._failures.get(partition, 0) + 1
                pause_s = min(0.5 * 2**failures, self._limits.pause_most_s) * random.uniform(0.5, 1.0)  # noqa: S311 - jitter
                self._paused_until[partition] = time.monotonic() + pause_s
                self._observations.relay_failed(partition)
                return number
        self._failures.pop(partition, None)
        return len(page)

    async def _publish(self, message: _Message) -> bool:
        headers = message_headers(
            self._service, message.partition, message.position, message.subject, message.recorded_at
        )
        headers[PREVIOUS] = str(message.previous)
        if message.trace:
            headers["traceparent"] = message.trace
        problem: Exception | None = None
        for attempt in range(self._limits.attempts):
            if attempt:
                await asyncio.sleep(random.uniform(0, 0.05 * 2**attempt))  # noqa: S311 - jitter
            try:
                await self._js.publish(
                    message.subject, message.data, timeout=self._limits.publish_s, headers=headers
                )
            except nats.errors.ConnectionClosedError:
                raise  # closed, not lost: nobody will open it again
            except (nats.errors.Error, TimeoutError) as error:
                problem = error
            else:
                return True
        log.warning("%s was not published on %s: %r", headers[MESSAGE_ID], message.subject, problem)
        return False


def message_headers(
    service: str, partition: int, position: int, subject: str, recorded_at: datetime
) -> dict[str, str]:
    """The headers of a public message: CloudEvents in binary mode, and the id by which JetStream knows it again."""
    message_id = f"{service}-{partition}-{position}"
    return {
        MESSAGE_ID: message_id,
        "ce-specversion": "1.0",
        EVENT_ID: message_id,
        "ce-type": subject,
        "ce-source": f"carteado/{service}",
        "ce-time": recorded_at.isoformat(),
        "content-type": "application/protobuf",
    }


async def _execute(
    connection: Connection, query: str, parameters: tuple[object, ...]
) -> list[tuple[Any, ...]]:
    async with statement_deadline(connection, _STATEMENT_S):
        cursor = connection.cursor(binary=True)
        await cursor.execute(query, parameters)
        return await cursor.fetchall() if cursor.description else []
