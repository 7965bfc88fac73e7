"""A whole gateway on loopback, its neighbours, and clients of both subprotocols."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from google.protobuf import json_format

from carteado.gateway.v1 import gateway_pb2 as pb
from carteado.table.v1 import table_service_pb2 as table_pb
from libs.service.app import Context, Parts
from libs.service.config import ServiceConfig
from libs.service.credentials import Credentials, create_key_pair
from libs.service.http import HttpServer
from libs.service.logging import configure_logging
from libs.service.metrics import new_registry
from libs.service.tokens import TokenVerifier
from services.gateway.app import assemble
from services.gateway.limits import Limits
from tests.services.gateway.fake_billing import FakeBilling
from tests.services.gateway.fake_league import FakeLeague
from tests.services.gateway.fake_matchmaking import FakeMatchmaking
from tests.services.gateway.fakes import FakeAccounts, FakeTables, Issuer, new_id

PROTOBUF = "carteado.v1.protobuf"
JSON = "carteado.v1.json"


class Client:
    """One WebSocket that speaks either subprotocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, **message: Any) -> None:
        await self.send_message(pb.ClientMessage(**message))

    async def send_message(self, message: pb.ClientMessage) -> None:
        if self.socket.protocol == PROTOBUF:
            await self.socket.send_bytes(message.SerializeToString())
        else:
            await self.socket.send_str(json_format.MessageToJson(message))

    async def get(self) -> pb.ServerMessage:
        """The next message; fails if the socket is closed or nothing comes."""
        frame = await self.socket.receive(timeout=30)
        if frame.type is aiohttp.WSMsgType.BINARY:
            return pb.ServerMessage.FromString(frame.data)
        assert frame.type is aiohttp.WSMsgType.TEXT, f"closed with {self.socket.close_code}"
        return json_format.Parse(frame.data, pb.ServerMessage())

    async def expect(self, kind: str) -> Any:
        message = await self.get()
        assert message.WhichOneof("message") == kind, message
        return getattr(message, kind)

    async def expect_error(self, code: str) -> pb.ProtocolError:
        error: pb.ProtocolError = await self.expect("error")
        assert error.code == code
        assert error.text_pt
        assert error.text_en
        assert "Traceback" not in str(error)
        return error

    async def expect_close(self, code: int) -> None:
        frame = await self.socket.receive(timeout=30)
        assert frame.type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}, frame
        assert self.socket.close_code == code

    async def hello(self, token: str) -> pb.Welcome:
        await self.send(hello=pb.Hello(token=token))
        welcome: pb.Welcome = await self.expect("welcome")
        return welcome

    async def attach(self, table_id: str, last_version: int = 0) -> None:
        await self.send(attach_table=pb.AttachTable(table_id=table_id, last_version=last_version))

    async def leave(self, table_id: str, command_id: str | None = None) -> str:
        """Sends the simplest command there is."""
        command_id = command_id or new_id()
        await self.send(
            command=table_pb.TableCommand(command_id=command_id, table_id=table_id, leave=table_pb.Leave())
        )
        return command_id


class Gateway:
    """A running gateway and who it knows."""

    def __init__(
        self,
        url: str,
        parts: Parts,
        issuer: Issuer,
        tables: list[FakeTables],
        accounts: FakeAccounts,
        league: FakeLeague,
        billing: FakeBilling,
        matchmaking: FakeMatchmaking,
    ) -> None:
        self.url = url
        self.parts = parts
        self.issuer = issuer
        self.tables = tables
        self.accounts = accounts
        self.league = league
        self.billing = billing
        self.matchmaking = matchmaking
        self.http = aiohttp.ClientSession(url)
        self._clients: list[Client] = []

    @property
    def table(self) -> FakeTables:
        return self.tables[0]

    async def open(self, protocol: str = PROTOBUF, **options: Any) -> Client:
        """A socket that has not said Hello."""
        client = Client(await self.http.ws_connect("/ws", protocols=[protocol], **options))
        self._clients.append(client)
        return client

    async def sign_in(self, player_id: str | None = None, protocol: str = PROTOBUF, **options: Any) -> Client:
        client = await self.open(protocol, **options)
        await client.hello(self.issuer.token(player_id or new_id()))
        return client

    async def refused(self, code: str) -> float:
        """How often the gateway says that it has answered with this code."""
        async with self.http.get("/metrics") as response:
            for line in (await response.text()).splitlines():
                if line.startswith(f'carteado_gateway_refused_total{{code="{code}"}}'):
                    return float(line.split()[-1])
        return 0.0


StartGateway = Callable[..., Awaitable[Gateway]]


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    folder.mkdir()
    for name in ("gateway", "table", "accounts", "league", "billing", "matchmaking"):
        create_key_pair(name, folder)
    return folder


@pytest.fixture
async def start_gateway(keys: Path) -> AsyncIterator[StartGateway]:
    """Starts a gateway with the limits that a test needs, and as many table replicas."""
    started: list[Any] = []

    async def start(replicas: int = 1, origins: frozenset[str] = frozenset(), **limits: Any) -> Gateway:
        issuer = Issuer()
        await issuer.start()
        tables = [FakeTables(keys) for _ in range(replicas)]
        accounts = FakeAccounts(keys, issuer)
        league, billing, matchmaking = FakeLeague(keys), FakeBilling(keys), FakeMatchmaking(keys)
        for fake in (*tables, accounts, league, billing, matchmaking):
            await fake.start()
        config = ServiceConfig(
            name="gateway",
            environment="development",
            grpc_address=None,
            http_address="127.0.0.1:0",
            postgres=None,
            nats="nats://127.0.0.1:1",
            keys=keys,
            replicas={
                "table": tuple(fake.address for fake in tables),
                "accounts": (accounts.address,),
                "league": (league.address,),
                "billing": (billing.address,),
                "matchmaking": (matchmaking.address,),
            },
        )
        context = Context(
            config,
            Credentials("gateway", keys),
            configure_logging("gateway", "warning"),
            new_registry("gateway"),
        )
        bounds = msgspec.structs.replace(Limits(reconnect_first_s=0.02, reconnect_most_s=0.2), **limits)
        parts = assemble(context, TokenVerifier(issuer.url), bounds, origins)
        server = HttpServer(context.registry, parts.ready, parts.routes, parts.middlewares)
        background = [asyncio.create_task(coroutine) for coroutine in parts.background]
        port = await server.start("127.0.0.1:0")
        gateway = Gateway(
            f"http://127.0.0.1:{port}", parts, issuer, tables, accounts, league, billing, matchmaking
        )
        started.append((gateway, server, background))
        for fake in tables:
            await fake.until(lambda fake=fake: fake.stream_count == 1)
        return gateway

    yield start
    for gateway, server, background in started:
        await gateway.http.close()
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await server.close()
        await gateway.parts.close()
        fakes = (gateway.accounts, gateway.league, gateway.billing, gateway.matchmaking)
        for fake in (*gateway.tables, *fakes, gateway.issuer):
            await fake.stop()


@pytest.fixture
async def gateway(start_gateway: StartGateway) -> Gateway:
    return await start_gateway()
