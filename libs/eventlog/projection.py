"""A projection: tables of rows that follow from the log, and nothing else.

It is a value: a name, a version, the SQL that makes its tables, and `apply`, which writes what one event changes. Who
runs it, how far it has come and how it is built anew is none of its business: see `projection_build.py`,
`projector.py` and `rebuild.py`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from importlib import resources
from typing import Any, Final, Generic, TypeVar

import msgspec

from libs.eventlog.connections import Connection
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import StoredEvent

Event = TypeVar("Event")

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")


class LogEvent(msgspec.Struct, Generic[Event], frozen=True, gc=False):
    """An event with its place in the log: `event` is read by today's registry, old payloads are upcast."""

    stored: StoredEvent
    event: Event


class Projection(msgspec.Struct, Generic[Event], frozen=True):
    """Tables of rows that follow from the log.

    `tables` is the SQL that makes them, run with their schema as the only one in the search path. `apply` writes what an
    event changes through the connection that it is given, in a transaction that it neither begins nor ends, and with
    the same search path. Events of one stream come in order; those of two partitions come in any order, and may come
    at the same time.

    `reads` names the event types that `apply` is called for; without any it is called for all. Events of the others are
    counted where they lie and not fetched, but one of a type that the registry does not know is never passed over.

    A release that changes `tables` or the meaning of `apply` raises `version` by one. The two versions then lie side by
    side, each kept up by its own release; the one before is dropped with the version after.
    """

    name: str
    version: int
    tables: str
    registry: EventRegistry[Event]
    apply: Callable[[Connection, LogEvent[Event]], Awaitable[None]]
    reads: tuple[type[Any], ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for a name that makes no schema."""
        if _NAME.fullmatch(self.name) is None or self.version < 1:
            raise ValueError(f"{self.name!r} version {self.version} does not name a projection")

    @property
    def schema(self) -> str:
        """Where its rows are read: `projection_<name>_v<version>`, also while it is being rebuilt."""
        return f"projection_{self.name}_v{self.version}"

    @property
    def passed_over(self) -> list[str]:
        """The stored names of the known event types that change nothing here."""
        if not self.reads:
            return []
        return [name for name, _, event_type in self.registry.types() if event_type not in self.reads]

    @property
    def fingerprint(self) -> str:
        """Tells whether existing tables were made by this SQL."""
        return f"projection {self.name}, version {self.version}, {sha256(self.tables.encode()).hexdigest()}"


def read_tables(package: str, file: str) -> str:
    """The SQL of a projection's tables, which lies beside its code."""
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")
