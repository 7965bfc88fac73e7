"""What an earlier supervisor left running, where the kernel did not end it or has not finished to.

Every child's process id is noted in the data folder with what tells it from a later process of the same id. The
next start, which holds the lock of the folder, ends those that still run: two NATS servers must never write the
same files. (Postgres keeps its own books, which `postgres.py` reads.)
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from deploy.local.data_folder import write_private
from deploy.local.disk import is_for_want_of_space
from deploy.local.failure import StackError
from deploy.local.process import is_running

_NAME = "children.json"
_PATIENCE_S = 3.0
_POLL_S = 0.02
_PS_TIMEOUT_S = 10
_EXEC_S = 1.0


class Children:
    """The noted children of one data folder; the caller holds its lock."""

    def __init__(self, data: Path) -> None:
        self._path = data / _NAME
        self._folder = data
        self._noted: dict[str, dict[str, object]] = {}

    def note(self, name: str, pid: int) -> None:
        """A child with this name runs now."""
        self._noted[name] = {"pid": pid, "identity": identity(pid), "folder": self._folder.stat().st_ino}
        try:
            write_private(self._path, json.dumps(self._noted).encode())
        except OSError as error:
            # On Linux the kernel ends the children anyway: for want of a note no stack is stopped.
            if not is_for_want_of_space(error):
                raise

    def forget(self) -> None:
        """None runs any more."""
        self._path.unlink(missing_ok=True)

    def end_leftovers(self, say: Callable[[str, str], None]) -> None:
        """End what earlier runs left; `say` gets a name and a line for each. Raises StackError if one stays."""
        left = [(name, pid) for name, pid in self._read() if name != "postgres"]
        for sig in (signal.SIGTERM, signal.SIGKILL):
            for name, pid in left:
                say(name, f"ending process {pid}, which an earlier run left behind ({sig.name})")
                try:
                    os.kill(pid, sig)
                except ProcessLookupError:
                    continue
            deadline = time.monotonic() + _PATIENCE_S
            while (
                left := [(name, pid) for name, pid in left if is_running(pid)]
            ) and time.monotonic() < deadline:
                time.sleep(_POLL_S)
        if left:
            raise StackError(
                f"processes of an earlier run do not end: {', '.join(f'{name} ({pid})' for name, pid in left)}",
                "end them, then start again",
            )

    def _read(self) -> list[tuple[str, int]]:
        try:
            noted = json.loads(self._path.read_text())
            found = [
                (str(name), int(child["pid"]), child["identity"])
                for name, child in noted.items()
                # A copy of a running stack's folder names that stack's children: they are none of ours.
                if child["folder"] == self._folder.stat().st_ino
            ]
        except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
            return []  # never written, or not by us: there is nobody whom we know well enough to end
        return [(name, pid) for name, pid, known in found if known and known == identity(pid)]


def identity(pid: int) -> str | None:
    """When the process was started and its command line; None if it does not run."""
    if not is_running(pid):
        return None
    process = Path("/proc") / str(pid)
    try:
        started = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()[19]
        return f"{started} {command_line(process)}"
    except (OSError, IndexError):
        if Path("/proc/self/stat").exists():
            return None
    answer = subprocess.run(
        ["/bin/ps", "-o", "lstart=,command=", "-p", str(pid)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PS_TIMEOUT_S,
        check=False,
    )
    return answer.stdout.strip() or None


def command_line(process: Path) -> str:
    """The command line in a process's folder below /proc. One that has just been started has none for a moment."""
    deadline = time.monotonic() + _EXEC_S
    while True:
        found = (process / "cmdline").read_text(errors="replace")
        if found or time.monotonic() > deadline:
            return found
        time.sleep(_POLL_S)
