"""When the collector walks over what lives: at set times, and then only over what is new.

Most values of a service are freed when nobody refers to them any more; the collector is for what refers to itself. By
default it walks over all survivors as soon as there are a quarter more of them, and stops every call for as long as that
takes: 70 ms in a gateway with a thousand sockets, several times a second while they come.

So what has outlived a walk is set aside, and later walks pass it over. What is set aside and then refers to itself alone is
found when the process has grown so much that a walk over everything is worth its pause.
"""

from __future__ import annotations

import asyncio
import gc
import random
import resource
from collections.abc import Callable
from pathlib import Path

_STATM = Path("/proc/self/statm")

_YOUNG = 10_000
"""Objects made, less those freed, before the youngest are looked at, and four times as many before the next older: some ms."""

_FULL = 50
"""Of these, before all are that are not set aside: two million; ordinary traffic never comes to it."""

EVERY_S = 1.0
"""The mean pause between two walks over what is new: in a service in full play one takes some 3 ms."""

_GROWN = 2
"""Everything is walked over when the process is so many times as large as at the last such walk: memory has a bound by it."""


def settle() -> None:
    """Sets aside what has been loaded until now, and has the collector itself walk rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, 3, _FULL)


def memory() -> int:
    """How large this process is, always in the same unit; at most, where there is no /proc.

    It stands for how much is set aside: to count that would take 10 ms.
    """
    try:
        return int(_STATM.read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


async def collect_at_times(every_s: float = EVERY_S) -> None:
    """Walks about so often, replicas at different moments; until cancelled."""
    chance = random.SystemRandom()
    size = memory()
    while True:
        await asyncio.sleep(every_s * chance.uniform(0.75, 1.25))
        size = walk(size)


def walk(size: int, measure: Callable[[], int] = memory) -> int:
    """One walk; `size` is how large the process was at the last one over everything, and so is what it gives."""
    now = measure()
    is_whole = now > _GROWN * size
    if is_whole:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    return now if is_whole else size
