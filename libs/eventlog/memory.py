"""The log in memory: the same contract as on Postgres, for tests and tools. Nothing survives the process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from libs.eventlog.errors import UnstorableError
from libs.eventlog.store import (
    AppendCommand,
    Appended,
    AppendOutcome,
    Conflict,
    Duplicate,
    DuplicateMismatch,
    Head,
    NewEvent,
    Outage,
    OverdueDeadline,
    RecordedEvent,
    Span,
    StreamWrite,
    check_command,
)
from libs.eventlog.streams import PARTITIONS, parse_stream


class _Due(msgspec.Struct):
    due_at: datetime
    retry_at: datetime
    attempts: int = 0


def utc_now() -> datetime:
    """The process's wall clock; a test gives its own."""
    return datetime.now(UTC)


class MemoryStore:
    """A log in memory. `now` stands for the database's clock."""

    def __init__(self, now: Callable[[], datetime] = utc_now) -> None:
        self._now = now
        self._streams: dict[str, list[RecordedEvent]] = {}
        self._partitions: list[list[RecordedEvent]] = [[] for _ in range(PARTITIONS)]
        self._commands: dict[tuple[str, str], RecordedEvent] = {}
        self._deadlines: dict[str, _Due] = {}
        self._beat_at: datetime | None = None
        self._outages: list[Outage] = []
        self.generation = 0

    async def append(self, command: AppendCommand) -> AppendOutcome:
        """See `EventStore.append`."""
        check_command(command)
        for write in command.writes:
            for event in write.events:
                _check_json(event)
        known = [self._outcome(write.stream, command.id, command.body_hash) for write in command.writes]
        if any(outcome is not None for outcome in known):
            duplicates = [outcome for outcome in known if isinstance(outcome, Duplicate)]
            return duplicates[0] if len(duplicates) == len(known) else DuplicateMismatch()
        for write in command.writes:
            actual = len(self._streams.get(write.stream, ()))
            if actual != write.expected_version:
                return Conflict(write.stream, actual)
        recorded_at = self._now()
        positions = tuple(self._write(command, write, recorded_at) for write in command.writes)
        spans = tuple(
            Span(write.stream, write.expected_version, write.expected_version + len(write.events))
            for write in command.writes
        )
        return Appended(spans, positions, recorded_at)

    async def read(
        self, stream: str, after_version: int = 0, up_to_version: int | None = None, limit: int = 10_000
    ) -> Sequence[RecordedEvent]:
        """See `EventStore.read`."""
        return await self.read_recorded(stream, after_version, up_to_version, limit)

    async def read_recorded(
        self, stream: str, after_version: int = 0, up_to_version: int | None = None, limit: int = 1_000
    ) -> Sequence[RecordedEvent]:
        """See `EventStore.read_recorded`."""
        parse_stream(stream)
        return self._streams.get(stream, [])[after_version:up_to_version][:limit]

    async def head(self, stream: str, command_id: str | None = None, body_hash: bytes = b"") -> Head:
        """See `EventStore.head`."""
        parse_stream(stream)
        known = self._outcome(stream, command_id, body_hash) if command_id is not None else None
        return Head(len(self._streams.get(stream, ())), known)

    async def read_partition(
        self, partition: int, after_position: int = 0, limit: int = 1_000
    ) -> Sequence[RecordedEvent]:
        """See `EventStore.read_partition`."""
        return self._partitions[partition][after_position : after_position + limit]

    async def heads(self, streams: Sequence[str]) -> Mapping[str, int]:
        """See `EventStore.heads`."""
        return {stream: len(self._streams[stream]) for stream in streams if stream in self._streams}

    async def positions(self) -> Sequence[int]:
        """See `EventStore.positions`."""
        return [len(events) for events in self._partitions]

    async def now(self) -> datetime:
        """See `EventStore.now`."""
        return self._now()

    async def claim_overdue(
        self, category: str, *, overdue_s: float, limit: int
    ) -> Sequence[OverdueDeadline]:
        """See `EventStore.claim_overdue`."""
        now = self._now()
        before = now - timedelta(seconds=overdue_s)
        overdue = sorted(
            (due.retry_at, stream)
            for stream, due in self._deadlines.items()
            if due.retry_at < before and parse_stream(stream).category == category
        )
        claims = []
        for _, stream in overdue[:limit]:
            due = self._deadlines[stream]
            due.attempts += 1
            due.retry_at = now + timedelta(seconds=min(60, 2**due.attempts))
            claims.append(OverdueDeadline(stream, due.due_at, due.attempts))
        return claims

    async def beat(self, outage_after_s: float) -> Outage | None:
        """See `EventStore.beat`."""
        now, last = self._now(), self._beat_at
        self._beat_at = now if last is None else max(now, last)
        if last is not None and now - last > timedelta(seconds=outage_after_s):
            self._outages.append(Outage(last, now))
        return self._outages[-1] if self._outages else None

    async def outages_since(self, moment: datetime) -> Sequence[Outage]:
        """See `EventStore.outages_since`."""
        return [outage for outage in self._outages if outage.ended_at > moment]

    def _outcome(
        self, stream: str, command_id: str, body_hash: bytes
    ) -> Duplicate | DuplicateMismatch | None:
        first = self._commands.get((stream, command_id))
        if first is None:
            return None
        if first.body_hash != body_hash:
            return DuplicateMismatch()
        to_version = first.version
        for event in self._streams[stream][first.version :]:
            if event.command_id is not None:
                break
            to_version = event.version
        return Duplicate(first.version - 1, to_version)

    def _write(self, command: AppendCommand, write: StreamWrite, recorded_at: datetime) -> int:
        partition = parse_stream(write.stream).partition
        log, stream = self._partitions[partition], self._streams.setdefault(write.stream, [])
        last = len(write.events) - 1
        for index, event in enumerate(write.events):
            stored = RecordedEvent(
                stream=write.stream,
                partition=partition,
                version=len(stream) + 1,
                position=len(log) + 1,
                name=event.name,
                schema_version=event.schema_version,
                payload=event.payload.decode(),
                command_id=command.id if index == 0 else None,
                actor=command.actor,
                state_hash=(write.state_hash or None) if index == last else None,
                recorded_at=recorded_at,
                ends_stream=write.ends_stream and index == last,
                body_hash=command.body_hash if index == 0 else None,
                correlation_id=command.correlation_id,
                causation_id=command.causation_id,
                trace=command.trace,
                public_subject=event.public_subject,
                public_data=event.public_data,
            )
            if index == 0:
                self._commands[write.stream, command.id] = stored
            stream.append(stored)
            log.append(stored)
        if write.deadline is None:
            self._deadlines.pop(write.stream, None)
        else:
            self._deadlines[write.stream] = _Due(write.deadline, write.deadline)
        return len(log)


def _check_json(event: NewEvent) -> None:
    try:
        msgspec.json.decode(event.payload)
    except msgspec.DecodeError as error:
        raise UnstorableError(f"event {event.name!r} is not JSON: {error}") from error
