"""Whom the database server runs as when we are root: Postgres refuses to be root, and is right.

An existing account is used; none is made. No mode of a folder that is not ours is ever changed: where the
account cannot go, the data goes elsewhere (see `postgres.py`).
"""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deploy.local.failure import StackError

_CANDIDATES = ("postgres", "nobody")
_PROBE_TIMEOUT_S = 10


@dataclass(frozen=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int


def server_accounts() -> list[Account]:
    """Whom root may become before starting Postgres, the best choice first; raises StackError when there is nobody."""
    found = []
    for name in _CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            found.append(Account(name, entry.pw_uid, entry.pw_gid))
    if found:
        return found
    raise StackError(
        "Postgres cannot run as root and there is no user `postgres` or `nobody` to run it as",
        "create one (useradd --system postgres) or run as an ordinary user",
    )


def name_of(uid: int) -> str:
    """What a user is called here; the number when it has no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def can_enter(account: Account, folder: Path) -> bool:
    """Whether the account may go into this folder; tried for real, so ACLs and mounts count too."""
    try:
        tried = subprocess.run(
            ["/bin/sh", "-c", 'test -x "$1"', "sh", str(folder)],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
        )
    except OSError:
        return False
    return tried.returncode == 0


def give(path: Path, account: Account | None) -> None:
    """Make a file or folder of ours the account's own."""
    if account is not None:
        os.chown(path, account.uid, account.gid, follow_symlinks=False)
