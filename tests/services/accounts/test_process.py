"""Accounts as a process: killed, restarted, misconfigured, and what it logs."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import aiohttp
import psycopg
import pytest

from libs.service.credentials import Credentials
from libs.service.grpc_client import channel
from libs.service.tokens import TokenVerifier

pytestmark = pytest.mark.e2e


class Process:
    """`python -m services.accounts`, started, stopped and killed by a test."""

    def __init__(self, environ: Mapping[str, str], client_class: type) -> None:
        self._environ = environ
        self._client_class = client_class
        self._stack = AsyncExitStack()
        self._process: asyncio.subprocess.Process | None = None
        self.log = ""

    async def launch(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.accounts", env=self._environ, stderr=asyncio.subprocess.PIPE
        )

    async def start(self):
        """Launches, waits until it serves, and gives a client."""
        await self.launch()
        async with asyncio.timeout(20):
            while "serving HTTP" not in self.log.rpartition("draining")[2]:
                line = await self._process.stderr.readline()
                assert line, f"accounts ended: {self.log}"
                self.log += line.decode()
        opened = await self._stack.enter_async_context(channel(self._environ["CARTEADO_ACCOUNTS_GRPC"]))
        gateway = Credentials("gateway", Path(self._environ["CARTEADO_KEYS"]))
        return self._client_class(opened, gateway, f"http://{self._environ['CARTEADO_ACCOUNTS_HTTP']}")

    async def ended(self) -> int:
        async with asyncio.timeout(20):
            _, rest = await self._process.communicate()
        self.log += rest.decode()
        return self._process.returncode

    async def stop(self, number: int = signal.SIGTERM) -> int:
        await self._stack.aclose()
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)
            code = await self.ended()
            self.log += "draining" if number == signal.SIGKILL else ""
            return code
        return 0


@pytest.fixture
async def process(environ, client_class) -> AsyncIterator[Process]:
    launched = Process(environ, client_class)
    yield launched
    await launched.stop()


async def session_of(client, guest):
    verifier = TokenVerifier(f"{client.http}/.well-known/jwks.json")
    return (await verifier.verify(guest.session.token)).session_id


async def test_the_same_command_finds_the_same_guest_after_a_kill(process):
    command_id = str(uuid4())
    client = await process.start()
    first = await client.register("Ana", command_id)
    session_id = await session_of(client, first)
    await process.stop(signal.SIGKILL)
    client = await process.start()
    later = await client.register("Ana", command_id)
    assert first.player_id == later.player_id
    assert session_id == await session_of(client, later)
    assert await session_of(client, first) == session_id  # its token is still good


async def test_a_token_from_before_the_database_was_made_is_not_renewed(process, clean_postgres, refusal):
    client = await process.start()
    guest = await client.register("Ana")
    assert await process.stop() == 0
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("drop database carteado_accounts with (force)")
    client = await process.start()
    refused = ("UNAUTHENTICATED", "TOKEN_REFUSED")
    assert await refusal(client.renew(guest.session.refresh_token)) == refused


async def test_no_name_and_no_token_is_logged(process, refusal):
    client = await process.start()
    guest = await client.register("Marivaldo")
    await refusal(client.register("Marivaldo\u200b"))
    renewed = await client.renew(guest.session.refresh_token)
    assert await process.stop() == 0
    assert "draining" in process.log
    assert "Marivaldo" not in process.log
    for secret in (guest.session.token, guest.session.refresh_token, renewed.session.refresh_token):
        assert secret not in process.log


async def test_production_has_no_guests(process, environ, refusal):
    environ["CARTEADO_ENVIRONMENT"] = "production"
    client = await process.start()
    refused = ("FAILED_PRECONDITION", "GUESTS_NOT_OFFERED")
    assert await refusal(client.register("Ana")) == refused
    assert await refusal(client.renew("x")) == refused
    assert await client.names([str(uuid4())]) == {}
    timeout = aiohttp.ClientTimeout(total=5)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{client.http}/.well-known/jwks.json") as response,
    ):
        assert response.status == 404


async def test_guests_are_never_offered_to_the_network(process, environ):
    environ["CARTEADO_ACCOUNTS_HTTP"] = "0.0.0.0:0"
    await process.launch()
    assert await process.ended() == 64
    assert process.log.count("\n") == 1
    assert "hand out guest tokens to the network" in process.log


async def test_a_database_of_a_newer_release_is_not_touched(process, accounts, rows):
    rows(
        "insert into schema_migrations (component, number, name, checksum) "
        "values ('accounts', 99, 'later', 'x') returning 1"
    )
    await process.launch()
    assert await process.ended() == 78
    assert process.log.count("\n") == 1
    assert "start the newer release" in process.log


async def test_without_postgres_it_says_what_to_set(process, environ):
    del environ["CARTEADO_POSTGRES"]
    await process.launch()
    assert await process.ended() == 64
    assert process.log.count("\n") == 1
    assert "CARTEADO_POSTGRES is not set" in process.log
