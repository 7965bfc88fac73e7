"""Tasks that run beside the callers: one that ends by a bug is never silent.

A task that must run for as long as the process (`run_in_background`) reports its failure to whoever watches the process,
which ends it: a replica that is started anew is better than one whose relay or clock has stopped. Work for one caller or
one stream (`run_once`) that fails is logged, and concerns nobody else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any, Final

log = logging.getLogger(__name__)

OnFailure = Callable[[str, BaseException], None]

_on_failure: Final[ContextVar[OnFailure | None]] = ContextVar("on_failure", default=None)


def watch_background(on_failure: OnFailure) -> None:
    """Have `on_failure(name, error)` told of each failed task of `run_in_background` that is started from here.

    "From here" is this context and what is started in it (`contextvars`): a service watches before it builds its parts,
    and none of them has to know.
    """
    _on_failure.set(on_failure)


def run_in_background(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Start a task that is to run until it is cancelled or closed; keep it. Its failure is reported at once."""
    on_failure = _on_failure.get()

    def report(task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.critical("%s has ended by a bug", name, exc_info=error)
            if on_failure is not None:
                on_failure(name, error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(report)
    return task


def run_once(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Start a task for one caller or one stream; keep it. Its failure is logged."""

    def report(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s has failed", name, exc_info=error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(report)
    return task


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks and wait until they are over; what they failed with was reported."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
