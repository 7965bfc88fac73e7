"""The composition root of the table service: the log, its clocks, the relay, live updates, and the gRPC face."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import grpc.aio
from prometheus_client import Gauge

from carteado.table.v1 import table_service_pb2_grpc as rpc
from libs.eventlog.aggregates import Limits
from libs.eventlog.analysts import publish_views
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.liveness import Liveness
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projector import Projector
from libs.eventlog.relay import Relay
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import Outage
from libs.eventlog.streams import parse_stream
from libs.service.app import Context, Parts
from libs.service.config import require_env
from libs.service.database import ensure_database
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.table.commands import GiveTimeBack, TableCommand
from services.table.decider import CLOSED_SUBJECT, TABLE, TURN_SUBJECT
from services.table.events import TableEvent
from services.table.grpc import ALLOW, TableFace
from services.table.hints import Hints
from services.table.live import LiveTables
from services.table.matches import MATCHES
from services.table.proofs import Proofs
from services.table.registry import REGISTRY
from services.table.secrets import match_secret, read_key
from services.table.shadow import Shadow, ShadowMetrics
from services.table.shadow_progress import migrate_shadow
from services.table.state import TableState
from services.table.tables import Tables
from services.table.updates import TableCommit

STREAMS = (
    StreamSpec("carteado-table", (CLOSED_SUBJECT,)),
    StreamSpec("carteado-table-turn", (TURN_SUBJECT,), is_work_queue=True, max_age_s=3600),
)
"""Where the table's public messages go: results are kept, turns are work that is done once."""


async def build(context: Context) -> Parts:
    """Brings the database and the streams up to date, starts what runs by itself, and gives the parts to serve."""
    config = context.config
    secret_file = require_env("CARTEADO_TABLE_SECRET_FILE", "a file of 32 bytes from which matches are dealt")
    key = read_key(Path(secret_file))
    conninfo = config.require_postgres()
    nats, _ = await asyncio.gather(
        # Hints are for the other replicas, and there are hundreds a second.
        connect(config, context.log, hears_itself=False),
        ensure_database(conninfo, config.name),
    )
    observations = LogMetrics(context.registry)
    await ensure_streams(nats.jetstream, STREAMS)
    store = await _open_log(conninfo, observations)
    clock = DatabaseClock(store.now)
    await clock.start()
    liveness = Liveness(store, observations=observations)
    relay = Relay(conninfo, nats.jetstream, config.name, observations=observations)
    store.appender.on_appended = relay.on_appended
    # Lists of matches may be a second behind: the projector looks by itself and is not woken by every move.
    projector = Projector(conninfo, MATCHES, observations=observations)

    def committed(table_id: str, commit: TableCommit) -> None:
        live.committed(table_id, commit)
        hints.committed(table_id, commit.to_version)

    # Every command of a table asks for it.
    @lru_cache(maxsize=Limits().warm_streams)
    def secret_for(table_id: str) -> bytes:
        return match_secret(key, table_id)

    runtime: Runtime[TableState, TableCommand, TableEvent] = Runtime(
        TABLE,
        REGISTRY,
        store,
        secret_for=secret_for,
        on_committed=committed,
        now=clock.now,
        liveness=liveness,
        on_outage=_time_lost,
        observations=observations,
    )
    live = LiveTables(runtime, clock.now)

    async def heads(table_ids: Sequence[str]) -> dict[str, int]:
        by_stream = await store.heads([runtime.stream(table_id) for table_id in table_ids])
        return {parse_stream(stream).id: version for stream, version in by_stream.items()}

    hints = Hints(nats.client, heads, lambda: live.watched, live.hinted, relay.wake)
    Gauge("carteado_table_subscriptions", "Viewers' subscriptions", registry=context.registry).set_function(
        lambda: live.count
    )
    deadlines = DeadlineKeeper(runtime, store, now=clock.now, observations=observations)
    tables = Tables(runtime, live, clock.now, secret_for)
    face = TableFace(tables, Proofs(store, secret_for))
    shadow_store = PostgresStore(conninfo, readers=1)
    shadow = Shadow(conninfo, shadow_store, ShadowMetrics(context.registry))

    def register(server: grpc.aio.Server) -> None:
        rpc.add_TableServiceServicer_to_server(face, server)

    # An outage that has just ended is recorded before anything overdue fires.
    await liveness.start()
    await deadlines.start()
    await relay.start()
    await projector.start()

    async def ready() -> bool:
        return liveness.silent_for_s < 3.0 and nats.is_connected

    async def close() -> None:
        await deadlines.stop()
        await live.close()
        await runtime.close()
        await projector.stop()
        await relay.stop()
        await liveness.stop()
        await clock.stop()
        await shadow_store.close()
        await store.close()
        await nats.close()

    async def drain() -> None:
        await tables.drain()

    return Parts(
        grpc=[register],
        allow=ALLOW,
        background=[hints.run(), shadow.run()],
        ready=ready,
        drain=drain,
        close=close,
    )


async def _open_log(conninfo: str, observations: LogMetrics) -> PostgresStore:
    """The log, and beside it the shadow's tables and the analysts' views."""
    store = await PostgresStore.open(conninfo, observations=observations)
    await migrate_shadow(conninfo)
    await publish_views(conninfo, REGISTRY)
    return store


def _time_lost(_state: TableState, outage: Outage) -> TableCommand | None:
    return GiveTimeBack(outage.began_at, outage.ended_at)
