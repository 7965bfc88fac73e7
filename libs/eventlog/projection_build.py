"""A build of a projection: one schema that holds its rows *and* how far into the log they have come.

Because the checkpoint stands beside the rows it is written with them, in one transaction, and it moves with them when a
build takes the place of another. Nothing else in the database knows of a build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from psycopg import sql

from libs.eventlog.connections import Connection
from libs.eventlog.errors import LogCorruptError, ProjectionChangedError
from libs.eventlog.projection import LogEvent, Projection
from libs.eventlog.schema_swap import drop_schema
from libs.eventlog.store import StoredEvent
from libs.eventlog.streams import PARTITIONS

Event = TypeVar("Event")

_MAKING: Final = 0x70726F6A  # the first key of the advisory locks; the second is the schema's

_MADE_BY: Final = "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')"
_POSITIONS_TABLE: Final = """
    CREATE TABLE projected_positions (
        partition  smallint    PRIMARY KEY,
        position   bigint      NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 10)
"""
_FIRST_POSITIONS: Final = "INSERT INTO projected_positions (partition) SELECT generate_series(0, %s)"
_SCHEMAS: Final = r"""
    SELECT nspname, (regexp_match(nspname, '_v(\d+)(?:_\w+)?$'))[1]::integer
    FROM pg_namespace WHERE nspname ~ ('^projection_' || %s || '_v\d+(_next|_old)?$')
"""
_SEARCH_PATH: Final = "SELECT set_config('search_path', %s, true)"
# Whoever else works on the partition is left alone. The table lock that comes with the row's is also what a swap
# waits for, and what makes everybody wait for a swap.
_POSITION: Final = "SELECT position FROM projected_positions WHERE partition = %s FOR UPDATE SKIP LOCKED"
# Of a page only what the projection reads is fetched, and what it must not miss: an event of an unknown type, one that
# does not follow the one before it, and the last one, which says how far the page goes.
_READ: Final = """
    SELECT stream, partition, version, position, type, schema_version, payload::text, command_id, actor, state_hash,
           recorded_at, before, events
    FROM (
        SELECT p.*, lag(position, 1, %(after)s) OVER (ORDER BY position) AS before, count(*) OVER () AS events,
               position = max(position) OVER () AS is_last
        FROM (
            SELECT * FROM public.events
            WHERE partition = %(partition)s AND position > %(after)s AND position <= %(up_to)s
            ORDER BY position LIMIT %(limit)s
        ) AS p
    ) AS page
    WHERE type <> ALL (%(passed_over)s::text[]) OR before <> position - 1 OR is_last
    ORDER BY position
"""
_ADVANCE: Final = "UPDATE projected_positions SET position = %s, updated_at = now() WHERE partition = %s"
# Each next event is looked up by itself: as a join, before there are statistics, the whole log was read for it.
_LAG: Final = """
    SELECT p.partition, p.position, c.position - p.position,
           coalesce(extract(epoch FROM clock_timestamp() - (
               SELECT e.recorded_at FROM public.events e WHERE e.partition = p.partition AND e.position = p.position + 1
           )), 0)::float8
    FROM {}.projected_positions p
    JOIN public.partition_counters c USING (partition)
    WHERE c.position > p.position
    ORDER BY p.partition
"""

NO_LIMIT: Final = 2**63 - 1


class Page(msgspec.Struct, frozen=True):
    """What one transaction did: how many events it applied, and the position that it came to."""

    events: int
    position: int


class Lag(msgspec.Struct, frozen=True):
    """How far a build is behind in one partition: in events, and the age in seconds of the first of them."""

    partition: int
    position: int
    events: int
    age_s: float


async def make_live(connection: Connection, projection: Projection[Event]) -> None:
    """See to it that the projection has its tables; new ones are empty, and drop those of versions long gone.

    Safe to run from every replica at once. Raises ProjectionChangedError when the tables were made by other SQL.
    """
    async with connection.transaction():
        await _execute(
            connection, "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_MAKING, projection.schema)
        )
        ((made_by,),) = await _execute(connection, _MADE_BY, (projection.schema,))
        if made_by is None:
            await make(connection, projection, projection.schema)
        elif made_by != projection.fingerprint:
            raise ProjectionChangedError(
                f"the tables in {projection.schema} were made by other SQL than this release has: "
                f"raise the version of the projection {projection.name!r}, or rebuild it"
            )
        for schema, version in await _execute(connection, _SCHEMAS, (projection.name,)):
            if version < projection.version - 1:
                await drop_schema(connection, schema)


async def make(connection: Connection, projection: Projection[Event], schema: str) -> None:
    """Make a build that has seen no event. Belongs into a transaction."""
    await connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    comment = sql.SQL("COMMENT ON SCHEMA {} IS {}")
    await connection.execute(
        comment.format(sql.Identifier(schema), sql.Literal(projection.fingerprint)), prepare=False
    )
    await _execute(connection, _SEARCH_PATH, (schema,))
    # The SQL is a file of this repository, not a value from outside.
    await connection.execute(projection.tables.encode(), prepare=False)
    await connection.execute(_POSITIONS_TABLE, prepare=False)
    await _execute(connection, _FIRST_POSITIONS, (PARTITIONS - 1,))


async def apply_page(
    connection: Connection,
    projection: Projection[Event],
    schema: str,
    partition: int,
    *,
    limit: int,
    up_to: int = NO_LIMIT,
) -> Page | None:
    """Apply a partition's next events and store the position that they lead to, in the transaction that is open.

    Gives None when another replica is at this partition.

    Raises UnknownEventError for an event that this release cannot read and LogCorruptError for a hole in the
    positions, both with the place, and whatever the projection's own statements raise.
    """
    await _execute(connection, _SEARCH_PATH, (schema,))
    rows = await _execute(connection, _POSITION, (partition,))
    if not rows:
        return None
    ((position,),) = rows
    passed_over = projection.passed_over
    page = await _execute(
        connection,
        _READ,
        {
            "partition": partition,
            "after": position,
            "up_to": up_to,
            "limit": limit,
            "passed_over": passed_over,
        },
    )
    for *columns, before, _ in page:
        stored = StoredEvent(*columns)
        if stored.position != before + 1:
            raise LogCorruptError(
                f"partition {partition} has position {stored.position} where {before + 1} must stand"
            )
        position = stored.position
        if stored.name not in passed_over:
            await projection.apply(connection, LogEvent(stored, _decode(projection, stored)))
    if page:
        await _execute(connection, _ADVANCE, (position, partition))
    return Page(page[-1][-1] if page else 0, position)


async def lag(connection: Connection, schema: str) -> list[Lag]:
    """The partitions in which a build is behind the log."""
    cursor = connection.cursor(binary=True)
    await cursor.execute(sql.SQL(_LAG).format(sql.Identifier(schema)))
    return [Lag(*row) for row in await cursor.fetchall()]


def _decode(projection: Projection[Event], stored: StoredEvent) -> Event:
    return projection.registry.decode(
        stored.name,
        stored.schema_version,
        stored.payload,
        stream=stored.stream,
        version=stored.version,
        partition=stored.partition,
        position=stored.position,
    )


async def _execute(
    connection: Connection, query: str, parameters: Sequence[object] | Mapping[str, object]
) -> list[tuple[Any, ...]]:
    cursor = connection.cursor(binary=True)
    await cursor.execute(query, parameters)
    return await cursor.fetchall() if cursor.description else []
