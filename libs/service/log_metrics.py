"""What the event log tells about itself, as Prometheus metrics."""

from __future__ import annotations

from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from libs.eventlog.metrics import CommandResult

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LATE_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
_COMMANDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class LogMetrics:
    """Satisfies `libs.eventlog.metrics.Observations`; one per registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Registers the metrics."""
        self._commands = Counter(
            "carteado_commands",
            "Commands answered; `code` is the rejection's code or the error's name",
            ["category", "result", "code"],
            registry=registry,
        )
        self._command_seconds = Histogram(
            "carteado_command_seconds",
            "Seconds from a command's receipt to its answer",
            ["category"],
            buckets=_SECONDS,
            registry=registry,
        )
        # Looked up once: finding them by their labels costs more than counting does.
        self._answered: dict[tuple[str, CommandResult, str], tuple[Counter, Histogram]] = {}
        self._conflicts = Counter(
            "carteado_append_conflicts",
            "Decisions overtaken by another writer",
            ["category"],
            registry=registry,
        )
        self._replayed = Counter(
            "carteado_events_replayed", "Events read and folded into a state", ["category"], registry=registry
        )
        self._replay_seconds = Histogram(
            "carteado_replay_seconds",
            "Seconds to read and fold a stream or its tail",
            ["category"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._group = Histogram(
            "carteado_append_group_commands",
            "Commands committed by one statement",
            buckets=_COMMANDS,
            registry=registry,
        )
        self._append_seconds = Histogram(
            "carteado_append_seconds", "Seconds of one group commit", buckets=_SECONDS, registry=registry
        )
        self._connections_lost = Counter(
            "carteado_log_connections_lost", "Append connections lost", registry=registry
        )
        self._late_seconds = Histogram(
            "carteado_deadline_late_seconds",
            "Seconds from a deadline to its command",
            ["category"],
            buckets=_LATE_SECONDS,
            registry=registry,
        )
        self._deadline_failures = Counter(
            "carteado_deadline_failures",
            "Deadlines whose command could not be decided at once",
            ["category"],
            registry=registry,
        )
        self._outages = Counter(
            "carteado_log_outages", "Outages of the log that this replica recorded", registry=registry
        )
        self._outage_seconds = Counter(
            "carteado_log_outage_seconds", "Seconds of these outages", registry=registry
        )
        self._relayed = Counter(
            "carteado_relay_messages", "Public messages published", ["partition"], registry=registry
        )
        self._backlog = Gauge(
            "carteado_relay_backlog_messages",
            "Public messages that wait in the log",
            ["partition"],
            registry=registry,
        )
        self._backlog_age = Gauge(
            "carteado_relay_backlog_age_seconds",
            "Age of the oldest public message that waits",
            ["partition"],
            registry=registry,
        )
        self._relay_failures = Counter(
            "carteado_relay_failures",
            "Public messages that could not be published at once",
            ["partition"],
            registry=registry,
        )
        self._reactions = Counter(
            "carteado_reactions",
            "Messages of other services handled",
            ["durable", "result"],
            registry=registry,
        )
        self._parked = Gauge(
            "carteado_parked_messages",
            "Messages put aside that wait for an operator",
            ["durable"],
            registry=registry,
        )

        self._projected = Counter(
            "carteado_projection_events", "Events applied to a projection", ["projection"], registry=registry
        )
        self._projection_seconds = Histogram(
            "carteado_projection_page_seconds",
            "Seconds of one page of events with its checkpoint",
            ["projection"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._projection_lag = Gauge(
            "carteado_projection_lag_events",
            "Events that a projection is behind the log",
            ["projection"],
            registry=registry,
        )
        self._projection_lag_age = Gauge(
            "carteado_projection_lag_seconds",
            "Age of the oldest event that a projection has not applied",
            ["projection"],
            registry=registry,
        )
        self._projection_failures = Counter(
            "carteado_projection_failures",
            "Pages that could not be applied; the projection stands still there",
            ["projection", "partition"],
            registry=registry,
        )

    def command(self, category: str, result: CommandResult, code: str, seconds: float) -> None:
        """A command was answered."""
        answered = self._answered.get((category, result, code))
        if answered is None:
            counter = self._commands.labels(category, result, code)
            answered = counter, self._command_seconds.labels(category)
            self._answered[category, result, code] = answered
        counter, histogram = answered
        counter.inc()
        histogram.observe(seconds)

    def conflict(self, category: str) -> None:
        """Another writer was faster."""
        self._conflicts.labels(category).inc()

    def replayed(self, category: str, events: int, seconds: float) -> None:
        """Events were read and folded."""
        self._replayed.labels(category).inc(events)
        self._replay_seconds.labels(category).observe(seconds)

    def group(self, commands: int, seconds: float) -> None:
        """A group was committed."""
        self._group.observe(commands)
        self._append_seconds.observe(seconds)

    def connection_lost(self) -> None:
        """The append connection was lost."""
        self._connections_lost.inc()

    def deadline_fired(self, category: str, late_s: float) -> None:
        """A deadline's command was given."""
        self._late_seconds.labels(category).observe(late_s)

    def deadline_failed(self, category: str) -> None:
        """A deadline's command could not be decided at once."""
        self._deadline_failures.labels(category).inc()

    def outage(self, seconds: float) -> None:
        """An outage was recorded."""
        self._outages.inc()
        self._outage_seconds.inc(seconds)

    def relayed(self, partition: int, messages: int) -> None:
        """Public messages were published."""
        self._relayed.labels(str(partition)).inc(messages)

    def relay_backlog(self, partition: int, messages: int, age_s: float) -> None:
        """So many public messages wait."""
        self._backlog.labels(str(partition)).set(messages)
        self._backlog_age.labels(str(partition)).set(age_s)

    def relay_failed(self, partition: int) -> None:
        """A public message could not be published."""
        self._relay_failures.labels(str(partition)).inc()

    def reaction(self, durable: str, result: Literal["done", "again", "parked"]) -> None:
        """A message was handled."""
        self._reactions.labels(durable, result).inc()

    def projected(self, projection: str, events: int, seconds: float) -> None:
        """Events were applied to a projection."""
        self._projected.labels(projection).inc(events)
        self._projection_seconds.labels(projection).observe(seconds)

    def projection_lag(self, projection: str, events: int, age_s: float) -> None:
        """A projection is so far behind."""
        self._projection_lag.labels(projection).set(events)
        self._projection_lag_age.labels(projection).set(age_s)

    def projection_failed(self, projection: str, partition: int) -> None:
        """A projection stands still in a partition."""
        self._projection_failures.labels(projection, str(partition)).inc()

    def parked(self, durable: str, messages: int) -> None:
        """So many messages of a consumer are parked now."""
        self._parked.labels(durable).set(messages)
