"""When the collector walks over everything that lives: at set times, not whenever many objects have been made.

Most values of a service are freed when nobody refers to them any more; the collector is for what refers to itself. By
default it walks over all survivors as soon as there are a quarter more of them, and stops every call for as long as that
takes: 70 ms in a gateway with a thousand sockets, several times a second while they come.
"""

from __future__ import annotations

import asyncio
import gc
import random

_YOUNG = 10_000
"""Objects made, less those freed, before the youngest are looked at, and four times as many before the next older: some ms."""

_FULL = 50
"""Of these, before everything is: two million, so that growth has a bound and ordinary traffic never comes to it."""

FULL_EVERY_S = 60.0
"""The mean pause between two walks over everything; what refers to itself and has grown old waits for it."""


def settle() -> None:
    """Leaves out of every later walk what has been loaded until now, and makes walks over all the rest rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, 3, _FULL)


async def collect_at_times(every_s: float = FULL_EVERY_S) -> None:
    """Walks over everything about so often, replicas at different moments; until cancelled."""
    chance = random.SystemRandom()
    while True:
        await asyncio.sleep(every_s * chance.uniform(0.75, 1.25))
        gc.collect()
