"""The real servers, on loopback and in a temporary folder: Postgres as it ships, NATS, the table service, an echo."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.local.data_folder import DataFolder, fill, open_folder
from deploy.local.nats import Nats, find_binary
from deploy.local.ports import HOST, free_ports
from deploy.local.postgres import Postgres
from deploy.local.postgres_home import SHARED_HOME, Home, settle
from deploy.local.readiness import answers_ready
from deploy.local.service import SERVICES, Addresses, Replica, environment_of, place
from tests.bench.worker import BenchError, start, tail

PROFILE = "table.profile"
"""The file in `Servers.work` that a profile is written to."""

_START_TIMEOUT_S = 30.0
_POLL_S = 0.02
FRONT = ("accounts", "gateway")
"""What is started beside the table service for those who come through the gateway."""


@dataclass(frozen=True)
class Servers:
    """Where everything is. `work` is for what passes between the bench and its workers; `front` is the gateway's
    URL, empty where none runs."""

    data: DataFolder
    work: Path
    postgres: str
    table: Addresses
    echo: str
    nats_binary: Path
    processes: dict[str, subprocess.Popen[bytes]]
    front: str


@contextmanager
def running(*, is_profiled: bool = False, has_front: bool = False) -> Iterator[Servers]:
    """Everything started, and at the end stopped and removed. Raises BenchError and StackError.

    `has_front`: also the services that people come through. `is_profiled`: the table service can be told by signals to write a profile (see `profiled`).
    """
    with ExitStack() as stack:
        # Root's Postgres runs as another user, who has to pass through, and a socket's path must be short.
        root = Path(tempfile.mkdtemp(prefix="carteado-bench-", dir="/tmp"))
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        root.chmod(0o711)
        data = open_folder(root / "data")
        fill(data, ["table", *FRONT])
        work = root / "work"
        work.mkdir(mode=0o700)
        postgres, nats = _start_servers(stack, data)
        replicas = [
            Replica(service)
            for service in SERVICES
            if service.name == "table" or (has_front and service.name in FRONT)
        ]
        front_port, echo_port = free_ports(2)
        addresses = place(replicas, front_port)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CARTEADO_")}
        # Four guests stand for all who play and for all who mean no good.
        inherited["CARTEADO_GATEWAY_SOCKETS_PER_PLAYER"] = "10000"
        processes = {}
        for replica in replicas:
            environment = environment_of(
                replica,
                replicas,
                addresses,
                data,
                postgres=postgres.conninfo(),
                nats=nats.url,
                inherited=inherited,
            )
            is_told = is_profiled and replica.name == "table"
            module = (
                ("tests.bench.profiled", str(work / PROFILE)) if is_told else (f"services.{replica.name}",)
            )
            processes[replica.name] = start(stack, work, replica.name, "-m", *module, environment=environment)
        echo = start(stack, work, "echo_server", "-m", "tests.bench.echo_server", str(echo_port))
        for name, process in processes.items():
            _wait(process, work, name, lambda name=name: asyncio.run(answers_ready(addresses[name].http)))
        _wait(echo, work, "echo_server", lambda: _accepts(echo_port))
        assert postgres.process is not None
        assert nats.process is not None
        yield Servers(
            data,
            work,
            postgres.conninfo(),
            addresses["table"],
            f"{HOST}:{echo_port}",
            nats.binary,
            {**processes, "postgres": postgres.process, "nats": nats.process, "echo": echo},
            f"http://{addresses['gateway'].http}" if has_front else "",
        )


def _start_servers(stack: ExitStack, data: DataFolder) -> tuple[Postgres, Nats]:
    home = settle(data.root)
    stack.callback(_remove_moved, home)
    postgres = Postgres(home)
    nats = Nats(data.nats, free_ports(1)[0], find_binary(os.environ))
    # The way to stop comes before the start, which may be interrupted.
    for server in (postgres, nats):
        stack.callback(server.stop)
        server.start(stack.enter_context((data.logs / f"{type(server).__name__.lower()}.log").open("wb")))
    return postgres, nats


def _remove_moved(home: Home) -> None:
    """Where root's Postgres could not enter the folder or run the binaries, they lie elsewhere."""
    for path in (home.folder, home.binaries):
        if path.is_relative_to(SHARED_HOME):
            shutil.rmtree(SHARED_HOME / path.relative_to(SHARED_HOME).parts[0], ignore_errors=True)


def _wait(process: subprocess.Popen[bytes], work: Path, name: str, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while not is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise BenchError(f"{name} did not start: {tail(work, name)}")
        time.sleep(_POLL_S)


def _accepts(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1.0).close()
    except OSError:
        return False
    return True
