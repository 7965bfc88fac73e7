"""What a service announces of its log, so that the command can replay, tell and check it without importing services.

Services announce theirs under the entry-point group `carteado.logs` in pyproject.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.eventlog.committed import CommittedCommand
from libs.eventlog.decider import Decider
from libs.eventlog.registry import EventRegistry

GROUP = "carteado.logs"


class LogSource(Protocol):
    """One service's log; the state and event types are the service's own."""

    @property
    def name(self) -> str:
        """The service, and the first part of its stream ids."""

    @property
    def decider(self) -> Decider[Any, Any, Any, Any, Any, Any]:
        """Replays the log."""

    @property
    def registry(self) -> EventRegistry[Any]:
        """Reads its events."""

    def is_public(self, state: Any) -> bool:  # noqa: ANN401 -- the service's own type
        """Whether everything in the stream may be shown."""

    def seats(self, state: Any) -> int:  # noqa: ANN401 -- the service's own type
        """How many seats there are to look from."""

    def describe(self, state: Any) -> str:  # noqa: ANN401 -- the service's own type
        """The aggregate in a line."""

    def tell(self, event: Any) -> str:  # noqa: ANN401 -- the service's own type
        """A line for an event, or for what a viewer was told of it."""

    def is_detail(self, event: Any) -> bool:  # noqa: ANN401 -- the service's own type
        """Whether a story is better read without this event."""

    def picture(self, view: Any) -> Sequence[str]:  # noqa: ANN401 -- the service's own type
        """A view in lines."""

    def problems(self, commands: Sequence[CommittedCommand[Any, Any]]) -> Iterable[str]:
        """What is wrong with a stream beyond what every log is checked for."""


def log_source(name: str) -> LogSource:
    """The log that the service `name` announces; raises ExpectedError when none does."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise ExpectedError(
            f"no installed service announces a log named {name!r}",
            f"known: {', '.join(sorted(found)) or 'none; install carteado[table]'}",
            EXIT_REFUSED,
        )
    source: LogSource = found[name].load()
    return source
