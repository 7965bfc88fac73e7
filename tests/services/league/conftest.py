"""The Liga in memory for its rules, and on real Postgres and NATS for how it lives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import nats
import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.table.v1.events_pb2 import TableClosed
from deploy.local.ports import free_ports
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.eventlog.together import Together
from libs.service.app import Context
from libs.service.config import load_config
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import channel
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from services.league.achievement import ACHIEVEMENT
from services.league.app import RESULTS_STREAM, compose
from services.league.events import REGISTRY
from services.league.league_week import LEAGUE_WEEK
from services.league.player_week import PLAYER_WEEK, player_week_id
from services.league.react import CLOSED_SUBJECT, LeagueMetrics, Results
from services.league.scoring import decide_match
from services.league.standing import STANDING, standing_id
from services.league.years import Years
from tests.services.league.matches import GAME, MONDAY, WEEK
from tests.services.league.naive_scorer import Line
from tests.services.league.running import Clock, League


class MemoryLeague:
    """The Liga's aggregates and its reaction on a log in memory; `clock` is the time."""

    def __init__(self) -> None:
        self.clock = MONDAY + timedelta(hours=21)
        self.store = MemoryStore()

        def runtime(decider: Any) -> Runtime[Any, Any, Any]:
            return Runtime(decider, REGISTRY, self.store, now=lambda: self.clock)

        self.weeks, self.player_weeks = runtime(LEAGUE_WEEK), runtime(PLAYER_WEEK)
        self.standings, self.achievements = runtime(STANDING), runtime(ACHIEVEMENT)
        scoring: Any = Together(decide_match, self.player_weeks, self.standings)
        self.years = Years(self.standings)
        metrics = LeagueMetrics(CollectorRegistry())
        self.results = Results(self.weeks, self.years, scoring, lambda: self.clock, metrics)

    async def count(self, table: TableClosed, command_id: str | None = None) -> str:
        return await self.results.count(table.SerializeToString(), command_id or str(uuid4()))

    async def line(self, player_id: str, week: str = WEEK, game: str = GAME) -> Line:
        state = (await self.player_weeks.load(player_week_id(game, week, player_id))).state
        outcomes = [match.outcome for match in state.matches]
        assert state.total == sum(match.points for match in state.matches)
        return Line(
            player_id,
            state.total,
            len(outcomes),
            outcomes.count("win"),
            outcomes.count("abandoned"),
            max(match.ended_at for match in state.matches),
        )

    async def points(self, player_id: str, week: str = WEEK) -> int:
        return (await self.player_weeks.load(player_week_id(GAME, week, player_id))).state.total

    async def events(self, player_id: str, week: str = WEEK) -> list[Any]:
        history = await self.player_weeks.history(player_week_id(GAME, week, player_id))
        return [event for command in history for event in command.events]

    async def standing(self, player_id: str, year: int = 2026) -> Any:
        return (await self.standings.load(standing_id(GAME, player_id, year))).state


@pytest.fixture
def league() -> MemoryLeague:
    return MemoryLeague()


@pytest.fixture
def new_league() -> Callable[[], MemoryLeague]:
    return MemoryLeague


def at(days: float = 0, hours: float = 20) -> datetime:
    return MONDAY + timedelta(days=days, hours=hours)


@pytest.fixture
def environ(clean_postgres: str, nats_url: str, tmp_path: Path) -> dict[str, str]:
    """The environment of the Liga in the local stack."""
    keys = tmp_path / "keys"
    keys.mkdir()
    for service in ("league", "gateway", "cli", "matchmaking", "table"):
        create_key_pair(service, keys)
    http, port, table = free_ports(3)
    return {
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_POSTGRES": clean_postgres,
        "CARTEADO_NATS": nats_url,
        "CARTEADO_LEAGUE_GRPC": f"127.0.0.1:{port}",
        "CARTEADO_LEAGUE_HTTP": f"127.0.0.1:{http}",
        "CARTEADO_TABLE_REPLICAS": f"127.0.0.1:{table}",
        "CARTEADO_KEYS": str(keys),
    }


@pytest.fixture
async def jetstream(nats_url: str) -> AsyncIterator[Any]:
    """The message bus with the stream of closed tables, as the table service makes it."""
    client = await nats.connect(nats_url)
    await ensure_streams(client.jetstream(), [StreamSpec(RESULTS_STREAM, (CLOSED_SUBJECT,))])
    yield client.jetstream()
    await client.close()


@pytest.fixture
async def running_league(environ: dict[str, str], jetstream: Any) -> AsyncIterator[League]:
    keys = Path(environ["CARTEADO_KEYS"])
    config, credentials, clock = load_config("league", environ), Credentials("league", keys), Clock()
    log, registry = structlog.get_logger(), CollectorRegistry()
    parts = await compose(Context(config, credentials, log, registry), clock, settle_s=0, look_every_s=0.2)
    server = GrpcServer(credentials, parts.allow, GrpcServerMetrics(registry), log)
    server.register(parts.grpc)
    grpc_port = await server.start("127.0.0.1:0")
    background = [asyncio.create_task(work) for work in parts.background]
    address = f"127.0.0.1:{grpc_port}"
    async with channel(address) as opened:
        conninfo = f"{environ['CARTEADO_POSTGRES']} dbname=carteado_league"
        # What closes weeks by itself is the last of the background.
        yield League(address, opened, keys, jetstream, conninfo, clock, background[-1])
    await server.drain(0)
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    await parts.close()
