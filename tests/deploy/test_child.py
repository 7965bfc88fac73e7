"""A child on a full disk: it dies as often as it must, and is back once there is space."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.local.child import MAX_DEATHS, Child, Plan
from deploy.local.console import Console
from deploy.local.process import Command

DIES_WHILE_FULL = """
import pathlib, sys, time
if pathlib.Path(sys.argv[1]).exists():
    sys.exit("no space left on device")
time.sleep(600)
"""


class Heard(Console):
    """What a person would read, and whether the wait for space is among it."""

    def __init__(self) -> None:
        super().__init__()
        self.waits_for_space = asyncio.Event()

    def warn(self, about: str, line: str, detail: Sequence[str] = ()) -> None:
        super().warn(about, line, detail)
        if line == "is started again once the disk has space":
            self.waits_for_space.set()


async def test_what_keeps_dying_on_a_full_disk_is_back_once_it_has_space(tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.touch()
    pids: list[int] = []

    async def serves(_pid: int) -> bool:
        return not full.exists()

    plan = Plan(
        name="table",
        log=tmp_path / "table.log",
        command=lambda: Command((sys.executable, "-c", DIES_WHILE_FULL, str(full)), dict(os.environ)),
        is_ready=serves,
        started=pids.append,
        is_disk_full=full.exists,
    )
    console = Heard()
    child = Child(plan, console)
    running = asyncio.create_task(child.run())
    async with asyncio.timeout(60):
        await console.waits_for_space.wait()
        # It is left alone until then.
        assert len(pids) == MAX_DEATHS
        full.unlink()
        await child.ready.wait()
    assert len(pids) == MAX_DEATHS + 1
    await child.stop(5.0)
    await running
