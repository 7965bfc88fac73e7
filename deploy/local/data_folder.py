"""The data folder of a stack: what lies where, which format it has, and whether it can be used at all.

version            number of the format of this folder
lock               held while a stack runs (see `lock.py`)
stack.json         where everything listens (see `stack_info.py`)
postgres/  nats/   the servers' files; Postgres's may lie elsewhere for root (see `postgres_home.py`)
postgres-home      where those lie, if elsewhere
keys/              service credentials, `<service>.pem` and `<service>.pub`
table-secret       32 bytes from which the table service derives the secret of each match
logs/              one log for each process, and the one before it
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from deploy.local.failure import EXIT_REFUSED, StackError

FORMAT = 1
NEEDED_MB = 200

OPERATORS = "cli"
"""Whom the command `carteado` calls as: operators have a credential of their own, as every service has."""

_SECRET_BYTES = 32
_MAY_PRECEDE = {"version.partial", "lock"}  # what a start that was cut short can have left


@dataclass(frozen=True)
class DataFolder:
    """The paths in it; `open_folder` checks it first."""

    root: Path

    @property
    def logs(self) -> Path:
        """A log for each process."""
        return self.root / "logs"

    @property
    def keys(self) -> Path:
        """The services' credentials."""
        return self.root / "keys"

    @property
    def table_secret(self) -> Path:
        """The file from which the secret of each match is derived."""
        return self.root / "table-secret"

    @property
    def nats(self) -> Path:
        """NATS's files."""
        return self.root / "nats"


def open_folder(path: Path) -> DataFolder:
    """The data folder at `path`, made if there is none; raises StackError if it is not ours or not usable."""
    root = path.absolute()
    if root.exists() and not root.is_dir():
        raise StackError(f"{root} is not a folder", "choose another with --data", EXIT_REFUSED)
    try:
        if not root.exists():
            # Root's unprivileged database user has to pass through; everything inside is closed by itself.
            root.mkdir(parents=True, mode=0o711 if os.geteuid() == 0 else 0o700)
        root = root.resolve()
        entries = {entry.name for entry in root.iterdir()}
    except OSError as error:
        raise StackError(
            f"cannot use the data folder {root}: {error.strerror}", "choose another with --data", EXIT_REFUSED
        ) from None
    if not os.access(root, os.W_OK | os.X_OK):
        raise StackError(
            f"the data folder {root} is not writable", "choose another with --data", EXIT_REFUSED
        )
    if "version" not in entries and not entries <= _MAY_PRECEDE:
        raise StackError(
            f"{root} holds other files and is no data folder of Carteado",
            "choose an empty or a new folder with --data",
            EXIT_REFUSED,
        )
    _check_format(root)
    return DataFolder(root)


def _check_format(root: Path) -> None:
    try:
        text = (root / "version").read_text().strip()
    except FileNotFoundError:
        return
    if not text.isdigit():
        raise StackError(
            f"{root / 'version'} says {text[:40]!r}, which is no format number", "restore that file"
        )
    if int(text) > FORMAT:
        raise StackError(
            f"the data in {root} is of a newer version (format {text}, this Carteado reads up to {FORMAT})",
            "start it with the version that wrote it, or choose another folder with --data",
            EXIT_REFUSED,
        )


def check_space(folder: Path, free_bytes: Callable[[Path], int] | None = None) -> None:
    """Refuse to start on a disk that is nearly full: a database that cannot write stops everything."""
    free_mb = (free_bytes or _free_bytes)(folder) // 1_000_000
    if free_mb < NEEDED_MB:
        raise StackError(
            f"the disk of {folder} is full: {free_mb} MB free, at least {NEEDED_MB} MB are needed",
            "free some space, or choose a folder on another disk with --data",
            EXIT_REFUSED,
        )


def _free_bytes(folder: Path) -> int:
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def fill(folder: DataFolder, services: Iterable[str]) -> None:
    """Write what is made once: the format, the folders, the credentials, the secret. The lock is held."""
    if not (folder.root / "version").exists():
        write_private(folder.root / "version", f"{FORMAT}\n".encode(), mode=0o644)
        write_private(folder.root / ".gitignore", b"*\n", mode=0o644)
    for path in (folder.logs, folder.keys):
        path.mkdir(exist_ok=True, mode=0o700)
    if not folder.table_secret.exists():
        write_private(folder.table_secret, secrets.token_bytes(_SECRET_BYTES))
    for name in (*services, OPERATORS):
        _fill_credential(folder.keys, name)


def _fill_credential(keys: Path, name: str) -> None:
    """The service's key pair. `libs.service.credentials` reads it; importing that would cost half a second here."""
    private, public = keys / f"{name}.pem", keys / f"{name}.pub"
    if private.exists() and public.exists():
        return
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 -- needed once in a folder's life
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- as above

    if not private.exists():
        write_private(
            private,
            Ed25519PrivateKey.generate().private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        )
    key = serialization.load_pem_private_key(private.read_bytes(), password=None)
    write_private(
        public,
        key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
        mode=0o644,
    )


def write_private(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file that appears whole or not at all, readable by its owner alone unless `mode` says otherwise."""
    partial = path.with_name(f"{path.name}.partial")
    partial.unlink(missing_ok=True)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.rename(path)
