"""The outage rule: the platform's own outage never costs a player.

Each replica commits a beat once a second. When none could for over three seconds, the first beat afterwards records
that outage, once, from the last beat to this one, and nothing that is overdue fires before. The runtime then lets the
decider move the running deadline of each stream that the outage fell into.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from datetime import datetime

from libs.eventlog.background import end, run_in_background
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.store import EventStore, Outage


class Liveness:
    """Beats for one replica, and knows the outages.

    `confirm` is what everything that may decide on time awaits first: a beat committed not longer ago than
    `fresh_for_s`. While beats succeed it costs nothing.
    """

    def __init__(
        self,
        store: EventStore,
        *,
        beat_every_s: float = 1.0,
        outage_after_s: float = 3.0,
        patience_s: float = 2.5,
        observations: Observations | None = None,
    ) -> None:
        self._store = store
        self._beat_every_s = beat_every_s
        self._outage_after_s = outage_after_s
        self._patience_s = patience_s
        self._observations: Observations = observations or NoObservations()
        self._beaten_at = -float("inf")
        self._beating = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self.latest: Outage | None = None

    async def start(self) -> None:
        """Beat once, so that an outage that has just ended is recorded, and go on beating. Raises LogUnavailableError."""
        await self._confirm()
        self._task = run_in_background(self._run(), "liveness")

    async def stop(self) -> None:
        """Stop beating."""
        if self._task is not None:
            await end(self._task)
            self._task = None

    @property
    def silent_for_s(self) -> float:
        """How long ago the last beat was committed, in seconds."""
        return time.monotonic() - self._beaten_at

    async def confirm(self) -> None:
        """Return once a beat has been committed lately: an outage that is over is recorded by then.

        Raises LogUnavailableError when none can be, and when a server that says nothing leaves that open for `patience_s`.
        """
        if self.silent_for_s <= self._outage_after_s / 2:
            return
        try:
            async with asyncio.timeout(self._patience_s):
                await self._confirm()
        except TimeoutError as error:
            raise LogUnavailableError(f"no beat was committed within {self._patience_s:g} s") from error

    async def _confirm(self) -> None:
        async with self._beating:
            if self.silent_for_s > self._outage_after_s / 2:
                await self._beat()

    async def outages_since(self, moment: datetime) -> Sequence[Outage]:
        """The outages that ended after a moment, in order; asks the log only when there may be one.

        Raises LogUnavailableError.
        """
        if self.latest is None or self.latest.ended_at <= moment:
            return ()
        return await self._store.outages_since(moment)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._beat_every_s * random.uniform(0.9, 1.0))  # noqa: S311 - jitter
            try:
                async with self._beating:
                    await self._beat()
            except LogUnavailableError:
                # The next beat says how long it lasted; until then `confirm` refuses to go on.
                continue

    async def _beat(self) -> None:
        started = time.monotonic()
        latest = await self._store.beat(self._outage_after_s)
        # The beat was committed after `started`, so it is at most that old.
        self._beaten_at = started
        if latest is not None and latest != self.latest:
            self.latest = latest
            self._observations.outage((latest.ended_at - latest.began_at).total_seconds())
