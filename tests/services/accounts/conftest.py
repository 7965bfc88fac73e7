"""Accounts on real Postgres: in this process for what it answers, as a process of its own for how it lives."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from carteado.accounts.v1 import operators_service_pb2_grpc as operators_rpc
from carteado.accounts.v1 import profile_service_pb2_grpc as profile_rpc
from carteado.accounts.v1 import sessions_service_pb2_grpc as sessions_rpc
from carteado.accounts.v1 import social_service_pb2_grpc as social_rpc
from deploy.local.ports import free_ports
from libs.service.app import Context
from libs.service.config import load_config
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import channel, error_code
from libs.service.grpc_server import GrpcServer
from libs.service.http import HttpServer
from libs.service.metrics import GrpcServerMetrics
from services.accounts.app import build
from tests.services.accounts.actors import Desk, Outside, People


class Client:
    """The gateway's way to call accounts."""

    def __init__(self, opened: grpc.aio.Channel, credentials: Credentials, http: str) -> None:
        self.stub = rpc.AccountsServiceStub(opened)
        self.sessions = sessions_rpc.SessionsServiceStub(opened)
        self.profile = profile_rpc.ProfileServiceStub(opened)
        self.social = social_rpc.SocialServiceStub(opened)
        self.operators = operators_rpc.OperatorsServiceStub(opened)
        self.http = http
        self._credentials = credentials

    @property
    def metadata(self):
        return self._credentials.metadata("accounts")

    async def register(self, name: str, command_id: str | None = None) -> pb.RegisterGuestResponse:
        request = pb.RegisterGuestRequest(
            command_id=str(uuid4()) if command_id is None else command_id, name=name
        )
        return await self.stub.RegisterGuest(request, timeout=30, metadata=self.metadata)

    async def renew(self, refresh_token: str, command_id: str | None = None) -> pb.RenewTokenResponse:
        request = pb.RenewTokenRequest(token=refresh_token, command_id=command_id or str(uuid4()))
        return await self.stub.RenewToken(request, timeout=30, metadata=self.metadata)

    async def call(self, method: Any, request: Any) -> Any:
        """Calls any method of any service of accounts as the gateway."""
        return await method(request, timeout=30, metadata=self.metadata)

    async def names(self, player_ids: list[str]) -> dict[str, str]:
        request = pb.GetNamesRequest(player_ids=player_ids)
        response = await self.stub.GetNames(request, timeout=30, metadata=self.metadata)
        return {item.player_id: item.name for item in response.names}


def free_address() -> str:
    """An address of this machine where nobody listens."""
    return f"127.0.0.1:{free_ports(1)[0]}"


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """The folder of service credentials."""
    folder = tmp_path / "keys"
    folder.mkdir()
    for service in ("accounts", "gateway", "cli", "table"):
        create_key_pair(service, folder)
    return folder


@pytest.fixture
def environ(clean_postgres: str, nats_url: str, keys: Path) -> dict[str, str]:
    """The environment of accounts in the local stack."""
    return {
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_POSTGRES": clean_postgres,
        "CARTEADO_NATS": nats_url,
        "CARTEADO_ACCOUNTS_GRPC": free_address(),
        "CARTEADO_ACCOUNTS_HTTP": free_address(),
        "CARTEADO_KEYS": str(keys),
    }


@pytest.fixture
async def accounts(environ: dict[str, str], keys: Path) -> AsyncIterator[Client]:
    """Accounts as `build` composes it, served in this process."""
    config, credentials = load_config("accounts", environ), Credentials("accounts", keys)
    log, registry = structlog.get_logger(), CollectorRegistry()
    parts = await build(Context(config, credentials, log, registry))
    server = GrpcServer(credentials, parts.allow, GrpcServerMetrics(registry), log)
    server.register(parts.grpc)
    grpc_port = await server.start("127.0.0.1:0")
    http = HttpServer(registry, parts.ready, parts.routes)
    http_port = await http.start("127.0.0.1:0")
    background = [asyncio.create_task(work) for work in parts.background]
    async with channel(f"127.0.0.1:{grpc_port}") as opened:
        yield Client(opened, Credentials("gateway", keys), f"http://127.0.0.1:{http_port}")
    await http.close()
    await server.drain(0)
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    await parts.close()


@pytest.fixture
def rows(clean_postgres: str) -> Callable[[str], list[Any]]:
    """Runs a query in the service's own database."""

    def run(query: str) -> list[Any]:
        with psycopg.connect(clean_postgres, dbname="carteado_accounts") as connection:
            return connection.execute(query).fetchall()

    return run


@pytest.fixture
def refusal():
    """The status and our code of a call that is refused."""

    async def of(call):
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await call
        return failed.value.code().name, error_code(failed.value)

    return of


@pytest.fixture
def client_class() -> type[Client]:
    """For tests that open channels of their own."""
    return Client


@pytest.fixture
def outside(accounts) -> Outside:
    return Outside(accounts)


@pytest.fixture
async def people(accounts) -> People:
    ana, bia = await accounts.register("Ana"), await accounts.register("Bia")
    return People(accounts, ana.player_id, bia.player_id)


@pytest.fixture
def desk(accounts, keys) -> Desk:
    return Desk(accounts.operators, Credentials("cli", keys))
