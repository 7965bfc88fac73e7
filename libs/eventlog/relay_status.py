"""What operators ask of a relay, from any process: how far it is, who pumps, and to publish again from a position."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final, TypeVar

import msgspec

from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.relay import LOCK_SPACE

Result = TypeVar("Result")

MOST_COUNTED: Final = 10_000
"""Waiting messages of a partition that are counted; more are told as this many."""

_STATUS: Final = """
    SELECT r.partition, r.position, c.position, b.messages,
           coalesce(extract(epoch FROM clock_timestamp() - b.oldest), 0)::float8, r.updated_at, l.pid
    FROM relay_positions r
    JOIN partition_counters c ON c.partition = r.partition
    CROSS JOIN LATERAL (
        SELECT count(*) AS messages, min(p.recorded_at) AS oldest
        FROM (
            SELECT e.recorded_at FROM events e
            WHERE e.partition = r.partition AND e.position > r.position AND e.public_subject IS NOT NULL
            ORDER BY e.position LIMIT %s
        ) AS p
    ) AS b
    LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
        AND l.classid = %s::bigint::oid AND l.objid = r.partition::bigint::oid
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    ORDER BY r.partition
"""
_REWIND: Final = """
    WITH before AS (SELECT r.position FROM relay_positions r WHERE r.partition = %s FOR UPDATE)
    UPDATE relay_positions r SET position = least(r.position, %s), updated_at = now()
    FROM before WHERE r.partition = %s
    RETURNING before.position
"""


class RelayPartition(msgspec.Struct, frozen=True):
    """How far a partition's public messages have reached JetStream.

    `position` is the last one that did, `head` the last event of the partition, `waiting` the public messages between
    them (counted up to `MOST_COUNTED`) and `age_s` the age of the oldest. `pumped_by` is the process id, in Postgres, of
    the relay that holds the partition; None when none does.
    """

    partition: int
    position: int
    head: int
    waiting: int
    age_s: float
    updated_at: datetime
    pumped_by: int | None


async def relay_status(conninfo: str) -> Sequence[RelayPartition]:
    """The state of every partition's pump. Raises LogUnavailableError."""

    async def ask(connection: Connection) -> Sequence[RelayPartition]:
        cursor = connection.cursor(binary=True)
        await cursor.execute(_STATUS, (MOST_COUNTED, LOCK_SPACE))
        return [RelayPartition(*row) for row in await cursor.fetchall()]

    return await _once(conninfo, ask)


async def rewind(conninfo: str, partition: int, position: int) -> int:
    """Have everything public after `position` of a partition published again, by whichever replica pumps it.

    Gives the position that it stood at; one that is not before that changes nothing. Within its duplicate window
    JetStream still drops what it has. Raises LogUnavailableError, ValueError for a partition or position that is none.
    """
    if position < 0:
        raise ValueError(f"a position is 0 or more, not {position}")

    async def change(connection: Connection) -> Sequence[tuple[int]]:
        cursor = connection.cursor(binary=True)
        await cursor.execute(_REWIND, (partition, position, partition))
        return await cursor.fetchall()

    rows = await _once(conninfo, change)
    if not rows:
        raise ValueError(f"there is no partition {partition}")
    return rows[0][0]


async def _once(conninfo: str, work: Callable[[Connection], Awaitable[Result]]) -> Result:
    pool = ReaderPool(conninfo, size=1)
    try:
        return await pool.run(work)
    finally:
        await pool.close()
