"""How many wait, and where."""

from __future__ import annotations

import asyncio
from typing import Final

from prometheus_client import CollectorRegistry, Gauge

from libs.eventlog.errors import LogUnavailableError
from services.matchmaking.reads import Reads

EVERY_S: Final = 5.0


class MatchmakingMetrics:
    """Gauges that are read from the projection."""

    def __init__(self, registry: CollectorRegistry, reads: Reads) -> None:
        self._reads = reads
        self._waiting = Gauge(
            "carteado_matchmaking_waiting",
            "What waits or is under way: open tables, tickets of the queues, matches that are not over",
            ["what"],
            registry=registry,
        )

    async def run(self) -> None:
        """Counts until cancelled."""
        while True:
            try:
                counts = await self._reads.counts()
            except LogUnavailableError:
                counts = None
            for what, count in zip(("open_tables", "tickets", "matches"), counts or (), strict=False):
                self._waiting.labels(what).set(count)
            await asyncio.sleep(EVERY_S)
