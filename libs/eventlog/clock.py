"""Time is the database's: every replica stamps commands with the same clock.

A process keeps how far its monotonic clock is from the database's time. Its own wall clock is never asked, so a jump of
that clock changes nothing (fault B082).
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final

from libs.eventlog.background import end, run_in_background
from libs.eventlog.errors import LogUnavailableError

_SAMPLES: Final = 5


class DatabaseClock:
    """The database's time, kept by the monotonic clock. `ask` is `EventStore.now`."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[datetime]],
        *,
        refresh_every_s: float = 30.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._refresh_every_s = refresh_every_s
        self._monotonic = monotonic
        self._offset_s: float | None = None
        self._task: asyncio.Task[None] | None = None
        self.uncertainty_s = float("inf")

    async def start(self) -> None:
        """Ask once, and again from time to time. Raises LogUnavailableError."""
        await self.refresh()
        self._task = run_in_background(self._run(), "database clock")

    async def stop(self) -> None:
        """Ask no more; `now` goes on."""
        if self._task is not None:
            await end(self._task)
            self._task = None

    def now(self) -> datetime:
        """The database's time, in UTC. Raises RuntimeError before `start`."""
        if self._offset_s is None:
            raise RuntimeError("the clock has not been started")
        return datetime.fromtimestamp(self._monotonic() + self._offset_s, UTC)

    async def refresh(self) -> None:
        """Ask the database a few times and believe the quickest answer: its half way is the uncertainty.

        A difference within the uncertainty moves nothing, so that the clock does not tremble.

        Raises LogUnavailableError.
        """
        best_offset_s, best_s = 0.0, float("inf")
        for _ in range(_SAMPLES):
            asked = self._monotonic()
            told = await self._ask()
            half_way_s = (self._monotonic() - asked) / 2
            if half_way_s < best_s:
                best_offset_s, best_s = told.timestamp() - (asked + half_way_s), half_way_s
        if self._offset_s is None or abs(best_offset_s - self._offset_s) > best_s:
            self._offset_s, self.uncertainty_s = best_offset_s, best_s

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._refresh_every_s * random.uniform(0.8, 1.0))  # noqa: S311 - jitter
            try:
                await self.refresh()
            except LogUnavailableError:
                # The monotonic clock goes on; a refresh is only against drift.
                continue
