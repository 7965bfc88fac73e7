"""A service as a process of its own, started, stopped and killed by a test."""

import asyncio
import signal
import sys
from collections.abc import Mapping

import aiohttp


class ServiceProcess:
    """`python -m services.<name>`."""

    def __init__(self, name: str, environ: Mapping[str, str]) -> None:
        self._name = name
        self._environ = environ
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Returns once it is ready; raises AssertionError if it ends before or takes half a minute."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"services.{self._name}",
            env=self._environ,
            stderr=asyncio.subprocess.DEVNULL,
        )
        url = f"http://{self._environ[f'CARTEADO_{self._name.upper()}_HTTP']}/readyz"
        async with aiohttp.ClientSession() as session, asyncio.timeout(30):
            while True:
                try:
                    async with session.get(url) as response:
                        if response.status == 200:
                            return
                except aiohttp.ClientError:
                    assert self._process.returncode is None, f"{self._name} ended"
                await asyncio.sleep(0.05)

    async def end(self, number: signal.Signals) -> int:
        """Sends the signal to what still runs; gives the exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        async with asyncio.timeout(30):
            return await self._process.wait()
