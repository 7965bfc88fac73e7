"""What operators ask of a log: which streams there are, what stands in one, and whether all of it is as it must be.

Everything reads in pages and holds no transaction open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Generic, Never, Protocol, Self, TypeVar

import msgspec

from libs.eventlog.committed import replay
from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.decider import Decider
from libs.eventlog.errors import LogCorruptError, StreamIdError, UnknownEventError
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import EventStore, RecordedEvent, StoredEvent
from libs.eventlog.streams import PARTITIONS, parse_stream

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")

_PAGE: Final = 1_000

_LIST: Final = """
    SELECT first.stream, last.version, first.recorded_at, last.recorded_at, last.ends_stream
    FROM events first
    CROSS JOIN LATERAL (
        SELECT e.version, e.recorded_at, e.ends_stream FROM events e
        WHERE e.partition = first.partition AND e.stream = first.stream
        ORDER BY e.version DESC LIMIT 1
    ) AS last
    WHERE first.version = 1
      AND (first.recorded_at, first.stream) < (coalesce(%s, 'infinity'::timestamptz), %s)
      AND (%s = '' OR split_part(first.stream, '-', 1) = %s)
    ORDER BY first.recorded_at DESC, first.stream DESC
    LIMIT %s
"""


class StreamSummary(msgspec.Struct, frozen=True):
    """A stream in a list: its version, when its first and last events were recorded, and whether it has ended."""

    stream: str
    version: int
    began_at: datetime
    last_at: datetime
    has_ended: bool


async def list_streams(
    conninfo: str, category: str = "", limit: int = 50, before: StreamSummary | None = None
) -> Sequence[StreamSummary]:
    """The streams of a Postgres log, the latest begun first; `before` is the last of the page before.

    Raises LogUnavailableError.
    """
    pool = ReaderPool(conninfo, size=1)
    began_at, stream = (None, "") if before is None else (before.began_at, before.stream)

    async def ask(connection: Connection) -> Sequence[StreamSummary]:
        cursor = connection.cursor(binary=True)
        await cursor.execute(_LIST, (began_at, stream, category, category, limit))
        return [StreamSummary(*row) for row in await cursor.fetchall()]

    try:
        return await pool.run(ask)
    finally:
        await pool.close()


async def read_stream(store: EventStore, stream: str) -> Sequence[RecordedEvent]:
    """All events of a stream with all that was recorded of them. Raises LogUnavailableError, StreamIdError."""
    rows: list[RecordedEvent] = []
    while True:
        page = await store.read_recorded(stream, len(rows), None, _PAGE)
        rows.extend(page)
        if len(page) < _PAGE:
            return rows


class Finding(msgspec.Struct, frozen=True):
    """Something in the log that must not be, and where."""

    problem: str
    partition: int
    position: int
    stream: str = ""
    version: int = 0


class Verification(msgspec.Struct, frozen=True):
    """What a verification looked at and what it found; nothing found is good."""

    events: int
    streams: int
    hashes: int
    findings: tuple[Finding, ...]

    @property
    def is_good(self) -> bool:
        """Whether all is as it must be."""
        return not self.findings


class Checks(Protocol):
    """The checks of one stream, given its events in order."""

    hashes: int

    def check(self, stored: StoredEvent) -> str | None:
        """What is wrong with the next event, if anything."""


class ReplayChecks(Generic[State, Body, Event]):
    """Versions are contiguous, every event can be read and applied, and each stored hash is the replayed state's."""

    def __init__(
        self, decider: Decider[State, Body, Event, Never, object, object], registry: EventRegistry[Event]
    ) -> None:
        self._decider = decider
        self._registry = registry
        self._state = decider.initial()
        self._version = 0
        self._is_broken = False
        self.hashes = 0

    def again(self) -> Self:
        """The same checks for another stream."""
        return type(self)(self._decider, self._registry)

    def check(self, stored: StoredEvent) -> str | None:
        """See `Checks.check`. After the first problem of a stream its other events are not judged."""
        if self._is_broken:
            return None
        try:
            self._state, self._version = replay(
                self._decider, self._registry, (stored,), self._state, self._version
            )
        except (LogCorruptError, UnknownEventError) as error:
            self._is_broken = True
            return str(error)
        if stored.state_hash is not None:
            self.hashes += 1
            if self._decider.state_hash(self._state) != stored.state_hash:
                self._is_broken = True
                return "the replayed state has another hash than the stored one"
        return None


class VersionChecks:
    """For streams whose decider is not at hand: versions are contiguous."""

    hashes = 0

    def __init__(self) -> None:
        self._version = 0

    def again(self) -> Self:
        """The same checks for another stream."""
        return type(self)()

    def check(self, stored: StoredEvent) -> str | None:
        """See `Checks.check`."""
        expected, self._version = self._version + 1, stored.version
        return None if stored.version == expected else f"version {stored.version} where {expected} must stand"


class ChecksKind(Checks, Protocol):
    """Checks that can be made anew for each stream."""

    def again(self) -> Checks:
        """The same checks for another stream."""


async def verify_stream(store: EventStore, stream: str, checks: ChecksKind) -> Verification:
    """Verify one stream. Raises LogUnavailableError, StreamIdError."""
    mine, findings, version, events = checks.again(), list[Finding](), 0, 0
    while True:
        page = await store.read(stream, version, None, _PAGE)
        for stored in page:
            problem = mine.check(stored)
            if problem is not None:
                findings.append(Finding(problem, stored.partition, stored.position, stream, stored.version))
        events += len(page)
        if len(page) < _PAGE:
            return Verification(events, int(events > 0), mine.hashes, tuple(findings))
        version = page[-1].version


async def verify_log(
    store: EventStore, checks: Mapping[str, ChecksKind], partitions: Sequence[int] = range(PARTITIONS)
) -> Verification:
    """Verify a whole log, or some partitions: positions contiguous up to the counter, and every stream by `checks`.

    `checks` is by category; a category without any is checked for contiguous versions. What is appended meanwhile is
    checked as far as it is read. Raises LogUnavailableError.
    """
    findings: list[Finding] = []
    events = streams = hashes = 0
    last_positions = await store.positions()
    for partition in partitions:
        position = 0
        under_check: dict[str, Checks] = {}
        while page := await store.read_partition(partition, position, _PAGE):
            for stored in page:
                if stored.position != position + 1:
                    problem = f"position {stored.position} where {position + 1} must stand"
                    findings.append(
                        Finding(problem, partition, stored.position, stored.stream, stored.version)
                    )
                position = stored.position
                stream_checks = under_check.get(stored.stream)
                if stream_checks is None:
                    stream_checks = under_check[stored.stream] = _checks_for(checks, stored.stream)
                problem_of_event = stream_checks.check(stored)
                if problem_of_event is not None:
                    findings.append(
                        Finding(problem_of_event, partition, stored.position, stored.stream, stored.version)
                    )
            events += len(page)
        if position < last_positions[partition]:
            problem = f"the counter says {last_positions[partition]}, the last event is at {position}"
            findings.append(Finding(problem, partition, position))
        streams += len(under_check)
        hashes += sum(one.hashes for one in under_check.values())
    return Verification(events, streams, hashes, tuple(findings))


def _checks_for(checks: Mapping[str, ChecksKind], stream: str) -> Checks:
    try:
        kind = checks.get(parse_stream(stream).category)
    except StreamIdError:
        kind = None
    return VersionChecks() if kind is None else kind.again()
