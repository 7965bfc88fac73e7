"""One supervised process: started, watched until it serves, started again when it dies, stopped in the end.

The first death is answered at once, the next ones with growing pauses; five within half a minute mean that
starting again does not help, or not before a full disk has space again. Two exit codes say so the first time: the configuration is wrong (64), and the
database is of a newer version than the code (78).
"""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from deploy.local.console import Console
from deploy.local.failure import StackError
from deploy.local.logs import last_message, open_log, tail
from deploy.local.process import Command, spawn

EXIT_CONFIGURATION = 64
EXIT_NEWER_DATA = 78
MAX_DEATHS = 5
DEATHS_WINDOW_S = 30.0

_PAUSES_S = (0.0, 0.25, 0.5, 1.0)
_READY_POLL_S = 0.03
_END_POLL_S = 0.1
_DISK_POLL_S = 0.5
_KILL_TIMEOUT_S = 2.0


@dataclass(frozen=True)
class Plan:
    """How to run a child. `prepare` may block and runs before every start; `is_ready` gets the process id.

    `stop_signal` asks it to end; what does not end in time gets `force_signal`. `started` is told the process id
    of every start. `is_disk_full` says whether it may die for want of space.
    """

    name: str
    log: Path
    command: Callable[[], Command]
    is_ready: Callable[[int], Awaitable[bool]]
    prepare: Callable[[], None] = lambda: None
    started: Callable[[int], None] = lambda _pid: None
    is_disk_full: Callable[[], bool] = lambda: False
    stop_signal: signal.Signals = signal.SIGTERM
    force_signal: signal.Signals = signal.SIGKILL


class Running:
    """A process that has been started; `ended` becomes its return code once it has been reaped."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = self._loop.create_future()
        self._handle = _open_handle(process.pid)
        if self._handle is None:
            self._loop.call_later(_END_POLL_S, self._poll)
        else:
            self._loop.add_reader(self._handle, self._reap)

    def _reap(self) -> None:
        code = self.process.poll()
        if code is None:
            return
        if self._handle is not None:
            self._loop.remove_reader(self._handle)
            os.close(self._handle)
        self.ended.set_result(code)

    def _poll(self) -> None:
        self._reap()
        if not self.ended.done():
            self._loop.call_later(_END_POLL_S, self._poll)

    async def has_ended(self, within_s: float) -> bool:
        """Wait for its end, at most that long."""
        await asyncio.wait({self.ended}, timeout=within_s)
        return self.ended.done()


def _open_handle(pid: int) -> int | None:
    """What becomes readable when the process ends, where the system has such a thing."""
    open_handle: Callable[[int], int] | None = getattr(os, "pidfd_open", None)
    if open_handle is None:
        return None
    try:
        return open_handle(pid)
    except OSError:  # a kernel before 5.3, or a sandbox that forbids it
        return None


class Child:
    """Runs one plan until told to stop. `ready` is set while it serves."""

    def __init__(self, plan: Plan, console: Console) -> None:
        self.plan = plan
        self.ready = asyncio.Event()
        self._console = console
        self._running: Running | None = None
        self._stopping = asyncio.Event()
        self._is_hurried = False
        self._deaths: deque[float] = deque(maxlen=MAX_DEATHS)

    @property
    def pid(self) -> int | None:
        """The id of the process that runs now."""
        running = self._running
        return running.process.pid if running is not None and not running.ended.done() else None

    async def run(self) -> None:
        """Keep it running. Raises StackError when starting it again does not help; returns once stopped."""
        while not self._stopping.is_set():
            await asyncio.to_thread(self.plan.prepare)
            if self._stopping.is_set():
                return
            started = time.monotonic()
            with open_log(self.plan.log.parent, self.plan.log.stem) as log:
                since = log.seek(0, os.SEEK_END)
                self._running = Running(spawn(self.plan.command(), log))
            self.plan.started(self._running.process.pid)
            code = await self._watch(self._running, started)
            self.ready.clear()
            if not self._stopping.is_set():
                await self._mourn(code, since)

    async def _watch(self, running: Running, started: float) -> int:
        while not running.ended.done():
            if await self.plan.is_ready(running.process.pid):
                self.ready.set()
                again = " again" if self._deaths else ""
                self._console.progress(self.plan.name, f"serves{again} ({time.monotonic() - started:.1f} s)")
                break
            await running.has_ended(within_s=_READY_POLL_S)
        return await asyncio.shield(running.ended)

    async def _mourn(self, code: int, since: int) -> None:
        """Say that it died and wait before the next start; raises if there should be none."""
        name, log = self.plan.name, self.plan.log
        if code in {EXIT_CONFIGURATION, EXIT_NEWER_DATA}:
            hint = "start the version that wrote this data" if code == EXIT_NEWER_DATA else ""
            said = last_message(log, since).removeprefix(f"{name}: ") or f"exit code {code}"
            raise StackError(f"{name}: {said}", hint)
        now = time.monotonic()
        self._deaths.append(now)
        recent = sum(now - death <= DEATHS_WINDOW_S for death in self._deaths)
        if recent >= MAX_DEATHS and self.plan.is_disk_full():
            self._console.warn(name, "is started again once the disk has space")
            while self.plan.is_disk_full():  # noqa: ASYNC110 - a disk tells nobody when it has space
                await asyncio.sleep(_DISK_POLL_S)
            return
        if recent >= MAX_DEATHS:
            raise StackError(
                f"{name} died {recent} times within {DEATHS_WINDOW_S:.0f} s, last {how_it_ended(code)}",
                f"its log is {log}",
                detail=tail(log, since),
            )
        pause_s = _PAUSES_S[min(recent, len(_PAUSES_S)) - 1] * random.uniform(0.8, 1.2)  # noqa: S311 - jitter
        self._console.warn(
            name, f"died ({how_it_ended(code)}), starting it again", tail(log, since, 3) if code > 0 else ()
        )
        await asyncio.sleep(pause_s)

    async def stop(self, patience_s: float) -> None:
        """Ask it to end and force it after `patience_s`; it has been reaped afterwards."""
        self._stopping.set()
        running = self._running
        if running is None or running.ended.done():
            return
        running.process.send_signal(self.plan.stop_signal)
        if await running.has_ended(0.0 if self._is_hurried else patience_s):
            return
        for sig in (self.plan.force_signal, signal.SIGKILL):
            self._console.warn(self.plan.name, f"does not stop, sending {sig.name}")
            running.process.send_signal(sig)
            if await running.has_ended(_KILL_TIMEOUT_S):
                return

    def end_once(self, *, forcibly: bool = False) -> None:
        """Ask it to end, so that it is started again; `forcibly` for one that may not listen any more."""
        running = self._running
        if running is not None and not running.ended.done():
            running.process.send_signal(self.plan.force_signal if forcibly else self.plan.stop_signal)

    def hurry(self) -> None:
        """Force it, if it has been asked to end, and otherwise as soon as it is."""
        self._is_hurried = True
        running = self._running
        if self._stopping.is_set() and running is not None and not running.ended.done():
            running.process.send_signal(self.plan.force_signal)


def how_it_ended(code: int) -> str:
    """A return code in words."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
