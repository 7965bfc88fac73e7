"""Every error that the log raises, in one place. A refusal is never one of them: it is a `Rejection`, a value.

Each says what an operator or a caller needs to act on; the services map them to gRPC statuses.
"""

from __future__ import annotations


class EventLogError(Exception):
    """The base of all errors of this package."""


class StreamIdError(EventLogError):
    """A stream id that does not have the form `<category>-<partition>-<id>`, or whose partition is not its id's."""


class UnstorableError(EventLogError):
    """A value that Postgres cannot store as text or JSONB, such as U+0000 or a lone surrogate (fault B100).

    It is the caller's fault: an edge answers INVALID_ARGUMENT. Nothing was appended.
    """


class RegistryError(EventLogError):
    """The event registry contradicts itself; raised when the service starts."""


class UnknownEventError(EventLogError):
    """A stored event that this code cannot read: its type is not registered, or its schema version is newer.

    Never skipped: what cannot be read stops the reader, with the place where it stands.
    """

    def __init__(
        self,
        name: str,
        schema_version: int,
        reason: str,
        *,
        stream: str = "",
        version: int = 0,
        partition: int = -1,
        position: int = 0,
    ) -> None:
        place = f" at {stream} version {version}, partition {partition} position {position}" if stream else ""
        super().__init__(f"event {name!r} (schema version {schema_version}){place}: {reason}")
        self.name = name
        self.schema_version = schema_version
        self.reason = reason
        self.stream = stream
        self.version = version
        self.partition = partition
        self.position = position


class LogCorruptError(EventLogError):
    """The log does not say what it must: versions or positions are not contiguous."""


class LogUnavailableError(EventLogError):
    """The log cannot be reached or its queue is full; the command was *not* appended and may be sent again."""


class AppendTimeoutError(EventLogError):
    """The deadline of a command passed while its append was under way: its outcome is not known.

    The same command id sent again gets the outcome.
    """


class StreamBusyError(EventLogError):
    """Too many commands wait for one stream on this replica; the command was not looked at."""


class ContentionError(EventLogError):
    """Other writers won the race for a stream's next version again and again; the command was not appended."""


class EmptyDecisionError(EventLogError):
    """A decider returned no event for a command that it did not refuse: a bug of that decider."""


class DatabaseNewerThanCodeError(EventLogError):
    """The database was migrated by a newer release; this one refuses to touch it."""


class MigrationChangedError(EventLogError):
    """A migration that was applied has another text now; migrations are never edited."""


class PartitionCountError(EventLogError):
    """The database was made with another number of partitions than this code has."""


class ProjectionChangedError(EventLogError):
    """A projection's tables were made by other SQL than this release has, under the same version."""


class RebuildUnderWayError(EventLogError):
    """Somebody else is rebuilding this projection now."""
