"""What a caller is told when the event log raises: its errors as codes of the common catalogue."""

from __future__ import annotations

from libs.eventlog.errors import (
    AppendTimeoutError,
    ContentionError,
    EventLogError,
    LogUnavailableError,
    StreamBusyError,
    StreamIdError,
    UnstorableError,
)
from libs.service.errors import (
    DEADLINE_EXCEEDED,
    INVALID_ARGUMENT,
    OVERLOADED,
    UNAVAILABLE,
    ErrorCode,
    ServiceError,
)

_CODES: tuple[tuple[type[EventLogError], ErrorCode], ...] = (
    (LogUnavailableError, UNAVAILABLE),
    (ContentionError, UNAVAILABLE),
    (StreamBusyError, OVERLOADED),
    (AppendTimeoutError, DEADLINE_EXCEEDED),
    (UnstorableError, INVALID_ARGUMENT),
    (StreamIdError, INVALID_ARGUMENT),
)


def service_error_of(error: EventLogError) -> ServiceError | None:
    """The error to answer with, or None if this one is a bug or a damaged log: that is INTERNAL, and to be logged."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code.error()
    return None
