"""Real processes for tests of what dies: started as modules of this folder, spoken to by lines, killed by their id."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[3]


class Child:
    """A process of one of the programs here. Its lines on stdout are read one after another."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str, *arguments: str) -> Self:
        """Run `tests.libs.eventlog.<module>` with these arguments."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"tests.libs.eventlog.{module}",
            *arguments,
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        return cls(process)

    async def line(self, within_s: float = 20) -> str:
        """The next line; an empty one when the process has ended."""
        assert self._process.stdout is not None
        async with asyncio.timeout(within_s):
            return (await self._process.stdout.readline()).decode().strip()

    async def ask(self, request: str, within_s: float = 20) -> str:
        """Send a line and give the next line of the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{request}\n".encode())
        await self._process.stdin.drain()
        return await self.line(within_s)

    async def lines(self, within_s: float = 60) -> list[str]:
        """All lines until the process ends by itself."""
        assert self._process.stdout is not None
        async with asyncio.timeout(within_s):
            text = await self._process.stdout.read()
            await self._process.wait()
        return text.decode().splitlines()

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.returncode

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    async def kill(self) -> None:
        """`kill -9`, and wait until it is gone."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


def die() -> None:
    """Kill this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)
