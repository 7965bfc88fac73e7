"""A stack as its user meets it: a process, the lines it prints, and what it leaves behind."""

import os
import re
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from deploy.local.ports import RANGE_VARIABLE
from deploy.local.process import is_running

ROOT = Path(__file__).parents[2]
FAKE_STACK = Path(__file__).with_name("stack_under_test.py")


class Stack:
    """A running `carteado up` of fake services, or the real one where none are named.

    Everything that it started is ended with it, come what may.
    """

    def __init__(
        self,
        data: Path,
        *services: str,
        port: int = 0,
        environment: Mapping[str, str] | None = None,
        uid: int | None = None,
        words: Sequence[str] = (),
    ) -> None:
        self.data = data
        self.lines: list[str] = []
        self.out: list[str] = []
        self._seen: set[int] = set()
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [*_command(data, port, services, uid), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
            env={
                **{
                    name: value
                    for name, value in os.environ.items()
                    if name == RANGE_VARIABLE or not name.startswith("CARTEADO_")
                },
                "PYTHONPATH": os.pathsep.join(
                    (str(ROOT), str(ROOT / "libs" / "protos"), sysconfig.get_path("purelib"))
                ),
                "PATH": os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath))),
                **(environment or {}),
            },
        )
        self._readers = [
            threading.Thread(target=self._read, args=(stream, into))
            for stream, into in ((self.process.stdout, self.out), (self.process.stderr, self.lines))
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream, into: list[str]) -> None:
        for line in stream:
            with self._changed:
                into.append(line.rstrip("\n"))
                self._changed.notify_all()

    def wait_for(self, pattern: str, timeout_s: float = 120.0, times: int = 1) -> str:
        """Wait until a line matches, for the n-th time; gives the line."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while True:
                found = [line for line in (*self.out, *self.lines) if re.search(pattern, line)]
                if len(found) >= times:
                    self._seen |= self.descendants()
                    return found[times - 1]
                left = deadline - time.monotonic()
                if left <= 0 or (
                    self.process.poll() is not None and not any(map(threading.Thread.is_alive, self._readers))
                ):
                    raise AssertionError(
                        f"no line matches {pattern!r}:\n" + "\n".join((*self.out, *self.lines))
                    )
                self._changed.wait(min(left, 0.2))

    def ready(self) -> str:
        """Wait until it serves; gives the URL."""
        return self.wait_for(r"^ready ").removeprefix("ready ")

    def pid_of(self, name: str) -> int:
        """The id of the running child with this name."""
        for pid in self.descendants():
            words = _command_line(pid)
            program = Path(words[0]).name if words else ""
            if _parent(pid) == self.process.pid and (program.startswith(name) or name in words):
                return pid
        raise AssertionError(f"no process {name}")

    def descendants(self) -> set[int]:
        """Ids of every process below it."""
        parents = {int(entry.name): _parent(int(entry.name)) for entry in Path("/proc").glob("[0-9]*")}
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {self.process.pid}

    def left_behind(self, within_s: float) -> set[int]:
        """What still runs of everything that was ever seen below it."""
        deadline = time.monotonic() + within_s
        while (left := {pid for pid in self._seen if is_running(pid)}) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left

    def end(self, sig: signal.Signals = signal.SIGINT, timeout_s: float = 20.0) -> int:
        """Send the signal to it alone and wait; gives the exit code."""
        self._seen |= self.descendants()
        self.process.send_signal(sig)
        return self.wait(timeout_s)

    def wait(self, timeout_s: float = 120.0) -> int:
        """Wait for its end; gives the exit code."""
        code = self.process.wait(timeout_s)
        for reader in self._readers:
            reader.join(timeout_s)
        return code

    def clean_up(self) -> None:
        """End what a failed test has left running."""
        if self.process.poll() is None:
            self._seen |= self.descendants()
            self.process.terminate()
            try:
                self.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.wait(60)
        for pid in self.left_behind(within_s=5.0):
            os.kill(pid, signal.SIGKILL)


def _command(data: Path, port: int, services: Sequence[str], uid: int | None) -> list[str]:
    python = sys.executable if uid is None else python_for(uid)
    if services:
        return [python, str(FAKE_STACK), str(data), str(port), *services]
    run_main = "from libs.cli.main import main; main()"
    return [python, "-c", run_main, "up", "--data", str(data), "--port", str(port)]


def python_for(uid: int) -> str:
    """An interpreter that this user may run: ours, or the system's of the same version if ours is in root's home."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            answer = subprocess.run(
                [python, "-c", "import sys; print(sys.version_info[:2])"],
                check=False,
                user=uid,
                group=uid,
                extra_groups=[],
                cwd="/",
                capture_output=True,
                text=True,
                timeout=30,
            )
        except OSError:
            continue
        if answer.stdout.strip() == str(sys.version_info[:2]):
            return python
    pytest.skip(
        f"this machine has no Python {sys.version_info[0]}.{sys.version_info[1]} that another user may run"
    )


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def _command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []
