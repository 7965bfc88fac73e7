"""Real servers for the tests: one Postgres and one NATS a session, a fresh database for each test.

A test that asks for one of them is marked `integration` by itself. Databases are cheap (about 20 ms); servers
end with the session, and on Linux even with a killed one.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import nats
import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import sql
from xdist.remote import Producer
from xdist.scheduler.loadfile import LoadFileScheduling

from deploy.local.nats import Nats, find_binary
from deploy.local.ports import RANGE_VARIABLE, free_ports
from deploy.local.postgres import Postgres
from deploy.local.postgres_home import settle

_SERVER_FIXTURES = {"postgres_server", "clean_postgres", "database", "nats_server", "nats_url"}
_WHOLE_STACKS = (
    "tests/bench/",
    "tests/deploy/test_real_stack.py",
    "tests/faults/",
    "tests/services/matchmaking/test_platform.py",
)
_numbers = count(1)
_PORTS_EACH = 3_000

# gRPC's own handlers around fork() abort a child that is forked while its threads work; the tests' children only exec.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"

# How long an example takes says more about the machine than about the code.
settings.register_profile("carteado", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("carteado")


class OneStackAtATime(LoadFileScheduling):
    """A worker gets a file at a time, or all that start whole stacks: two of those at once leave no core for either."""

    def _split_scope(self, nodeid: str) -> str:
        return "stacks" if nodeid.startswith(_WHOLE_STACKS) else str(super()._split_scope(nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneStackAtATime:
    return OneStackAtATime(config, log)


def pytest_configure() -> None:
    """Processes that test side by side choose their ports from ranges of their own."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker:
        first = 20_000 + int(worker.removeprefix("gw")) % 4 * _PORTS_EACH
        os.environ[RANGE_VARIABLE] = f"{first}-{first + _PORTS_EACH - 1}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _SERVER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.integration)
    items.sort(key=lambda item: not item.nodeid.startswith(_WHOLE_STACKS))


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder with a short path that root's unprivileged user may enter (pytest's own may not)."""
    folder = Path(tempfile.mkdtemp(prefix="carteado-test-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_server(open_folder: Path) -> Iterator[str]:
    """The session's Postgres: its connection string, without a database's name."""
    # Tests kill processes, never the machine: without fsync they say the same and wait less.
    server = Postgres(settle(open_folder), settings={"fsync": "off", "max_connections": "200"})
    with (open_folder / "postgres.log").open("wb") as log:
        server.start(log)
        yield server.conninfo()
        server.stop()


@pytest.fixture
def clean_postgres(postgres_server: str) -> str:
    """The session's Postgres, without any `carteado_<service>` database of an earlier test: for services."""
    with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as connection:
        old = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'carteado%'").fetchall()
        for (name,) in old:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
    return postgres_server


@pytest.fixture
def database(postgres_server: str) -> Iterator[str]:
    """A fresh, empty database of this test's own: its connection string."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(postgres_server, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield f"{postgres_server} dbname={name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def nats_server(open_folder: Path) -> Iterator[str]:
    """The session's NATS with JetStream: its URL."""
    server = Nats(open_folder / "nats", free_ports(1)[0], find_binary({}))
    with (open_folder / "nats.log").open("wb") as log:
        server.start(log)
        yield server.url
        server.stop()


@pytest.fixture
def nats_url(nats_server: str) -> str:
    """The session's NATS, without any stream of an earlier test: its URL."""
    loop = asyncio.new_event_loop()  # pytest-asyncio's own loop stays untouched
    try:
        loop.run_until_complete(_delete_streams(nats_server))
    finally:
        loop.close()
    return nats_server


async def _delete_streams(url: str) -> None:
    client = await nats.connect(url, connect_timeout=30, allow_reconnect=False)
    jetstream = client.jetstream()
    for stream in await jetstream.streams_info():
        await jetstream.delete_stream(stream.config.name or "")
    await client.close()
