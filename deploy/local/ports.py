"""Loopback ports: choosing free ones, and saying who has one that is not.

Ports are chosen below the kernel's ephemeral range. Within it, the port of a service that has just died could be
taken by an outgoing connection, even by one of its own callers that dials it again and reaches itself.
"""

import errno
import os
import random
import socket
from collections import deque
from contextlib import ExitStack
from pathlib import Path

from deploy.local.failure import EXIT_REFUSED, StackError

HOST = "127.0.0.1"

_LOWEST = 20_000
_EPHEMERAL_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_DEFAULT_EPHEMERAL = 32_768
_TRIES = 2_000
_GIVEN: deque[int] = deque(maxlen=256)
"""Ports that were chosen lately: who was given one listens on it only seconds later, and nobody else must get it until then."""

RANGE_VARIABLE = "CARTEADO_PORT_RANGE"
"""Where ports are chosen, as `20000-23999`: stacks that start at the same time keep out of each other's way by it."""


def free_ports(count: int) -> list[int]:
    """Different ports on 127.0.0.1 that nobody listens on now, nor was given one here lately. Raises StackError."""
    lowest, highest = _range()
    found: list[int] = []
    with ExitStack() as stack:
        for _ in range(_TRIES):
            if len(found) == count:
                _GIVEN.extend(found)
                return found
            port = random.randrange(lowest, highest)  # noqa: S311 - no secret, only unlikely to collide
            if port in _GIVEN:
                continue
            probe = socket.socket()
            try:
                probe.bind((HOST, port))
            except OSError:
                probe.close()
                continue
            stack.enter_context(probe)  # held until all are found
            found.append(port)
    raise StackError(
        f"there are not {count} free ports between {lowest} and {highest - 1} on {HOST}",
        f"set {RANGE_VARIABLE} to another range, or a larger one",
    )


def _range() -> tuple[int, int]:
    """The lowest port to choose, and the first one that is not chosen any more."""
    wanted = os.environ.get(RANGE_VARIABLE, "")
    if wanted:
        first, dash, last = wanted.partition("-")
        if not (dash and first.isdecimal() and last.isdecimal() and 1_024 <= int(first) < int(last) < 65_536):
            raise StackError(
                f"{RANGE_VARIABLE} is {wanted!r}",
                "set it to a range of ports such as 20000-23999",
                EXIT_REFUSED,
            )
        return int(first), int(last) + 1
    highest = _first_ephemeral()
    return (_LOWEST if highest - _LOWEST > 1_000 else 1_024), highest


def _first_ephemeral() -> int:
    try:
        return int(_EPHEMERAL_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return _DEFAULT_EPHEMERAL


def check_free(port: int) -> None:
    """Raise StackError, with who has it if that can be seen, unless the port can be listened on.

    It counts as given then: `free_ports` gives it to nobody else.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what has just closed does not count
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                owner = _owner_of(port)
                message = f"port {port} is taken" + (f" by {owner}" if owner else "")
            else:
                message = f"cannot listen on {HOST}:{port}: {error.strerror}"
            raise StackError(message, "choose another with --port N", EXIT_REFUSED) from None
    _GIVEN.append(port)


def _owner_of(port: int) -> str | None:
    """`name (process 123)` of who listens on the port, as far as /proc shows it to us."""
    inodes = _listening_inodes(port)
    if not inodes:
        return None
    for process in Path("/proc").glob("[0-9]*"):
        try:
            handles = list((process / "fd").iterdir())
            name = (process / "comm").read_text().strip()
        except OSError:  # ended meanwhile, or not ours to look at
            continue
        for handle in handles:
            try:
                target = str(handle.readlink())
            except OSError:
                continue
            if target.removeprefix("socket:[").removesuffix("]") in inodes:
                return f"{name} (process {process.name})"
    return "a process of another user"


def _listening_inodes(port: int) -> set[str]:
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(fields[9])
    return inodes
