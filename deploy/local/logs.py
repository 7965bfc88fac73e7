"""The processes' logs in the data folder: bounded in size, and quoted when something dies.

A child writes to its log itself, in append mode; so a log that has grown too long can be copied aside and cut
while it is written, and nothing goes through the supervisor.
"""

import json
import shutil
from pathlib import Path
from typing import IO

from deploy.local.disk import is_for_want_of_space

MAX_BYTES = 10_000_000

_TAIL_BYTES = 16_384
_MESSAGE_KEYS = ("event", "message", "msg")


def open_log(folder: Path, name: str) -> IO[bytes]:
    """The log of the process `name`, to append to; cut first if it is too long."""
    path = folder / f"{name}.log"
    cut(path)
    log = path.open("ab", buffering=0)
    path.chmod(0o600)
    return log


def cut(path: Path, max_bytes: int = MAX_BYTES) -> None:
    """Move what a too long log holds into `<name>.log.1`, whose place it takes, and go on with an empty one.

    On a full disk it stays as it is, until the next time.
    """
    if path.exists() and path.stat().st_size > max_bytes:
        aside = path.with_name(f"{path.name}.1")
        try:
            shutil.copyfile(path, aside)
        except OSError as error:
            if not is_for_want_of_space(error):
                raise
            aside.unlink()  # half a copy only takes space from who needs it
            return
        with path.open("r+b") as log:
            log.truncate(0)


def tail(path: Path, since: int = 0, lines: int = 15) -> list[str]:
    """The last lines of a log, of those written after the offset `since`."""
    try:
        with path.open("rb") as log:
            size = log.seek(0, 2)
            start = max(since if since <= size else 0, size - _TAIL_BYTES)
            log.seek(start)
            text = log.read().decode(errors="replace")
    except FileNotFoundError:
        return []
    return [line for line in text.splitlines() if line.strip()][-lines:]


def last_message(path: Path, since: int = 0) -> str:
    """What a process said last: the message of a structured line, otherwise the line; empty if nothing."""
    said = tail(path, since, lines=1)
    if not said:
        return ""
    try:
        line = json.loads(said[0])
    except ValueError:
        return said[0].strip()
    if isinstance(line, dict):
        for key in _MESSAGE_KEYS:
            if line.get(key):
                return str(line[key])
    return said[0].strip()
