"""Waiting for what announces itself to nobody, such as a row of another process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], Awaitable[bool]], within_s: float = 20) -> None:
    """Look every ten milliseconds until a condition holds."""
    for _ in range(int(within_s * 100)):
        if await condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"not within {within_s} s: {condition}")
