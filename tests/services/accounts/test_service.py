"""Accounts over gRPC, as the process that it is, on real Postgres."""

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import aiohttp
import grpc
import psycopg
import pytest

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import channel, error_code
from libs.service.tokens import TokenVerifier

pytestmark = [pytest.mark.integration, pytest.mark.e2e]


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"127.0.0.1:{listening.getsockname()[1]}"


class Accounts:
    """The process, and the gateway's way to call it."""

    def __init__(self, environ: dict[str, str], keys: Path) -> None:
        self.environ = environ
        self._gateway = Credentials("gateway", keys)
        self.process: asyncio.subprocess.Process
        self.stub: rpc.AccountsServiceStub
        self._channel: grpc.aio.Channel | None = None

    @property
    def http(self) -> str:
        return f"http://{self.environ['CARTEADO_ACCOUNTS_HTTP']}"

    @property
    def metadata(self):
        return self._gateway.metadata("accounts")

    async def launch(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.accounts", env=self.environ, stderr=asyncio.subprocess.PIPE
        )

    async def start(self) -> None:
        await self.launch()
        await self.until_logged("serving HTTP")
        self._channel = channel(self.environ["CARTEADO_ACCOUNTS_GRPC"])
        self.stub = rpc.AccountsServiceStub(self._channel)

    async def until_logged(self, text: str) -> None:
        assert self.process.stderr is not None
        log = ""
        async with asyncio.timeout(20):
            while text not in log:
                line = await self.process.stderr.readline()
                assert line, f"accounts ended: {log}"
                log += line.decode()

    async def ended(self) -> tuple[int | None, str]:
        async with asyncio.timeout(20):
            _, err = await self.process.communicate()
        return self.process.returncode, err.decode()

    async def stop(self, number: int = signal.SIGTERM) -> None:
        if self._channel is not None:
            await self._channel.close()
            self._channel = None
        if self.process.returncode is None:
            self.process.send_signal(number)
            await self.ended()

    async def register(self, name: str, command_id: str | None = None) -> pb.RegisterGuestResponse:
        request = pb.RegisterGuestRequest(command_id=command_id or str(uuid4()), name=name)
        return await self.stub.RegisterGuest(request, timeout=10, metadata=self.metadata)

    async def renew(self, token: str) -> pb.RenewTokenResponse:
        request = pb.RenewTokenRequest(token=token)
        return await self.stub.RenewToken(request, timeout=10, metadata=self.metadata)

    async def names(self, player_ids: list[str]) -> dict[str, str]:
        request = pb.GetNamesRequest(player_ids=player_ids)
        response = await self.stub.GetNames(request, timeout=10, metadata=self.metadata)
        return {item.player_id: item.name for item in response.names}


@pytest.fixture
def stopped(clean_postgres, tmp_path) -> Accounts:
    keys = tmp_path / "keys"
    keys.mkdir()
    for service in ("accounts", "gateway"):
        create_key_pair(service, keys)
    return Accounts(
        {
            "CARTEADO_ENVIRONMENT": "development",
            "CARTEADO_POSTGRES": clean_postgres,
            "CARTEADO_NATS": "nats://127.0.0.1:1",
            "CARTEADO_ACCOUNTS_GRPC": free_address(),
            "CARTEADO_ACCOUNTS_HTTP": free_address(),
            "CARTEADO_KEYS": str(keys),
        },
        keys,
    )


@pytest.fixture
async def accounts(stopped) -> AsyncIterator[Accounts]:
    await stopped.start()
    yield stopped
    await stopped.stop()


@pytest.fixture
def rows(clean_postgres):
    """Runs a query in the service's own database."""

    def run(query):
        with psycopg.connect(clean_postgres, dbname="carteado_accounts") as connection:
            return connection.execute(query).fetchall()

    return run


async def refusal(call):
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    return failed.value.code().name, error_code(failed.value)


async def test_a_guest_gets_an_id_a_name_and_a_token_that_a_gateway_can_verify(accounts):
    guest = await accounts.register("  Jose\u0301 da Silva ")
    assert guest.name == "José da Silva"
    verifier = TokenVerifier(f"{accounts.http}/.well-known/jwks.json")
    player = await verifier.verify(guest.session.token)
    assert player.player_id == guest.player_id
    assert int(player.expires_at.timestamp()) == guest.session.expires_at.seconds
    assert await accounts.names([guest.player_id]) == {guest.player_id: "José da Silva"}


async def test_the_same_command_finds_the_same_guest_also_after_a_kill(accounts):
    command_id = str(uuid4())
    first = await accounts.register("Ana", command_id)
    again = await accounts.register("Ana", command_id)
    await accounts.stop(signal.SIGKILL)
    await accounts.start()
    later = await accounts.register("Ana", command_id)
    assert {first.player_id} == {again.player_id, later.player_id}
    verifier = TokenVerifier(f"{accounts.http}/.well-known/jwks.json")
    sessions = {(await verifier.verify(guest.session.token)).session_id for guest in (first, again, later)}
    assert len(sessions) == 1


async def test_the_same_command_for_another_name_is_refused(accounts):
    command_id = str(uuid4())
    guest = await accounts.register("Ana", command_id)
    assert await refusal(accounts.register("Bia", command_id)) == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")
    assert await accounts.names([guest.player_id]) == {guest.player_id: "Ana"}


async def test_one_command_given_many_times_at_once_is_one_guest(accounts, rows):
    command_id = str(uuid4())
    guests = await asyncio.gather(*(accounts.register("Ana", command_id) for _ in range(20)))
    assert len({guest.player_id for guest in guests}) == 1
    assert rows("select count(*) from events") == [(1,)]


async def test_a_registration_cut_between_the_log_and_the_name_is_completed_by_its_repetition(accounts, rows):
    command_id = str(uuid4())
    guest = await accounts.register("Ana", command_id)
    rows("delete from display_names returning player_id")
    assert await accounts.names([guest.player_id]) == {}
    assert (await accounts.register("Ana", command_id)).player_id == guest.player_id
    assert await accounts.names([guest.player_id]) == {guest.player_id: "Ana"}


async def test_the_log_holds_ids_and_never_a_name(accounts, rows):
    await accounts.register("Marivaldo")
    ((everything,),) = rows("select string_agg(events::text, ' ') from events")
    assert "PlayerRegistered" in everything
    assert "Marivaldo" not in everything
    assert rows("select name from display_names") == [("Marivaldo",)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x", "NAME_TOO_SHORT"),
        ("x" * 21, "NAME_TOO_LONG"),
        ("a\0b", "NAME_CHARACTER_REFUSED"),
        ("Jo\u200bsé", "NAME_CHARACTER_REFUSED"),
        ("J\u043esé", "NAME_MIXES_SCRIPTS"),
    ],
)
async def test_a_refused_name_reaches_neither_log_nor_table(accounts, rows, name, code):
    assert await refusal(accounts.register(name)) == ("INVALID_ARGUMENT", code)
    assert rows("select count(*) from events") == [(0,)]
    assert (await accounts.register("Ana")).name == "Ana"


@pytest.mark.parametrize("command_id", ["x", "0" * 32, str(uuid4()).upper(), "{" + str(uuid4()) + "}"])
async def test_a_command_id_has_one_spelling(accounts, command_id):
    assert await refusal(accounts.register("Ana", command_id)) == ("INVALID_ARGUMENT", "INVALID_ARGUMENT")


async def test_a_token_is_renewed_for_the_same_player_and_session(accounts):
    guest = await accounts.register("Ana")
    renewed = await accounts.renew(guest.session.token)
    verifier = TokenVerifier(f"{accounts.http}/.well-known/jwks.json")
    first, second = (
        await verifier.verify(guest.session.token),
        await verifier.verify(renewed.session.token),
    )
    assert (first.player_id, first.session_id) == (second.player_id, second.session_id)
    assert second.expires_at >= first.expires_at


async def test_a_token_of_nobody_is_not_renewed(accounts, rows):
    guest = await accounts.register("Ana")
    header, payload, signature = guest.session.token.split(".")
    for token in ("", "x", f"{header}.{payload}.", f"{header}.{payload}.{signature[::-1]}"):
        assert await refusal(accounts.renew(token)) == ("UNAUTHENTICATED", "TOKEN_REFUSED")


async def test_a_token_from_before_the_database_was_made_is_not_renewed(accounts, clean_postgres):
    guest = await accounts.register("Ana")
    await accounts.stop()
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("drop database carteado_accounts with (force)")
    await accounts.start()
    assert await refusal(accounts.renew(guest.session.token)) == ("UNAUTHENTICATED", "TOKEN_REFUSED")


async def test_names_of_many_are_given_in_the_order_asked_and_unknown_ones_left_out(accounts):
    ana, bia = await accounts.register("Ana"), await accounts.register("Bia")
    request = [bia.player_id, str(uuid4()), ana.player_id, bia.player_id]
    assert list((await accounts.names(request)).items()) == [
        (bia.player_id, "Bia"),
        (ana.player_id, "Ana"),
    ]
    assert await accounts.names([]) == {}
    assert await accounts.names([str(uuid4()) for _ in range(100)]) == {}


async def test_names_of_more_than_a_hundred_or_of_no_ids_are_refused(accounts):
    invalid = ("INVALID_ARGUMENT", "INVALID_ARGUMENT")
    assert await refusal(accounts.names([str(uuid4()) for _ in range(101)])) == invalid
    assert await refusal(accounts.names(["'; drop table events; --"])) == invalid


async def test_a_players_token_opens_nothing_inside(accounts):
    guest = await accounts.register("Ana")
    bearer = (("authorization", f"Bearer {guest.session.token}"),)
    as_service = (("authorization", f"Service {guest.session.token}"),)
    for metadata in (bearer, as_service):
        call = accounts.stub.GetNames(pb.GetNamesRequest(), timeout=10, metadata=metadata)
        assert await refusal(call) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


async def test_no_name_and_no_token_is_logged(accounts):
    guest = await accounts.register("Marivaldo")
    await refusal(accounts.register("Marivaldo\u200b"))
    await accounts.renew(guest.session.token)
    accounts.process.send_signal(signal.SIGTERM)
    code, log = await accounts.ended()
    assert code == 0
    assert "Marivaldo" not in log
    assert guest.session.token not in log


async def test_metrics_tell_of_commands_and_calls(accounts):
    await accounts.register("Ana")
    timeout = aiohttp.ClientTimeout(total=5)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{accounts.http}/metrics") as response,
    ):
        text = await response.text()
    assert 'carteado_commands_total{category="player",code="",result="committed"} 1.0' in text
    assert (
        'carteado_grpc_requests_total{code="OK",method="/carteado.accounts.v1.AccountsService/RegisterGuest"} 1.0'
        in text
    )
    assert "Ana" not in text


async def test_production_has_no_guests(stopped):
    stopped.environ["CARTEADO_ENVIRONMENT"] = "production"
    await stopped.start()
    try:
        refused = ("FAILED_PRECONDITION", "GUESTS_NOT_OFFERED")
        assert await refusal(stopped.register("Ana")) == refused
        assert await refusal(stopped.renew("x")) == refused
        assert await stopped.names([str(uuid4())]) == {}
        timeout = aiohttp.ClientTimeout(total=5)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(f"{stopped.http}/.well-known/jwks.json") as response,
        ):
            assert response.status == 404
    finally:
        await stopped.stop()


async def test_guests_are_never_offered_to_the_network(stopped):
    stopped.environ["CARTEADO_ACCOUNTS_HTTP"] = "0.0.0.0:0"
    await stopped.launch()
    code, err = await stopped.ended()
    assert (code, err.count("\n")) == (64, 1)
    assert "hand out guest tokens to the network" in err


async def test_a_database_of_a_newer_release_is_not_touched(accounts, rows):
    await accounts.stop()
    rows(
        "insert into schema_migrations (component, number, name, checksum) "
        "values ('accounts', 2, 'later', 'x') returning 1"
    )
    await accounts.launch()
    code, err = await accounts.ended()
    assert (code, err.count("\n")) == (78, 1)
    assert "start the newer release" in err


async def test_without_postgres_it_says_what_to_set(stopped):
    del stopped.environ["CARTEADO_POSTGRES"]
    await stopped.launch()
    code, err = await stopped.ended()
    assert (code, err.count("\n")) == (64, 1)
    assert "CARTEADO_POSTGRES is not set" in err
