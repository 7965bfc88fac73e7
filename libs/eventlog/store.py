"""What a log can do: the values that go in and come out, and the protocol that every store keeps.

Two stores keep it, `PostgresStore` and `MemoryStore`, under one contract suite (tests/libs/eventlog/contract).
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

import msgspec

from libs.eventlog.errors import UnstorableError
from libs.eventlog.streams import parse_stream
from libs.eventlog.text import check_storable, check_storable_json

LONGEST_ID: Final = 200
"""Characters of a command id; ids are indexed, and an index takes no more than a few thousand bytes."""


class NewEvent(msgspec.Struct, frozen=True, gc=False):
    """An event as it is written: registered name, schema version, JSON, and its public message if it has one."""

    name: str
    schema_version: int
    payload: bytes
    public_subject: str | None = None
    public_data: bytes | None = None


class StreamWrite(msgspec.Struct, frozen=True):
    """What a command writes to one stream: its events, at least one, after `expected_version`.

    `deadline` is when something next happens by itself there, or None for never. `state_hash` stands on the last event.
    """

    stream: str
    expected_version: int
    events: tuple[NewEvent, ...]
    deadline: datetime | None = None
    state_hash: bytes = b""
    ends_stream: bool = False


class AppendCommand(msgspec.Struct, frozen=True):
    """One command's events, for one stream or several: all of them are appended, or none.

    `id` and `body_hash` are kept on the first event of each stream: the same id with the same hash gets the first
    outcome, and with another hash is refused.
    """

    id: str
    body_hash: bytes
    writes: tuple[StreamWrite, ...]
    actor: str = ""
    correlation_id: str = ""
    causation_id: str = ""
    trace: str = ""


class Span(msgspec.Struct, frozen=True):
    """Where a command's events stand in one stream: versions `from_version + 1` to `to_version`."""

    stream: str
    from_version: int
    to_version: int


class Appended(msgspec.Struct, frozen=True):
    """The command's events are in the log. `positions` holds the last position of each stream's partition."""

    spans: tuple[Span, ...]
    positions: tuple[int, ...]
    recorded_at: datetime

    @property
    def from_version(self) -> int:
        """The version of the first stream before the command."""
        return self.spans[0].from_version

    @property
    def to_version(self) -> int:
        """The version of the first stream after the command."""
        return self.spans[0].to_version


class Duplicate(msgspec.Struct, frozen=True):
    """The command was appended before, with the same body: its first outcome."""

    from_version: int
    to_version: int


class DuplicateMismatch(msgspec.Struct, frozen=True):
    """The command's id was used before in this stream, for another body. Nothing was appended."""


class Conflict(msgspec.Struct, frozen=True):
    """A stream is not at the expected version. Nothing of the command was appended."""

    stream: str
    actual: int


AppendOutcome = Appended | Duplicate | DuplicateMismatch | Conflict


class StoredEvent(msgspec.Struct, frozen=True, gc=False):
    """An event as it stands in the log, with its payload as JSON text: what a replay needs.

    `command_id` stands on the first event of a command and is None on the others; `state_hash` stands on the last.
    """

    stream: str
    partition: int
    version: int
    position: int
    name: str
    schema_version: int
    payload: str
    command_id: str | None
    actor: str
    state_hash: bytes | None
    recorded_at: datetime


class RecordedEvent(StoredEvent, frozen=True, gc=False):
    """An event with all that was recorded of it, for people who read the log. What was not given is empty."""

    ends_stream: bool
    body_hash: bytes | None
    correlation_id: str
    causation_id: str
    trace: str
    public_subject: str | None
    public_data: bytes | None


class Head(msgspec.Struct, frozen=True):
    """A stream's version in the log, and the outcome of a command id that was asked for, if it is there."""

    version: int
    command: Duplicate | DuplicateMismatch | None = None


class OverdueDeadline(msgspec.Struct, frozen=True):
    """A deadline that this replica may now fire: its retry time was pushed on, so no other takes it meanwhile."""

    stream: str
    due_at: datetime
    attempts: int


class Outage(msgspec.Struct, frozen=True):
    """A time in which no replica could commit."""

    began_at: datetime
    ended_at: datetime


class EventStore(Protocol):
    """A log of one service."""

    @property
    def generation(self) -> int:
        """Grows whenever the connection was lost: what is kept warm from before is to be read again."""

    def append(self, command: AppendCommand) -> Awaitable[AppendOutcome]:
        """Append a command's events, all or nothing, and say what became of them.

        Commands given at the same time are committed together; one that fails leaves the others alone. Cancelling the
        wait does not cancel an append that is under way.

        Raises UnstorableError for text that cannot be stored, LogUnavailableError when nothing was appended,
        AppendTimeoutError when the outcome is not known.
        """

    async def read(
        self, stream: str, after_version: int = 0, up_to_version: int | None = None, limit: int = 10_000
    ) -> Sequence[StoredEvent]:
        """The events of a stream in order, after `after_version` and up to `up_to_version`; at most `limit`.

        Raises LogUnavailableError.
        """

    async def read_recorded(
        self, stream: str, after_version: int = 0, up_to_version: int | None = None, limit: int = 1_000
    ) -> Sequence[RecordedEvent]:
        """Like `read`, with all metadata. Raises LogUnavailableError."""

    async def head(self, stream: str, command_id: str | None = None, body_hash: bytes = b"") -> Head:
        """The stream's version (0 when it has no events) and what became of a command id.

        Raises LogUnavailableError.
        """

    async def read_partition(
        self, partition: int, after_position: int = 0, limit: int = 1_000
    ) -> Sequence[StoredEvent]:
        """The events of a partition in order, in pages. Positions are contiguous from 1.

        Raises LogUnavailableError.
        """

    async def heads(self, streams: Sequence[str]) -> Mapping[str, int]:
        """The versions of many streams at once; those without events are left out. Raises LogUnavailableError."""

    async def positions(self) -> Sequence[int]:
        """The last position of each partition, by partition. Raises LogUnavailableError."""

    async def now(self) -> datetime:
        """The database's time. Raises LogUnavailableError."""

    async def claim_overdue(
        self, category: str, *, overdue_s: float, limit: int
    ) -> Sequence[OverdueDeadline]:
        """Take deadlines of a category that are overdue by `overdue_s`, longest first, and push their retry time on.

        The claim is committed before this returns and holds no lock. Raises LogUnavailableError.
        """

    async def beat(self, outage_after_s: float) -> Outage | None:
        """Say that this replica can commit. When none could for over `outage_after_s`, that is recorded, once.

        Returns the latest outage, whichever replica recorded it. Raises LogUnavailableError.
        """

    async def outages_since(self, moment: datetime) -> Sequence[Outage]:
        """The recorded outages that ended after a moment, in order. Raises LogUnavailableError."""


def check_command(command: AppendCommand) -> None:
    """Refuse a command that no log can store, before it is given to one.

    Raises UnstorableError for text and for an id that no index takes, StreamIdError for a stream, ValueError for a command without events.
    """
    if not 0 < len(command.id) <= LONGEST_ID:
        raise UnstorableError(f"a command id has 1 to {LONGEST_ID} characters, not {len(command.id)}")
    check_storable(command.id, "command id")
    check_storable(command.actor, "actor")
    check_storable(command.correlation_id, "correlation id")
    check_storable(command.causation_id, "causation id")
    check_storable(command.trace, "trace")
    if not command.writes:
        raise ValueError("a command needs at least one write")
    if len({write.stream for write in command.writes}) != len(command.writes):
        raise ValueError("a command writes to each stream once")
    for write in command.writes:
        parse_stream(write.stream)
        if not write.events:
            raise ValueError(f"a command without events for {write.stream}")
        for event in write.events:
            if b"\\u0000" in event.payload:
                check_storable_json(event.payload, f"event {event.name!r}")
