"""Rebuilding a projection from nothing, beside the live one and while events flow, and swapping it in.

The new build is filled in a schema of its own. Then, in one transaction, both builds are held still, the new one is
brought as far as the live one is, and the schemas change names: a reader sees the old rows or the new ones, never a
gap, and never an earlier moment of the log than it has seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from psycopg import sql

from libs.eventlog.connections import Connection, connect
from libs.eventlog.errors import RebuildUnderWayError
from libs.eventlog.projection import Projection
from libs.eventlog.projection_build import apply_page, lag, make
from libs.eventlog.schema_swap import drop_patiently, drop_schema, has_schema, rename_schema
from libs.eventlog.streams import PARTITIONS

Event = TypeVar("Event")

Progress = Callable[[int, int], None]
"""Told how many events are applied, of how many that there are by now."""

_LOCK: Final = 0x70726F62  # the first key of the advisory locks; the second is the schema's
_STATEMENT_S: Final = 60.0
_CATCH_UP_PASSES: Final = 20


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild did."""

    events: int
    seconds: float


async def rebuild(
    conninfo: str,
    projection: Projection[Event],
    *,
    on_progress: Progress = lambda _done, _total: None,
    page: int = 1_000,
) -> Rebuilt:
    """Build a projection anew and put it in the place of the live one, if there is one.

    One that dies on the way has changed nothing, and the next one begins anew.

    Raises RebuildUnderWayError, psycopg.Error, and what `apply_page` does.
    """
    began_at = time.monotonic()
    connection = await connect(
        conninfo, f"carteado rebuild {projection.name}", statement_timeout_s=_STATEMENT_S
    )
    try:
        # A process that stands still in the middle of a swap would keep everybody from the rows.
        await connection.execute(
            "SELECT set_config('idle_in_transaction_session_timeout', %s, false)", (f"{_STATEMENT_S:g}s",)
        )
        # Held by the session: it ends with the connection, however this process ends.
        cursor = await connection.execute(
            "SELECT pg_try_advisory_lock(%s, hashtext(%s))", (_LOCK, projection.schema)
        )
        if await cursor.fetchone() != (True,):
            raise RebuildUnderWayError(f"the projection {projection.name!r} is being rebuilt already")
        building = f"{projection.schema}_next"
        async with connection.transaction():
            await drop_schema(connection, building)
            await make(connection, projection, building)
        events = await _fill(connection, projection, building, on_progress, page)
        replaced = f"{projection.schema}_old"
        if not await drop_patiently(connection, replaced):
            raise RebuildUnderWayError(
                f"the rows that the last rebuild of {projection.name!r} replaced are still being read"
            )
        events += await _swap(connection, projection, building, replaced, page)
        on_progress(events, events)
        await drop_patiently(connection, replaced)
        return Rebuilt(events, time.monotonic() - began_at)
    finally:
        await connection.close()


async def _fill(
    connection: Connection, projection: Projection[Event], building: str, on_progress: Progress, page: int
) -> int:
    """Apply what the log has, until less than a page is missing or new events come as fast as they are applied."""
    done = 0
    for _ in range(_CATCH_UP_PASSES):
        behind = await lag(connection, building)
        total = done + sum(one.events for one in behind)
        if not behind or (done and total - done < page):
            break
        for one in behind:
            position = one.position
            while position < one.position + one.events:
                async with connection.transaction():
                    applied = await apply_page(
                        connection,
                        projection,
                        building,
                        one.partition,
                        limit=page,
                        up_to=one.position + one.events,
                    )
                assert applied is not None, "nobody else works on this build"
                done, position = done + applied.events, applied.position
                on_progress(done, total)
    return done


async def _swap(
    connection: Connection, projection: Projection[Event], building: str, replaced: str, page: int
) -> int:
    """Hold both builds still, bring the new one as far as the live one, and change their names."""
    events = 0
    async with connection.transaction():
        if await has_schema(connection, projection.schema):
            live = sql.Identifier(projection.schema, "projected_positions")
            await connection.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(live))
            cursor = await connection.execute(
                sql.SQL("SELECT partition, position FROM {} ORDER BY partition").format(live)
            )
            positions: dict[int, int] = dict(await cursor.fetchall())
            assert len(positions) == PARTITIONS
            for partition, goal in positions.items():
                while True:
                    applied = await apply_page(
                        connection, projection, building, partition, limit=page, up_to=goal
                    )
                    assert applied is not None, "nobody else works on this build"
                    events += applied.events
                    if applied.position >= goal or not applied.events:
                        break
            await rename_schema(connection, projection.schema, replaced)
        await rename_schema(connection, building, projection.schema)
    return events
