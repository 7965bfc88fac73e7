"""A whole stack, matchmaking alone on real servers, and its calls as the gateway makes them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import nats
import psycopg
import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from deploy.local import discover
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.service.app import Context
from libs.service.config import load_config
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import Channels, error_code
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from services.matchmaking.app import ACCOUNTS_STREAM, TABLES_STREAM, compose
from services.matchmaking.attendance import GONE_AFTER
from services.matchmaking.react import CLOSED_SUBJECT
from services.matchmaking.waiting import WAITING
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.services.table.conftest import Serving as TableServing

__all__ = ["data", "start_real"]

GAME = "truco-paulista"
Rows = dict[str, list[Any]]


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real(environment={"CARTEADO_ROBOT_PACE_MS": "0"})
    started.ready()
    return started


class Desk:
    """The calls of the gateway, for any player."""

    def __init__(self, address: str, keys: Path) -> None:
        self.channels = Channels({"matchmaking": (address,)}, Credentials("gateway", keys))

    async def __aenter__(self) -> "Desk":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.channels.close()

    async def ask(self, method: str, player_id: str, **fields: Any) -> pb.Place:
        """The place that a request brings the player to. Raises grpc.aio.AioRpcError."""
        if method != "GetPlace":
            fields.setdefault("command_id", str(uuid4()))
        request = getattr(pb, f"{method}Request")(player_id=player_id, **fields)
        answer = await self.channels.call(
            "matchmaking",
            player_id,
            lambda channel: getattr(MatchmakingServiceStub(channel), method),
            request,
            20.0,
        )
        return answer.place

    async def code(self, method: str, player_id: str, **fields: Any) -> str:
        """The code of a request that is refused."""
        try:
            place = await self.ask(method, player_id, **fields)
        except grpc.aio.AioRpcError as error:
            return error_code(error) or error.code().name
        return f"accepted: {place}"

    async def until(self, player_id: str, kind: int) -> pb.Place:
        """Waits for a player's place to be of this kind."""
        place = await self.ask("GetPlace", player_id)
        for _ in range(40):
            if place.kind == kind:
                return place
            place = await self.ask("GetPlace", player_id, known_version=place.version, wait_ms=1_000)
        raise AssertionError(f"{player_id} is still at {place}")


class Live:
    """Matchmaking as it is composed, on a real Postgres and NATS, beside a table service that tells nobody anything."""

    def __init__(self, address: str, keys: Path, environ: dict[str, str], tables: TableServing) -> None:
        self.desk = Desk(address, keys)
        self.tables = tables
        self.conninfo = f"{environ['CARTEADO_POSTGRES']} dbname=carteado_matchmaking"
        self._nats = environ["CARTEADO_NATS"]

    async def tell(self, subject: str, message: Any, message_id: str) -> None:
        """Publishes a message as another service would."""
        client = await nats.connect(self._nats)
        await client.jetstream().publish(subject, message.SerializeToString(), headers={"ce-id": message_id})
        await client.close()

    def rows(self) -> Rows:
        """What the projection holds."""
        with psycopg.connect(self.conninfo) as connection:
            return {
                name: sorted(connection.execute(f"SELECT * FROM {WAITING.schema}.{name}").fetchall())
                for name in ("open_tables", "tickets", "matches")
            }

    async def until_rows(self, **counts: int) -> Rows:
        """Waits for the projection to hold so many rows of each table."""
        return await self.until(lambda rows: {name: len(rows[name]) for name in counts} == counts)

    async def until(self, condition: Callable[[Rows], bool]) -> Rows:
        """Waits for the projection's rows to be so."""
        for _ in range(500):
            rows = await asyncio.to_thread(self.rows)
            if condition(rows):
                return rows
            await asyncio.sleep(0.02)
        raise AssertionError(f"the projection holds {rows}")


@pytest.fixture
def gone_after() -> timedelta:
    """After what time who waits counts as gone."""
    return GONE_AFTER


@pytest.fixture
async def live(
    clean_postgres: str, nats_url: str, tmp_path: Path, gone_after: timedelta
) -> AsyncIterator[Live]:
    create_key_pair("matchmaking", tmp_path)
    tables = TableServing(tmp_path)
    await tables.start()
    client = await nats.connect(nats_url)
    streams = [
        StreamSpec(TABLES_STREAM, (CLOSED_SUBJECT,)),
        StreamSpec(ACCOUNTS_STREAM, ("carteado.accounts.*.v1",)),
    ]
    await ensure_streams(client.jetstream(), streams)
    await client.close()
    environ = {
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_POSTGRES": clean_postgres,
        "CARTEADO_NATS": nats_url,
        "CARTEADO_MATCHMAKING_GRPC": "127.0.0.1:0",
        "CARTEADO_MATCHMAKING_HTTP": "127.0.0.1:0",
        "CARTEADO_TABLE_REPLICAS": tables.address,
        "CARTEADO_KEYS": str(tmp_path),
    }
    credentials, log, registry = (
        Credentials("matchmaking", tmp_path),
        structlog.get_logger(),
        CollectorRegistry(),
    )
    context = Context(load_config("matchmaking", environ), credentials, log, registry)
    parts = await compose(context, asked_after=timedelta(0), look_every_s=0.2, gone_after=gone_after)
    server = GrpcServer(credentials, parts.allow, GrpcServerMetrics(registry), log)
    server.register(parts.grpc)
    port = await server.start("127.0.0.1:0")
    background = [asyncio.create_task(work) for work in parts.background]
    started = Live(f"127.0.0.1:{port}", tmp_path, environ, tables)
    async with started.desk:
        yield started
    await server.drain(0.2)
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    await parts.close()
    await tables.stop()


@pytest.fixture
def desk(stack: Stack) -> Desk:
    return Desk(discover(stack.data).services["matchmaking"]["grpc"], Path(stack.data) / "keys")
