"""Tasks that run for as long as the service: one that ends by a bug is never silent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger(__name__)


def run_in_background(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Start a task; when it ends by an exception, that is logged at once as critical. Keep the task, and cancel it."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_report)
    return task


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.critical("%s has ended by a bug", task.get_name(), exc_info=error)
