"""A table service, matchmaking and a gateway on loopback, each with its real face, and a player who talks to the gateway alone."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from libs.service.app import Context, Parts
from libs.service.config import ServiceConfig
from libs.service.credentials import Credentials, create_key_pair
from libs.service.http import HttpServer
from libs.service.logging import configure_logging
from libs.service.metrics import new_registry
from libs.service.tokens import TokenVerifier
from services.gateway.app import assemble
from services.gateway.limits import Limits
from tests.services.gateway.fakes import FakeAccounts, Issuer
from tests.services.matchmaking.serving import Serving as MatchmakingServing
from tests.services.table.conftest import Serving

PROTOBUF = "carteado.v1.protobuf"
JSON = "carteado.v1.json"


class Platform:
    """The services, and who may call the gateway."""

    def __init__(self, url: str, serving: Serving, issuer: Issuer, parts: Parts) -> None:
        self.url = url
        self.serving = serving
        self.issuer = issuer
        self.parts = parts
        self.http = aiohttp.ClientSession(url)

    async def get(self, path: str, player_id: str | None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of a GET by a player, or by somebody without a token."""
        if player_id is not None:
            headers["Authorization"] = f"Bearer {self.issuer.token(player_id)}"
        async with self.http.get(path, headers=headers) as response:
            return response.status, await response.json()

    async def practice(self, player_id: str, key: str, entropy: str = "") -> str:
        """Opens a training table; gives its id."""
        body = {"game": "truco-paulista", "entropy": entropy}
        headers = {"Authorization": f"Bearer {self.issuer.token(player_id)}", "Idempotency-Key": key}
        async with self.http.post("/api/v1/practice", json=body, headers=headers) as response:
            assert response.status == 201, await response.text()
            table_id: str = (await response.json())["table_id"]
            return table_id

    async def record(self, table_id: str, player_id: str) -> dict[str, Any]:
        """The whole record of a finished match, its pages put together."""
        status, record = await self.get(f"/api/v1/tables/{table_id}/record", player_id)
        assert status == 200, record
        while "next_after" in record:
            path = f"/api/v1/tables/{table_id}/record?after={record['next_after']}"
            status, page = await self.get(path, player_id)
            assert status == 200, page
            page["events"] = record["events"] + page["events"]
            record = page
        return record


@asynccontextmanager
async def running_platform(keys: Path, **limits: Any) -> AsyncIterator[Platform]:
    """The platform for as long as the block lasts."""
    create_key_pair("matchmaking", keys)
    serving = Serving(keys)
    await serving.start()
    issuer = Issuer()
    await issuer.start()
    accounts = FakeAccounts(keys, issuer)
    await accounts.start()
    matchmaking = MatchmakingServing(keys, serving.address)
    await matchmaking.start()
    config = ServiceConfig(
        name="gateway",
        environment="development",
        grpc_address=None,
        http_address="127.0.0.1:0",
        postgres=None,
        nats="nats://127.0.0.1:1",
        keys=keys,
        replicas={
            "table": (serving.address,),
            "accounts": (accounts.address,),
            "matchmaking": (matchmaking.address,),
        },
    )
    context = Context(
        config, Credentials("gateway", keys), configure_logging("gateway", "warning"), new_registry("gateway")
    )
    parts = assemble(context, TokenVerifier(issuer.url), Limits(**limits))
    server = HttpServer(context.registry, parts.ready, parts.routes, parts.middlewares)
    background = [asyncio.create_task(coroutine) for coroutine in parts.background]
    platform = Platform(f"http://127.0.0.1:{await server.start('127.0.0.1:0')}", serving, issuer, parts)
    try:
        yield platform
    finally:
        await platform.http.close()
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await server.close()
        await parts.close()
        await matchmaking.stop()
        await accounts.stop()
        await issuer.stop()
        await serving.stop()


def new_player() -> str:
    """The id of a player."""
    return str(uuid.uuid4())
