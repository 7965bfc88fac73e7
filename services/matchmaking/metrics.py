"""How many wait, where and for how long, who matches them, and ends that were not heard of (docs/operators.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from libs.eventlog.errors import LogUnavailableError
from libs.rules.registry import GAMES
from services.matchmaking.queue import Ticket
from services.matchmaking.reads import Reads

EVERY_S: Final = 5.0
RANKED: Final = tuple(preset for preset in GAMES if "@" not in preset)
"""The games that have a queue."""

_WAITS_S: Final = (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800)


class MatchmakingMetrics:
    """What is served at `/metrics`; gauges of what waits are read from the projection."""

    def __init__(self, registry: CollectorRegistry, reads: Reads, now: Callable[[], datetime]) -> None:
        self._reads = reads
        self._now = now
        self._waiting = Gauge(
            "carteado_matchmaking_waiting",
            "What waits or is under way: open tables, tickets of the queues, matches that are not over",
            ["what"],
            registry=registry,
        )
        self._tickets = Gauge(
            "carteado_matchmaking_tickets",
            "Players who wait for a ranked match, by game",
            ["preset"],
            registry=registry,
        )
        self._oldest = Gauge(
            "carteado_matchmaking_longest_wait_seconds",
            "For how long the first of a queue has waited by now; 0 when nobody waits",
            ["preset"],
            registry=registry,
        )
        self._to_match = Histogram(
            "carteado_matchmaking_seconds_to_match",
            "Seconds from a player's ticket to the ranked match that it became a seat of",
            ["preset"],
            buckets=_WAITS_S,
            registry=registry,
        )
        self._is_matcher = Gauge(
            "carteado_matchmaking_is_matcher",
            "1 for the replica that forms ranked matches now",
            registry=registry,
        )
        self._lost_ends = Counter(
            "carteado_matchmaking_lost_ends",
            "Matches whose end was found by asking the table service, as no message of it had come",
            registry=registry,
        )
        self._gone = Counter(
            "carteado_matchmaking_gone",
            "Players who were taken out of a queue or from an open table, as their client asked no more",
            registry=registry,
        )
        for preset in RANKED:
            self._tickets.labels(preset).set(0)
            self._oldest.labels(preset).set(0)
            self._to_match.labels(preset)

    def matched(self, preset: str, waited_s: Iterable[float]) -> None:
        """A ranked match was formed of players who had waited so long."""
        for seconds in waited_s:
            self._to_match.labels(preset).observe(max(0.0, seconds))

    def set_matcher(self, *, is_matcher: bool) -> None:
        """Whether this replica forms ranked matches now."""
        self._is_matcher.set(is_matcher)

    def end_was_lost(self) -> None:
        """A match was over, and nobody had said so."""
        self._lost_ends.inc()

    def is_gone(self) -> None:
        """A player who waited was taken out: nobody looked any more."""
        self._gone.inc()

    async def run(self) -> None:
        """Counts until cancelled."""
        while True:
            # The log's own metrics tell of its absence; what was counted last stands.
            with suppress(LogUnavailableError):
                await self.count()
            await asyncio.sleep(EVERY_S)

    async def count(self) -> None:
        """Counts once. Raises LogUnavailableError."""
        for what, count in zip(
            ("open_tables", "tickets", "matches"), await self._reads.counts(), strict=True
        ):
            self._waiting.labels(what).set(count)
        waiting: dict[str, list[Ticket]] = {preset: [] for preset in RANKED}
        for ticket in await self._reads.tickets():
            waiting.setdefault(ticket.preset, []).append(ticket)
        now = self._now()
        for preset, tickets in waiting.items():
            self._tickets.labels(preset).set(len(tickets))
            first = min((ticket.since for ticket in tickets), default=now)
            self._oldest.labels(preset).set(max(0.0, (now - first).total_seconds()))
