"""The list of matches says of each match what its log says, and the service keeps it up beside its other work."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import structlog
from prometheus_client import CollectorRegistry, generate_latest

from libs.eventlog.analysts import ANALYST
from libs.eventlog.connections import connect
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.store import AppendCommand, NewEvent, StreamWrite
from libs.eventlog.streams import stream_id
from libs.service.app import Context
from libs.service.config import load_config
from libs.service.credentials import Credentials, create_key_pair
from services.table.app import build
from services.table.matches import MATCHES, listed_matches
from tests.golden.test_logs import FILES, stored
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

MATCH = next(path for path in FILES if path.stem.startswith("truco-paulista"))


@pytest.fixture
def context(clean_postgres: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Context:
    """The table service as the local stack starts it."""
    create_key_pair("table", tmp_path)
    secret = tmp_path / "secret"
    secret.touch(0o600)
    secret.write_bytes(b"k" * 32)
    monkeypatch.setenv("CARTEADO_TABLE_SECRET_FILE", str(secret))
    environ = {
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_POSTGRES": clean_postgres,
        "CARTEADO_NATS": nats_url,
        "CARTEADO_TABLE_GRPC": "127.0.0.1:1",
        "CARTEADO_TABLE_HTTP": "127.0.0.1:1",
        "CARTEADO_KEYS": str(tmp_path),
    }
    config = load_config("table", environ)
    return Context(config, Credentials("table", tmp_path), structlog.get_logger(), CollectorRegistry())


async def append_match(conninfo: str, table_id: str, most: int | None = None) -> list[dict]:
    """A real match under another id, whole or its first events; gives their payloads."""
    store = await PostgresStore.open(conninfo)
    events = stored(MATCH)[:most]
    payloads = [json.loads(event.payload) for event in events]
    payloads[0]["table_id"] = table_id
    written = tuple(
        NewEvent(event.name, event.schema_version, json.dumps(payload).encode())
        for event, payload in zip(events, payloads, strict=True)
    )
    write = StreamWrite(stream_id("table", table_id), 0, written, ends_stream=most is None)
    await store.append(AppendCommand(str(uuid4()), b"", (write,), "service:test"))
    await store.close()
    return payloads


async def test_the_service_lists_matches_and_gives_analysts_their_views(context: Context) -> None:
    conninfo = context.config.require_postgres()
    parts = await build(context)
    background = [asyncio.create_task(work) for work in parts.background]
    ended, running = str(uuid4()), str(uuid4())
    payloads = await append_match(conninfo, ended)
    await append_match(conninfo, running, most=20)
    connection = await connect(conninfo, "test")

    async def both_are_listed() -> bool:
        return len(await listed_matches(connection, [ended, running])) == 2

    await until(both_are_listed)
    score = payloads[-1]["score"]
    assert await listed_matches(connection, [ended, running, str(uuid4())]) == {
        ended: ("truco-paulista", "finished", score),
        running: ("truco-paulista", "running", ()),
    }
    cursor = await connection.execute(
        f"SELECT players, robots, rules_version, winners, score, abandoned_seats, began_at IS NULL, ended_at "
        f"FROM {MATCHES.schema}.matches WHERE table_id = %s",
        (ended,),
    )
    (row,) = await cursor.fetchall()
    opened, closed = payloads[0], payloads[-1]
    assert row[:7] == (
        [seat.get("player_id", "") for seat in opened["seats"]],
        [seat.get("robot", "") for seat in opened["seats"]],
        1,
        closed["winners"],
        closed["score"],
        closed["abandoned_seats"],
        False,
    )
    assert row[7].isoformat() == closed["ended_at"].replace("000Z", "000+00:00")

    async def lag_is_told() -> bool:
        return b'carteado_projection_lag_events{projection="matches"} 0.0' in generate_latest(
            context.registry
        )

    await until(lag_is_told)
    with psycopg.connect(conninfo) as analyst:
        analyst.execute(f"SET ROLE {ANALYST}")
        seen = analyst.execute("SELECT table_id FROM analysis.table_opened").fetchall()
    assert seen == [(ended,)]
    await connection.close()
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    await parts.close()
