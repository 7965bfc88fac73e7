"""Opens a service's log for reading, of a running stack or a stopped one, and reads streams from it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NewType

import psycopg
from psycopg.conninfo import make_conninfo

from deploy.local import reading_postgres
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.log_source import LogSource
from libs.eventlog.committed import CommittedCommand, replay_commands
from libs.eventlog.connections import connect
from libs.eventlog.errors import LogUnavailableError, StreamIdError
from libs.eventlog.inspect import StreamSummary, list_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.store import StoredEvent
from libs.eventlog.streams import parse_stream, stream_id

Conninfo = NewType("Conninfo", str)

_PAGE = 1_000
_ID_CHARS = 36
_SHORTEST_PREFIX = 4


@contextmanager
def log_server(data: Path) -> Iterator[str]:
    """The Postgres of CARTEADO_POSTGRES, else of the stack in `data`: a connection string without a database's name.

    A stopped stack's Postgres runs for as long as the block lasts. Raises ExpectedError.
    """
    given = os.environ.get("CARTEADO_POSTGRES", "")
    if given:
        try:
            make_conninfo(given)
        except psycopg.ProgrammingError as error:
            raise ExpectedError(
                f"CARTEADO_POSTGRES is no connection string: {str(error).strip()}",
                "say it as in 'host=127.0.0.1 user=carteado'",
                EXIT_REFUSED,
            ) from None
        yield given
        return
    with reading_postgres(data) as postgres:
        yield postgres


def database_of(server: str, service: str) -> Conninfo:
    """The database of a service on a server."""
    return Conninfo(make_conninfo(server, dbname=f"carteado_{service}"))


@contextmanager
def log_database(data: Path, service: str) -> Iterator[Conninfo]:
    """The database of a service's log; see `log_server`."""
    with log_server(data) as server:
        yield database_of(server, service)


class LogReader:
    """Reads one service's log; writes nothing."""

    def __init__(self, conninfo: Conninfo, source: LogSource) -> None:
        self.source = source
        self.store = PostgresStore(conninfo)
        self._conninfo = conninfo

    async def streams(self, limit: int) -> Sequence[StreamSummary]:
        """The streams begun last, at most `limit`."""
        return await list_streams(self._conninfo, self.source.name, limit)

    async def listed(self, summaries: Sequence[StreamSummary]) -> Mapping[str, str]:
        """A line for each of the streams of which a projection can say it; it may be a moment behind, or not there."""
        ended = {parse_stream(summary.stream).id: summary.has_ended for summary in summaries}
        connection = await connect(self._conninfo, "carteado log")
        try:
            known = await self.source.listed(connection, list(ended))
        except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
            return {}  # no release with this projection has run here
        finally:
            await connection.close()
        return {one: line for one, (line, has_ended) in known.items() if has_ended == ended[one]}

    async def all_streams(self) -> AsyncIterator[StreamSummary]:
        """Every stream, in pages."""
        last: StreamSummary | None = None
        while page := await list_streams(self._conninfo, self.source.name, _PAGE, last):
            for summary in page:
                yield summary
            last = page[-1]

    async def find(self, word: str) -> str:
        """The stream that a whole id or the beginning of one names. Raises ExpectedError when none or several do."""
        word = word.lower()
        if len(word) >= _ID_CHARS:
            return await self._existing(word)
        if len(word) < _SHORTEST_PREFIX:
            raise ExpectedError(
                f"{word!r} is too short to name one",
                f"give at least {_SHORTEST_PREFIX} characters",
                EXIT_REFUSED,
            )
        found = [
            summary.stream
            async for summary in self.all_streams()
            if parse_stream(summary.stream).id.startswith(word)
        ]
        if len(found) != 1:
            problem = f"{len(found)} begin with {word!r}" if found else f"none begins with {word!r}"
            raise ExpectedError(problem, "`carteado log ls` lists them", EXIT_REFUSED)
        return found[0]

    async def _existing(self, word: str) -> str:
        try:
            stream = stream_id(self.source.name, word)
        except StreamIdError as error:
            raise ExpectedError(str(error), "", EXIT_REFUSED) from error
        if not (await self.store.head(stream)).version:
            raise ExpectedError(
                f"there is no {self.source.name} {word}", "`carteado log ls` lists them", EXIT_REFUSED
            )
        return stream

    async def stored(self, stream: str) -> Sequence[StoredEvent]:
        """All events of a stream as they are stored."""
        events: list[StoredEvent] = []
        while page := await self.store.read(stream, len(events), None, _PAGE):
            events.extend(page)
        return events

    async def commands(self, stream: str) -> Sequence[CommittedCommand[Any, Any]]:
        """All commands of a stream, each event with the states around it. Raises UnknownEventError, LogCorruptError."""
        decider = self.source.decider
        return replay_commands(decider, self.source.registry, await self.stored(stream), decider.initial(), 0)


@asynccontextmanager
async def open_reader(conninfo: Conninfo, source: LogSource) -> AsyncIterator[LogReader]:
    """A reader, closed at the end. The log's absence is an ExpectedError."""
    reader = LogReader(conninfo, source)
    try:
        yield reader
    except LogUnavailableError as error:
        raise ExpectedError(str(error), f"has the service {source.name} ever run here?") from error
    except psycopg.errors.UndefinedTable as error:
        raise ExpectedError(
            "the database holds no log", f"has the service {source.name} ever run here?"
        ) from error
    finally:
        await reader.store.close()
