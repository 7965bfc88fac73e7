"""What the log tells about itself. The core knows no metrics library: a service gives an implementation."""

from __future__ import annotations

from typing import Literal, Protocol

CommandResult = Literal["committed", "duplicate", "rejected", "failed"]


class Observations(Protocol):
    """Told of every step; must not raise and must not block."""

    def command(self, category: str, result: CommandResult, code: str, seconds: float) -> None:
        """A command was answered. `code` is the rejection's or the error's name, else empty."""

    def conflict(self, category: str) -> None:
        """Another writer was faster; the command is decided again."""

    def replayed(self, category: str, events: int, seconds: float) -> None:
        """Events were read and folded into a state."""

    def group(self, commands: int, seconds: float) -> None:
        """A group of commands was committed in one statement."""

    def connection_lost(self) -> None:
        """The append connection was lost."""

    def deadline_fired(self, category: str, late_s: float) -> None:
        """A deadline's command was given, so many seconds after it was due."""

    def deadline_failed(self, category: str) -> None:
        """A deadline's command could not be decided; a sweep takes it again."""

    def outage(self, seconds: float) -> None:
        """An outage was recorded."""

    def relayed(self, partition: int, messages: int) -> None:
        """Public messages were published and their checkpoint stored."""

    def relay_backlog(self, partition: int, messages: int, age_s: float) -> None:
        """How many public messages wait in a partition, and the age of the oldest."""

    def relay_failed(self, partition: int) -> None:
        """A public message could not be published; it will be tried again."""

    def reaction(self, durable: str, result: Literal["done", "again", "parked"]) -> None:
        """A message was handled."""

    def parked(self, durable: str, messages: int) -> None:
        """How many messages of a consumer are parked now."""

    def projected(self, projection: str, events: int, seconds: float) -> None:
        """Events were applied to a projection, together with their checkpoint."""

    def projection_lag(self, projection: str, events: int, age_s: float) -> None:
        """How many events a projection is behind, and the age of the oldest of them."""

    def projection_failed(self, projection: str, partition: int) -> None:
        """A projection stands still in a partition; it will be tried again."""


class NoObservations:
    """Tells nobody."""

    def command(self, category: str, result: CommandResult, code: str, seconds: float) -> None:
        """See `Observations.command`."""

    def conflict(self, category: str) -> None:
        """See `Observations.conflict`."""

    def replayed(self, category: str, events: int, seconds: float) -> None:
        """See `Observations.replayed`."""

    def group(self, commands: int, seconds: float) -> None:
        """See `Observations.group`."""

    def connection_lost(self) -> None:
        """See `Observations.connection_lost`."""

    def deadline_fired(self, category: str, late_s: float) -> None:
        """See `Observations.deadline_fired`."""

    def deadline_failed(self, category: str) -> None:
        """See `Observations.deadline_failed`."""

    def outage(self, seconds: float) -> None:
        """See `Observations.outage`."""

    def relayed(self, partition: int, messages: int) -> None:
        """See `Observations.relayed`."""

    def relay_backlog(self, partition: int, messages: int, age_s: float) -> None:
        """See `Observations.relay_backlog`."""

    def relay_failed(self, partition: int) -> None:
        """See `Observations.relay_failed`."""

    def reaction(self, durable: str, result: Literal["done", "again", "parked"]) -> None:
        """See `Observations.reaction`."""

    def parked(self, durable: str, messages: int) -> None:
        """See `Observations.parked`."""

    def projected(self, projection: str, events: int, seconds: float) -> None:
        """See `Observations.projected`."""

    def projection_lag(self, projection: str, events: int, age_s: float) -> None:
        """See `Observations.projection_lag`."""

    def projection_failed(self, projection: str, partition: int) -> None:
        """See `Observations.projection_failed`."""
