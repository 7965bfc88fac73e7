"""Accounts and gateways in this process, on real Postgres and NATS, with an issuer of tokens from outside if wanted."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import msgspec
import structlog
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import ECKey, OKPKey, RSAKey
from prometheus_client import CollectorRegistry

from libs.service.app import Context, Parts
from libs.service.config import ServiceConfig
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import channel
from libs.service.grpc_server import GrpcServer
from libs.service.http import HttpServer
from libs.service.metrics import GrpcServerMetrics
from libs.service.nats import connect
from libs.service.tokens import LOCAL_ISSUER, TokenVerifier
from services.accounts.app import build as build_accounts
from services.gateway.app import assemble
from services.gateway.limits import Limits
from tests.services.accounts.actors import Desk
from tests.services.gateway.conftest import PROTOBUF, Client
from tests.services.gateway.fakes import FakeTables

SERVICES = ("accounts", "gateway", "table", "cli")


class OidcIssuer:
    """An OpenID provider, as far as we know one: it signs tokens and publishes its keys, and changes them."""

    def __init__(self) -> None:
        self.name = "https://id.example"
        self.keys: dict[str, OKPKey | RSAKey | ECKey] = {}
        self.jwks_url = ""
        self.asked = 0
        self._runner: web.AppRunner | None = None
        self.rotate("2026-01", RSAKey.generate_key(2048))

    def rotate(self, kid: str, key: OKPKey | RSAKey | ECKey) -> None:
        """Signs with a new key from now on; the ones before stay published."""
        self.keys[kid] = key
        self.kid = kid

    def withdraw(self, kid: str) -> None:
        """Publishes a key no longer."""
        del self.keys[kid]

    async def start(self) -> None:
        app = web.Application()
        app.add_routes([web.get("/jwks", self._jwks)])
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.jwks_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/jwks"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _jwks(self, _request: web.Request) -> web.Response:
        self.asked += 1
        return web.json_response(
            {"keys": [{**key.as_dict(private=False), "kid": kid} for kid, key in self.keys.items()]}
        )

    def token(self, subject: str, session: str = "s1", *, key: Any = None, **claims: Any) -> str:
        """A token of one of the subject's sessions, as this provider signs it now, with what a test changes."""
        signing = self.keys[self.kid] if key is None else key
        algorithm = {"RSA": "RS256", "EC": "ES256", "OKP": "Ed25519"}[signing.key_type]
        now = int(time.time())
        body = {
            "iss": self.name,
            "aud": ["carteado", "account"],
            "sub": subject,
            "sid": f"{subject}/{session}",
            "iat": now,
            "exp": now + 600,
            "email": f"{subject}@example.org",
            **claims,
        }
        body = {name: value for name, value in body.items() if value is not None}
        return jwt.encode({"alg": algorithm, "kid": self.kid}, body, signing, algorithms=[algorithm])


class Gateway:
    """One gateway, and who uses it."""

    def __init__(self, parts: Parts, http: HttpServer, port: int) -> None:
        self.parts = parts
        self.url = f"http://127.0.0.1:{port}"
        self.client = aiohttp.ClientSession(self.url)
        self.background = [asyncio.create_task(work) for work in parts.background]
        self._http = http
        self._sockets: list[Client] = []

    async def ask(
        self, method: str, path: str, token: str | None = None, **options: Any
    ) -> tuple[int, dict[str, Any]]:
        """Status and JSON of a request."""
        headers = {"Idempotency-Key": options.pop("key", None) or str(uuid4())}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        async with self.client.request(method, path, headers=headers, **options) as response:
            return response.status, await response.json()

    async def guest(self, name: str, key: str | None = None) -> dict[str, Any]:
        """A new guest: player_id, token, refresh_token."""
        status, guest = await self.ask("POST", "/api/v1/guests", json={"name": name}, key=key)
        assert status == 201, guest
        return guest

    async def renew(self, refresh_token: str, key: str | None = None) -> tuple[int, dict[str, Any]]:
        return await self.ask("POST", "/api/v1/session/renew", json={"refresh_token": refresh_token}, key=key)

    async def socket(self, token: str | None = None) -> Client:
        """An open socket, welcomed if a token is given."""
        opened = Client(await self.client.ws_connect("/ws", protocols=[PROTOBUF]))
        self._sockets.append(opened)  # One that nobody refers to would be closed.
        if token is not None:
            await opened.hello(token)
        return opened

    async def stop(self) -> None:
        await self.client.close()
        await self.parts.drain()
        for task in self.background:
            task.cancel()
        await asyncio.gather(*self.background, return_exceptions=True)
        await self._http.close()
        await self.parts.close()


class Accounts:
    """The accounts service, which may be stopped and started again on its port."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._server: GrpcServer | None = None
        self.grpc_port = 0
        self.http_port = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.grpc_port}"

    async def start(self) -> None:
        context = msgspec.structs.replace(self._context, registry=CollectorRegistry())
        self._parts = await build_accounts(context)
        self._server = GrpcServer(
            context.credentials, self._parts.allow, GrpcServerMetrics(context.registry), context.log
        )
        self._server.register(self._parts.grpc)
        self.grpc_port = await self._server.start(f"127.0.0.1:{self.grpc_port}")
        self._http = HttpServer(context.registry, self._parts.ready, self._parts.routes)
        self.http_port = await self._http.start(f"127.0.0.1:{self.http_port}")
        self._background = [asyncio.create_task(work) for work in self._parts.background]

    async def stop(self) -> None:
        if self._server is None:
            return
        server, self._server = self._server, None
        await self._http.close()
        await server.drain(0)
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self._parts.close()


class Platform:
    """The services of a test. `gateway(...)` starts one more gateway."""

    def __init__(self, keys: Path, postgres: str, nats_url: str) -> None:
        self.keys = keys
        self.nats_url = nats_url
        self.tables = FakeTables(keys)
        self.outside = OidcIssuer()
        self.accounts = Accounts(self._context("accounts", postgres))
        self.desk: Desk
        self._gateways: list[Gateway] = []

    def _context(self, name: str, postgres: str | None = None, **replicas: tuple[str, ...]) -> Context:
        config = ServiceConfig(
            name=name,
            environment="development",
            grpc_address="127.0.0.1:0" if postgres else None,
            http_address="127.0.0.1:0",
            postgres=f"{postgres} dbname=carteado_{name}" if postgres else None,
            nats=self.nats_url,
            keys=self.keys,
            replicas=replicas,
        )
        credentials = Credentials(name, self.keys)
        return Context(config, credentials, structlog.get_logger(name), CollectorRegistry())

    async def gateway(self, *, has_nats: bool = True, is_outside: bool = False, **limits: Any) -> Gateway:
        """A gateway that trusts the local issuer, or the one outside."""
        context = self._context("gateway", table=(self.tables.address,), accounts=(self.accounts.address,))
        jwks_url = f"http://127.0.0.1:{self.accounts.http_port}/.well-known/jwks.json"
        verifier = (
            TokenVerifier(self.outside.jwks_url, self.outside.name)
            if is_outside
            else TokenVerifier(jwks_url, LOCAL_ISSUER)
        )
        bounds = msgspec.structs.replace(
            Limits(reconnect_first_s=0.02, reconnect_most_s=0.2, presence_change_s=0.05), **limits
        )
        nats = await connect(context.config, context.log) if has_nats else None
        parts = assemble(context, verifier, bounds, frozenset(), nats)
        http = HttpServer(context.registry, parts.ready, parts.routes, parts.middlewares)
        gateway = Gateway(parts, http, await http.start("127.0.0.1:0"))
        self._gateways.append(gateway)
        return gateway

    async def stop(self, gateway: Gateway) -> None:
        self._gateways.remove(gateway)
        await gateway.stop()

    async def stop_all(self) -> None:
        while self._gateways:
            await self.stop(self._gateways[-1])
        await self.accounts.stop()
        await self.tables.stop()
        await self.outside.stop()


@asynccontextmanager
async def running_platform(keys: Path, postgres: str, nats_url: str) -> AsyncIterator[Platform]:
    """The platform for as long as the block lasts."""
    for service in SERVICES:
        create_key_pair(service, keys)
    platform = Platform(keys, postgres, nats_url)
    try:
        await platform.tables.start()
        await platform.outside.start()
        await platform.accounts.start()
        async with channel(platform.accounts.address) as opened:
            platform.desk = Desk.at(opened, Credentials("cli", keys))
            yield platform
    finally:
        await platform.stop_all()
