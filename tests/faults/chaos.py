"""What happens to the processes of a stack, one thing after another, and how long each kept players waiting."""

import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from deploy.local import discover
from tests.deploy.stack import Stack

STOPPED_S = 2.5
SETTLE_S = 1.0
PATIENCE_S = 120.0


class Blow(NamedTuple):
    """One thing that happens: to a process (a replica's name, `nats` or `postgres`), by a signal."""

    name: str
    signal: signal.Signals

    def __str__(self) -> str:
        return f"{self.signal.name} {self.name}"


class Chaos(threading.Thread):
    """Deals the blows in turn, each once everything serves again; begins when told to."""

    def __init__(self, stack: Stack, blows: Sequence[Blow]) -> None:
        super().__init__(daemon=True)
        self.times: list[tuple[Blow, float]] = []
        self.is_done = False
        self._stack = stack
        self._blows = blows
        self._addresses = discover(stack.data).services
        self._is_wanted = threading.Event()

    def begin(self) -> None:
        """Called by whoever has something to lose by now."""
        self._is_wanted.set()

    def run(self) -> None:
        self._is_wanted.wait(PATIENCE_S)
        for blow in self._blows:
            pid = self._pid_of(blow.name)
            self.times.append((blow, time.monotonic()))
            os.kill(pid, blow.signal)
            if blow.signal is signal.SIGSTOP:
                time.sleep(STOPPED_S)
                os.kill(pid, signal.SIGCONT)
            else:
                self._until(lambda pid=pid: not Path(f"/proc/{pid}").exists() or self._is_zombie(pid))
            self._until(self._serves)
            time.sleep(SETTLE_S)
        self.is_done = True

    def _pid_of(self, name: str) -> int:
        if name not in self._addresses:
            return self._stack.pid_of(name)
        http = self._addresses[name]["http"]
        for pid in self._stack.descendants():
            process = Path(f"/proc/{pid}")
            try:
                words = (process / "cmdline").read_text().split("\0")
                environment = (process / "environ").read_text().split("\0")
            except OSError:
                continue  # it has ended meanwhile
            service = next((word for word in words if word.startswith("services.")), "")
            if service and f"CARTEADO_{service[9:].upper()}_HTTP={http}" in environment:
                return pid
        raise AssertionError(f"nobody serves {http}")

    def _serves(self) -> bool:
        return all(is_ready(addresses["http"]) for addresses in self._addresses.values())

    def _is_zombie(self, pid: int) -> bool:
        try:
            return ") Z " in Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True

    def _until(self, condition: object) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            if self._stack.process.poll() is not None:
                raise AssertionError(f"the stack has ended: {self.times[-1][0]}")
            if time.monotonic() > deadline:
                raise AssertionError(f"not again after {PATIENCE_S} s: {self.times[-1][0]}")
            time.sleep(0.05)


def is_ready(http: str) -> bool:
    """Whether the process at this address says that it is ready."""
    try:
        with urlopen(f"http://{http}/readyz", timeout=1) as answer:
            return answer.status == 200
    except (URLError, OSError):
        return False
