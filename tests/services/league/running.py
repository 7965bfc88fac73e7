"""A running Liga on real Postgres and NATS, as its neighbours reach it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import psycopg

from carteado.league.v1 import league_service_pb2 as pb
from carteado.league.v1 import league_service_pb2_grpc as rpc
from libs.service.credentials import Credentials
from services.league.react import CLOSED_SUBJECT
from services.league.standings import STANDINGS
from tests.services.league.matches import GAME, MONDAY, WEEK
from tests.services.league.naive_scorer import score

SENT = count(1)
ROWS = ("week_points", "match_points", "players", "medals", "weeks", "placements", "trophies", "achievements")


class League:
    """A running Liga, its neighbours' ways to it, and its time."""

    def __init__(
        self,
        address: str,
        opened: grpc.aio.Channel,
        keys: Path,
        jetstream: Any,
        conninfo: str,
        clock: Any,
        closing: asyncio.Task[None],
    ) -> None:
        self.address = address
        self.stub = rpc.LeagueServiceStub(opened)
        self.jetstream = jetstream
        self.conninfo = conninfo
        self.clock = clock
        self._keys = keys
        self._closing = closing

    async def close_nothing_by_itself(self) -> None:
        """From here on weeks are closed by operators alone."""
        self._closing.cancel()
        await asyncio.gather(self._closing, return_exceptions=True)

    async def call(self, method: str, request: Any, caller: str = "gateway") -> Any:
        metadata = Credentials(caller, self._keys).metadata("league")
        return await getattr(self.stub, method)(request, timeout=30, metadata=metadata)

    async def tell(self, *tables: Any, ids: Any = None) -> None:
        for number, table in enumerate(tables):
            headers = {"ce-id": ids[number] if ids else f"table-0-{next(SENT)}"}
            await self.jetstream.publish(CLOSED_SUBJECT, table.SerializeToString(), headers=headers)

    async def table(self, **asked: Any) -> pb.GetTableResponse:
        return await self.call("GetTable", pb.GetTableRequest(**{"game": GAME, "week": WEEK, **asked}))

    async def until(self, condition: Any) -> None:
        for _ in range(1000):
            if await condition():
                return
            await asyncio.sleep(0.02)
        raise AssertionError("it did not become so in time")

    async def until_scored(self, tables: Any, week: str = WEEK) -> None:
        """Waits until the table has as many matches as were told."""
        wanted = sum(line.matches for line in score(tables)[GAME, week])

        def look() -> int:
            query = f"SELECT coalesce(sum(matches), 0) FROM {STANDINGS.schema}.week_points WHERE week = %s"
            with psycopg.connect(self.conninfo) as connection:
                return connection.execute(query, (week,)).fetchone()[0]

        async def is_scored() -> bool:
            return await asyncio.to_thread(look) == wanted

        await self.until(is_scored)

    def rows(self) -> dict[str, list[Any]]:
        with psycopg.connect(self.conninfo) as connection:
            return {
                name: sorted(connection.execute(f"SELECT * FROM {STANDINGS.schema}.{name}").fetchall())
                for name in ROWS
            }


class Clock:
    """The Liga's time: stands where a test puts it."""

    def __init__(self) -> None:
        self.now = MONDAY + timedelta(hours=22)

    def __call__(self, _now: datetime) -> datetime:
        return self.now
