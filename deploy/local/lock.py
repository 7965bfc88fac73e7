"""One stack per data folder: an flock, which the kernel gives back however its holder ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.local.failure import EXIT_REFUSED, StackError

_NAME = "lock"


@contextmanager
def held(data: Path, purpose: str) -> Iterator[None]:
    """Hold the data folder for `purpose` (shown to whoever comes second); raises StackError if it is taken."""
    handle = os.open(data / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 200, 0).decode(errors="replace").strip() or "another process"
            raise StackError(
                f"the data folder {data} is in use by {holder}",
                "stop that one first, or choose another folder with --data",
                EXIT_REFUSED,
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} ({purpose})\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def holder(data: Path) -> int | None:
    """The id of the process that holds the data folder now, or None."""
    try:
        handle = os.open(data / _NAME, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        words = os.pread(handle, 200, 0).decode(errors="replace").split()
        return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    else:
        return None
    finally:
        os.close(handle)
