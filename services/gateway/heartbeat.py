"""Finding out that a silent connection has nobody at its other end any more.

aiohttp has a heartbeat too; with it, what belonged to a closed socket refers to itself and stays until the collector comes by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Heartbeat:
    """Asks when nothing has been heard for a while; gives up when there is no answer for half of that."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        every_s: float,
        ask: Callable[[], None],
        give_up: Callable[[], None],
    ) -> None:
        """Begins at once. `ask` is called once for each silence, `give_up` once at most."""
        self._loop = loop
        self._every_s = every_s
        self._ask = ask
        self._give_up = give_up
        self._heard_at_s = loop.time()
        self._asked_at_s: float | None = None
        self._timer = loop.call_later(every_s, self._look)

    def heard(self) -> None:
        """Something came."""
        self._heard_at_s = self._loop.time()

    def stop(self) -> None:
        """Asks no more, and lets go of whom it would have told."""
        self._timer.cancel()
        self._ask = self._give_up = _nobody

    def _look(self) -> None:
        now_s = self._loop.time()
        if self._asked_at_s is not None and self._heard_at_s < self._asked_at_s:
            self._give_up()
            return
        next_s = self._heard_at_s + self._every_s - now_s
        self._asked_at_s = None
        if next_s <= 0:
            self._asked_at_s = now_s
            self._ask()
            next_s = self._every_s / 2
        self._timer = self._loop.call_later(next_s, self._look)


def _nobody() -> None:
    """In place of who was told."""
