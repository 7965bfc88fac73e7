"""A service as a process: it starts in order or says in one line why not, and ends in time when told to."""

import asyncio
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import aiohttp
import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

pytestmark = pytest.mark.e2e

MAIN = """
import asyncio, sys
from pathlib import Path
import nats.js.errors
import psycopg
from aiohttp import web
from carteado.accounts.v1 import accounts_service_pb2 as pb, accounts_service_pb2_grpc as rpc
from libs.eventlog.background import run_in_background
from libs.eventlog.errors import DatabaseNewerThanCodeError
from libs.service.app import Context, Parts, run
from libs.service.config import ConfigError
from libs.service.database import DatabaseUnavailableError

SERVICE = "/carteado.accounts.v1.AccountsService/"
ALLOW = {SERVICE + name: {"gateway"} for name in ("RegisterGuest", "RenewToken", "GetNames")}
mode = sys.argv[1]

def note(text):
    with Path(sys.argv[2]).open("a") as notes:
        notes.write(text + "\\n")

async def forever():
    try:
        await asyncio.Event().wait()
    finally:
        note("background ended")

async def dies():
    raise LookupError("the cause of death")

async def close():
    note("closed")

async def drain():
    note("drained")

async def stuck():
    note("stuck")
    await asyncio.Event().wait()

async def build(context: Context) -> Parts:
    if mode == "config":
        raise ConfigError("set CARTEADO_SOMETHING to something")
    if mode == "newer":
        raise DatabaseNewerThanCodeError("the database is of release 2, this is release 1")
    if mode == "postgres lost":
        raise psycopg.errors.AdminShutdown("terminating connection\\nserver closed the connection")
    if mode == "no jetstream":
        raise nats.js.errors.ServiceUnavailableError(code=503, description="no responders")
    if mode == "unavailable":
        raise DatabaseUnavailableError("Postgres did not answer")
    if mode == "bug":
        raise LookupError("a bug in build")
    if mode == "slow":
        context.log.info("building")
        await asyncio.Event().wait()
    if mode == "log dies":
        run_in_background(dies(), "the relay of accounts")
    if mode == "no-allow":
        ALLOW.popitem()
    servicer = rpc.AccountsServiceServicer()
    return Parts(
        grpc=() if mode == "http" else [lambda server: rpc.add_AccountsServiceServicer_to_server(servicer, server)],
        allow={} if mode == "http" else ALLOW,
        background=[dies() if mode == "dies" else forever()],
        drain=stuck if mode == "stuck" else drain,
        close=stuck if mode == "stuck" else close,
    )

run("accounts", build)
"""


class Service:
    """A service's process under test."""

    def __init__(
        self, process: asyncio.subprocess.Process, http: str, grpc_address: str, notes: Path
    ) -> None:
        self.process = process
        self.http = http
        self.grpc = grpc_address
        self._notes = notes
        self._log = ""

    def notes(self) -> list[str]:
        return self._notes.read_text().splitlines() if self._notes.exists() else []

    async def status(self, path: str) -> int:
        timeout = aiohttp.ClientTimeout(total=5)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(self.http + path) as response,
        ):
            return response.status

    async def until_logged(self, text: str) -> None:
        """Reads the log up to a line with this text."""
        assert self.process.stderr is not None
        async with asyncio.timeout(30):
            while text not in self._log:
                line = await self.process.stderr.readline()
                assert line, f"the service ended: {self._log}"
                self._log += line.decode()

    async def until_ready(self) -> None:
        await self.until_logged("serving HTTP")
        assert await self.status("/readyz") == 200

    async def ended(self) -> tuple[int, str]:
        """Exit code and stderr."""
        async with asyncio.timeout(30):
            _, err = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, self._log + err.decode()


@pytest.fixture
def environ(keys: Path, free_address: str, other_free_address: str) -> dict[str, str]:
    return {
        "CARTEADO_ENVIRONMENT": "production",
        "CARTEADO_NATS": "nats://127.0.0.1:1",
        "CARTEADO_ACCOUNTS_HTTP": free_address,
        "CARTEADO_ACCOUNTS_GRPC": other_free_address,
        "CARTEADO_KEYS": str(keys),
    }


@pytest.fixture
async def launch(environ, tmp_path) -> AsyncIterator[Callable[[str], Awaitable[Service]]]:
    launched: list[asyncio.subprocess.Process] = []
    script, notes = tmp_path / "service.py", tmp_path / "notes"
    script.write_text(MAIN)

    async def begin(mode: str) -> Service:
        process = await asyncio.create_subprocess_exec(
            sys.executable, script, mode, notes, env=environ, stderr=asyncio.subprocess.PIPE
        )
        launched.append(process)
        http = f"http://{environ['CARTEADO_ACCOUNTS_HTTP']}"
        return Service(process, http, environ["CARTEADO_ACCOUNTS_GRPC"], notes)

    yield begin
    for process in launched:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def test_it_serves_and_drains_on_sigterm(launch):
    service = await launch("serves")
    await service.until_ready()
    assert await service.status("/healthz") == 200
    assert await service.status("/metrics") == 200
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=30)
        assert (await check).status == health_pb2.HealthCheckResponse.SERVING
    service.process.send_signal(signal.SIGTERM)
    code, err = await service.ended()
    assert code == 0, err
    assert service.notes() == ["drained", "background ended", "closed"]
    assert '"draining"' in err


async def test_metrics_may_have_a_port_of_their_own(launch, environ, one_more_free_address):
    environ["CARTEADO_ACCOUNTS_METRICS"] = one_more_free_address
    service = await launch("serves")
    await service.until_ready()
    assert await service.status("/metrics") == 404
    service.http = f"http://{one_more_free_address}"
    assert await service.status("/metrics") == 200
    service.process.send_signal(signal.SIGTERM)
    code, err = await service.ended()
    assert code == 0, err


async def test_sigint_ends_it_too(launch):
    service = await launch("serves")
    await service.until_ready()
    service.process.send_signal(signal.SIGINT)
    assert (await service.ended())[0] == 0


async def test_a_service_may_have_no_grpc(launch, environ):
    environ["CARTEADO_ACCOUNTS_GRPC"] = ""
    service = await launch("http")
    await service.until_ready()
    service.process.send_signal(signal.SIGTERM)
    assert (await service.ended())[0] == 0


async def test_parts_that_do_not_end_are_cut_within_five_seconds(launch):
    service = await launch("stuck")
    await service.until_ready()
    began_s = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    code, err = await service.ended()
    assert time.monotonic() - began_s < 10, "its steps would have waited for ever"
    assert code == 0
    assert service.notes() == ["stuck", "background ended", "stuck"]
    assert "a step of the drain failed or took too long" in err


async def test_a_signal_during_the_start_ends_the_start(launch):
    service = await launch("slow")

    await service.until_logged("building")
    service.process.send_signal(signal.SIGTERM)
    assert (await service.ended())[0] == 0


async def test_a_background_task_that_fails_ends_the_process_with_its_traceback(launch):
    service = await launch("dies")
    code, err = await service.ended()
    assert code == 70
    assert "LookupError: the cause of death" in err
    assert service.notes() == ["drained", "closed"]


async def test_a_task_of_the_log_that_fails_ends_the_process_without_being_listed(launch):
    service = await launch("log dies")
    code, err = await service.ended()
    assert code == 70
    assert "LookupError: the cause of death" in err
    assert "the relay of accounts failed" in err
    assert service.notes() == ["drained", "background ended", "closed"]


@pytest.mark.parametrize(
    ("mode", "code", "line"),
    [
        ("config", 64, "accounts: set CARTEADO_SOMETHING to something"),
        ("newer", 78, "accounts: the database is of release 2, this is release 1"),
        ("unavailable", 69, "accounts: Postgres did not answer"),
        ("postgres lost", 69, "accounts: Postgres failed while the service started: terminating connection"),
        (
            "no jetstream",
            69,
            "accounts: NATS failed while the service started: nats: ServiceUnavailableError: code=503 err_code=None description='no responders'",
        ),
    ],
)
async def test_what_prevents_the_start_is_said_in_one_line(launch, mode, code, line):
    service = await launch(mode)
    assert await service.ended() == (code, f"{line}\n")


async def test_a_bug_in_the_start_is_logged_with_its_traceback(launch):
    service = await launch("bug")
    code, err = await service.ended()
    assert code == 70
    assert "a bug in build" in err


async def test_a_method_without_callers_prevents_the_start(launch):
    service = await launch("no-allow")
    code, err = await service.ended()
    assert (code, err.count("\n")) == (64, 1)
    assert "no caller is named for" in err


@pytest.mark.parametrize("variable", ["CARTEADO_KEYS", "CARTEADO_ACCOUNTS_HTTP", "CARTEADO_ACCOUNTS_GRPC"])
async def test_a_missing_variable_prevents_the_start(launch, environ, variable):
    environ[variable] = ""
    service = await launch("serves")
    code, err = await service.ended()
    assert (code, err.count("\n")) == (64, 1)
    assert f"{variable} is not set" in err


async def test_a_taken_port_prevents_the_start(launch, environ):
    host, port = environ["CARTEADO_ACCOUNTS_HTTP"].split(":")
    taken = await asyncio.start_server(lambda *_: None, host, int(port))
    service = await launch("serves")
    code, err = await service.ended()
    taken.close()
    await taken.wait_closed()
    assert code == 64
    assert f"can't listen for HTTP at {host}:{port}" in err
