"""Children of the local stack: what to run, as whom, and that none outlives its parent.

A child runs in its own session, so that a Ctrl-C in the terminal reaches the supervisor alone, and on Linux
the kernel signals it when the thread that started it dies, even by SIGKILL. Start children from the main
thread therefore.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from deploy.local.unprivileged import Account

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Command:
    """A program with everything that decides how it runs; a value, so that it can be shown and compared.

    `account` is whom to become first (only root may ask for that); `if_parent_dies` is the signal that the
    kernel sends when the parent is gone (Linux).
    """

    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    account: Account | None = None
    if_parent_dies: signal.Signals = signal.SIGKILL


def spawn(command: Command, output: IO[bytes] | int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Start it, with stdout and stderr going to `output` and nothing on stdin; raises OSError."""
    account = command.account
    return subprocess.Popen(
        command.argv,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=dict(command.environment),
        cwd=command.folder,
        start_new_session=True,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
        # Runs after the change of user, which would clear it; our processes start children from one thread.
        preexec_fn=_die_with_parent(command.if_parent_dies),  # noqa: PLW1509 -- one system call, no lock
    )


def _die_with_parent(sig: signal.Signals) -> Callable[[], None] | None:
    if _LIBC is None:
        return None
    libc, parent = _LIBC, os.getpid()

    def ask_kernel() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, int(sig), 0, 0, 0)
        if os.getppid() != parent:  # it died between fork and prctl
            os._exit(1)

    return ask_kernel


def is_running(pid: int) -> bool:
    """Whether a process with this id runs; a zombie, which only waits to be reaped, does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    try:
        # "pid (name) S …": the name may hold anything, so the state is looked for from the right.
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return sys.platform != "linux"


def processes_in(folder: Path) -> list[int]:
    """Ids of the running processes whose working directory is `folder` (Linux; elsewhere none are found)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            inside = Path(entry / "cwd").readlink() == folder
        except OSError:
            continue
        if inside and is_running(int(entry.name)):
            found.append(int(entry.name))
    return found
