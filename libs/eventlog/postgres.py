"""The log on Postgres.

Everything that must be one decision happens in the SQL function `append` (sql/0003_append.sql). On the hot path the
driver decodes no JSON: payloads go in as bytes inside one document and come out as text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Self

import msgspec
import psycopg

from libs.eventlog.appender import Appender, AppenderLimits, ConnectionLostError, StatementRefusedError
from libs.eventlog.connections import Connection, ReaderPool, connect, statement_deadline
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.metrics import Observations
from libs.eventlog.migrations import migrate
from libs.eventlog.store import (
    AppendCommand,
    Appended,
    AppendOutcome,
    Conflict,
    Duplicate,
    DuplicateMismatch,
    Head,
    Outage,
    OverdueDeadline,
    RecordedEvent,
    Span,
    StoredEvent,
    check_command,
)
from libs.eventlog.streams import parse_stream

_STATEMENT_S: Final = 4.0
_CUT_S: Final = 5.0

_APPEND: Final = (
    "SELECT command, outcome, from_version, to_version, last_position, recorded_at FROM append(%s::jsonb, %s)"
)
_BEAT: Final = "SELECT began_at, ended_at FROM beat(%s)"
_COLUMNS: Final = "stream, partition, version, position, type, schema_version, payload::text, command_id, actor, state_hash, recorded_at"
_METADATA: Final = (
    "ends_stream, body_hash, coalesce(correlation_id, ''), coalesce(causation_id, ''), coalesce(trace, ''), "
    "public_subject, public_data"
)
_IN_STREAM: Final = "FROM events WHERE partition = %s AND stream = %s AND version > %s AND version <= %s ORDER BY version LIMIT %s"
_READ: Final = f"SELECT {_COLUMNS} {_IN_STREAM}"
_READ_RECORDED: Final = f"SELECT {_COLUMNS}, {_METADATA} {_IN_STREAM}"
_IN_PARTITION: Final = "FROM events WHERE partition = %s AND position > %s ORDER BY position LIMIT %s"
_READ_PARTITION: Final = f"SELECT {_COLUMNS} {_IN_PARTITION}"
_HEAD: Final = "SELECT version FROM events WHERE partition = %s AND stream = %s ORDER BY version DESC LIMIT 1"
_COMMAND: Final = """
    SELECT version - 1, command_end(partition, stream, version), body_hash
    FROM events WHERE partition = %s AND stream = %s AND command_id = %s
"""
_HEADS: Final = """
    SELECT s.stream, head.version
    FROM unnest(%s::smallint[], %s::text[]) AS s (partition, stream)
    CROSS JOIN LATERAL (
        SELECT e.version FROM events e
        WHERE e.partition = s.partition AND e.stream = s.stream
        ORDER BY e.version DESC LIMIT 1
    ) AS head
"""
_POSITIONS: Final = "SELECT position FROM partition_counters ORDER BY partition"
_CLAIM: Final = "SELECT stream, due_at, attempts FROM claim_overdue(%s, %s, %s)"
_OUTAGES: Final = "SELECT began_at, ended_at FROM outages WHERE ended_at > %s ORDER BY ended_at"

_REFUSED: Final = ("22", "23", "54")
"""SQLSTATE classes that blame what is in the statement: bad data, a broken constraint, a value over a limit."""

_NO_LIMIT: Final = 2**31 - 1

_encode: Final = msgspec.json.Encoder().encode


class PostgresWriter:
    """The connection that appends. See `Writer`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor(binary=True)

    @classmethod
    async def open(cls, conninfo: str) -> Self:
        """Connect. Raises LogUnavailableError."""
        try:
            return cls(await connect(conninfo, "carteado append", statement_timeout_s=_STATEMENT_S))
        except psycopg.OperationalError as error:
            raise LogUnavailableError(f"the log cannot be reached: {error}") from error

    async def write(self, commands: Sequence[AppendCommand]) -> Sequence[AppendOutcome]:
        """See `Writer.write`."""
        partitions = {
            parse_stream(write.stream).partition for command in commands for write in command.writes
        }
        rows = await self._execute(_APPEND, (_document(commands), sorted(partitions)))
        outcomes: list[AppendOutcome] = []
        start = 0
        for command in commands:
            end = start + len(command.writes)
            outcomes.append(_outcome(command, rows[start:end]))
            start = end
        return outcomes

    async def beat(self, outage_after_s: float) -> Outage | None:
        """See `Writer.beat`."""
        rows = await self._execute(_BEAT, (timedelta(seconds=outage_after_s),))
        return Outage(*rows[0]) if rows else None

    async def close(self) -> None:
        """See `Writer.close`."""
        await self._connection.close()

    async def _execute(self, query: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
        try:
            async with statement_deadline(self._connection, _CUT_S):
                await self._cursor.execute(query, parameters)
                return await self._cursor.fetchall()
        except psycopg.Error as error:
            if self._connection.closed or self._connection.broken:
                raise ConnectionLostError(str(error)) from error
            if (error.sqlstate or "")[:2] in _REFUSED:
                raise StatementRefusedError(str(error).partition("\n")[0]) from error
            raise LogUnavailableError(f"nothing was appended: {error}") from error


class PostgresStore:
    """A log in a Postgres database. See `EventStore`."""

    def __init__(
        self,
        conninfo: str,
        *,
        readers: int = 4,
        limits: AppenderLimits = AppenderLimits(),  # noqa: B008 - a frozen value
        observations: Observations | None = None,
    ) -> None:
        self._conninfo = conninfo
        self._readers = ReaderPool(conninfo, size=readers)
        self.appender = Appender(self._open_writer, limits=limits, observations=observations)

    @classmethod
    async def open(
        cls,
        conninfo: str,
        *,
        readers: int = 4,
        limits: AppenderLimits = AppenderLimits(),  # noqa: B008 - a frozen value
        observations: Observations | None = None,
    ) -> Self:
        """Migrate the database, connect and begin to append.

        Raises LogUnavailableError when it cannot be reached, and what `migrate` refuses.
        """
        try:
            await migrate(conninfo)
        except psycopg.OperationalError as error:
            raise LogUnavailableError(f"the log cannot be reached: {error}") from error
        except (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientPrivilege) as error:
            # A standby, a server that was made read-only for want of space, or a role without its rights.
            told = str(error).partition("\n")[0]
            raise LogUnavailableError(
                f"the database cannot be brought to this release's schema: {told}; the role must own the database, "
                "and the database must take writes"
            ) from error
        store = cls(conninfo, readers=readers, limits=limits, observations=observations)
        await store.appender.start()
        return store

    async def close(self) -> None:
        """Append what waits, and close the connections."""
        await self.appender.close()
        await self._readers.close()

    @property
    def generation(self) -> int:
        """See `EventStore.generation`."""
        return self.appender.generation

    def append(self, command: AppendCommand) -> asyncio.Future[AppendOutcome]:
        """See `EventStore.append`."""
        check_command(command)
        return self.appender.append(command)

    async def read(
        self, stream: str, after_version: int = 0, up_to_version: int | None = None, limit: int = 10_000
    ) -> Sequence[StoredEvent]:
        """See `EventStore.read`."""
        last = _NO_LIMIT if up_to_version is None else up_to_version
        rows = await self._fetch(_READ, (parse_stream(stream).partition, stream, after_version, last, limit))
        return [StoredEvent(*row) for row in rows]

    async def read_recorded(
        self, stream: str, after_version: int = 0, up_to_version: int | None = None, limit: int = 1_000
    ) -> Sequence[RecordedEvent]:
        """See `EventStore.read_recorded`."""
        last = _NO_LIMIT if up_to_version is None else up_to_version
        rows = await self._fetch(
            _READ_RECORDED, (parse_stream(stream).partition, stream, after_version, last, limit)
        )
        return [RecordedEvent(*row) for row in rows]

    async def head(self, stream: str, command_id: str | None = None, body_hash: bytes = b"") -> Head:
        """See `EventStore.head`."""
        partition = parse_stream(stream).partition

        async def ask(connection: Connection) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
            cursor = connection.cursor(binary=True)
            known = []
            if command_id is not None:
                # First: an append between the two statements is then seen as a head that has moved.
                await cursor.execute(_COMMAND, (partition, stream, command_id))
                known = await cursor.fetchall()
            await cursor.execute(_HEAD, (partition, stream))
            return known, await cursor.fetchall()

        known, head = await self._readers.run(ask)
        version = head[0][0] if head else 0
        if not known:
            return Head(version)
        from_version, to_version, first_hash = known[0]
        if first_hash != body_hash:
            return Head(version, DuplicateMismatch())
        return Head(version, Duplicate(from_version, to_version))

    async def read_partition(
        self, partition: int, after_position: int = 0, limit: int = 1_000
    ) -> Sequence[StoredEvent]:
        """See `EventStore.read_partition`."""
        rows = await self._fetch(_READ_PARTITION, (partition, after_position, limit))
        return [StoredEvent(*row) for row in rows]

    async def heads(self, streams: Sequence[str]) -> Mapping[str, int]:
        """See `EventStore.heads`."""
        partitions = [parse_stream(stream).partition for stream in streams]
        return dict(await self._fetch(_HEADS, (partitions, list(streams))))

    async def positions(self) -> Sequence[int]:
        """See `EventStore.positions`."""
        return [position for (position,) in await self._fetch(_POSITIONS, ())]

    async def now(self) -> datetime:
        """See `EventStore.now`."""
        ((moment,),) = await self._fetch("SELECT clock_timestamp()", ())
        result: datetime = moment
        return result

    async def claim_overdue(
        self, category: str, *, overdue_s: float, limit: int
    ) -> Sequence[OverdueDeadline]:
        """See `EventStore.claim_overdue`."""
        rows = await self._fetch(_CLAIM, (category, timedelta(seconds=overdue_s), limit))
        return [OverdueDeadline(*row) for row in rows]

    async def beat(self, outage_after_s: float) -> Outage | None:
        """See `EventStore.beat`; goes through the append connection."""
        return await self.appender.beat(outage_after_s)

    async def outages_since(self, moment: datetime) -> Sequence[Outage]:
        """See `EventStore.outages_since`."""
        return [Outage(*row) for row in await self._fetch(_OUTAGES, (moment,))]

    async def _open_writer(self) -> PostgresWriter:
        return await PostgresWriter.open(self._conninfo)

    async def _fetch(self, query: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
        async def fetch(connection: Connection) -> list[tuple[Any, ...]]:
            cursor = connection.cursor(binary=True)
            await cursor.execute(query, parameters)
            return await cursor.fetchall()

        return await self._readers.run(fetch)


def _document(commands: Sequence[AppendCommand]) -> str:
    """The commands as the function `append` takes them."""
    rows = []
    for number, command in enumerate(commands):
        body_hash = command.body_hash.hex()
        for place, write in enumerate(command.writes):
            rows.append(
                (
                    number,
                    place,
                    command.id,
                    body_hash,
                    command.actor,
                    command.correlation_id or None,
                    command.causation_id or None,
                    command.trace or None,
                    write.stream,
                    parse_stream(write.stream).partition,
                    write.expected_version,
                    write.deadline,
                    write.state_hash.hex() or None,
                    write.ends_stream,
                    [
                        (
                            event.name,
                            event.schema_version,
                            msgspec.Raw(event.payload),
                            event.public_subject,
                            None if event.public_data is None else event.public_data.hex(),
                        )
                        for event in write.events
                    ],
                )
            )
    return _encode(rows).decode()


def _outcome(command: AppendCommand, rows: Sequence[tuple[Any, ...]]) -> AppendOutcome:
    _, outcome, from_version, to_version, _, recorded_at = rows[0]
    match outcome:
        case "appended":
            spans = tuple(
                Span(write.stream, row[2], row[3]) for write, row in zip(command.writes, rows, strict=True)
            )
            return Appended(spans, tuple(row[4] for row in rows), recorded_at)
        case "duplicate":
            return Duplicate(from_version, to_version)
        case "mismatch":
            return DuplicateMismatch()
        case _:
            stream, actual = next(
                (write.stream, row[3])
                for write, row in zip(command.writes, rows, strict=True)
                if row[2] != row[3]
            )
            return Conflict(stream, actual)
