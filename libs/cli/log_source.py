"""What a service announces of its log, so that the command can work on it without importing services.

Services announce theirs under the entry-point group `carteado.logs` in pyproject.toml: every one as a `ServiceLog`, and
one whose streams people read as stories as a `LogSource`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.eventlog.committed import CommittedCommand
from libs.eventlog.connections import Connection
from libs.eventlog.decider import Decider
from libs.eventlog.projection import Projection
from libs.eventlog.registry import EventRegistry

GROUP = "carteado.logs"


class ServiceLog(Protocol):
    """One service's log."""

    @property
    def name(self) -> str:
        """The service."""

    @property
    def registry(self) -> EventRegistry[Any]:
        """Reads all events of its log."""

    @property
    def projections(self) -> Sequence[Projection[Any]]:
        """What is kept up with it."""


@runtime_checkable
class LogSource(ServiceLog, Protocol):
    """A log of one kind of streams, which can be told; the state and event types are the service's own.

    `name` is also the first part of its stream ids.
    """

    @property
    def decider(self) -> Decider[Any, Any, Any, Any, Any, Any]:
        """Replays the log."""

    def is_public(self, state: Any) -> bool:  # noqa: ANN401 -- the service's own type
        """Whether everything in the stream may be shown."""

    def seats(self, state: Any) -> int:  # noqa: ANN401 -- the service's own type
        """How many seats there are to look from."""

    def describe(self, state: Any) -> str:  # noqa: ANN401 -- the service's own type
        """The aggregate in a line."""

    async def listed(self, connection: Connection, ids: Sequence[str]) -> Mapping[str, tuple[str, bool]]:
        """What `describe` gives, of the aggregates that a projection knows; and whether they have ended there.

        Raises psycopg.Error when the projection is not there.
        """

    def tell(self, event: Any) -> str:  # noqa: ANN401 -- the service's own type
        """A line for an event, or for what a viewer was told of it."""

    def is_detail(self, event: Any) -> bool:  # noqa: ANN401 -- the service's own type
        """Whether a story is better read without this event."""

    def picture(self, view: Any) -> Sequence[str]:  # noqa: ANN401 -- the service's own type
        """A view in lines."""

    def notation(self, commands: Sequence[CommittedCommand[Any, Any]], at: int | None) -> str:
        """The match as docs/notation.md has it, up to the last move done by this version; it holds every card."""

    def problems(self, commands: Sequence[CommittedCommand[Any, Any]]) -> Iterable[str]:
        """What is wrong with a stream beyond what every log is checked for."""


def service_log(name: str) -> ServiceLog:
    """The log that the service `name` announces; raises ExpectedError when none does."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise ExpectedError(
            f"no installed service announces a log named {name!r}",
            f"known: {', '.join(sorted(found)) or 'none; install carteado[table]'}",
            EXIT_REFUSED,
        )
    log: ServiceLog = found[name].load()
    return log


def log_source(name: str) -> LogSource:
    """The same, of a log that can be told; raises ExpectedError when it is not one."""
    log = service_log(name)
    if not isinstance(log, LogSource):
        raise ExpectedError(f"the log of {name} has no stories to tell", "", EXIT_REFUSED)
    return log
