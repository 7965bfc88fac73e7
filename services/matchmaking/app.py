"""The composition root of matchmaking: the log, the projection of what waits, the matcher, and what it is served by."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import timedelta
from typing import Any

import grpc.aio
from nats.js import JetStreamContext

from carteado.matchmaking.v1 import matchmaking_service_pb2_grpc as rpc
from libs.eventlog.analysts import publish_views
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.jetstream import PARKED, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projector import Projector
from libs.eventlog.reactions import consume
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand
from libs.eventlog.together import Together
from libs.service.app import Context, Parts
from libs.service.database import ensure_database
from libs.service.grpc_client import Channels
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.matchmaking.attendance import GONE_AFTER, Attendance, migrate_attendance
from services.matchmaking.events import REGISTRY
from services.matchmaking.grpc import ALLOW, MOST_WAITERS, MatchmakingServicer
from services.matchmaking.hints import Hints
from services.matchmaking.lost_ends import ASKED_AFTER, LOOK_EVERY_S, LostEnds
from services.matchmaking.match import MATCH
from services.matchmaking.matcher import Matcher
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.open_table import OPEN_TABLE
from services.matchmaking.outside import Billing, TableService
from services.matchmaking.place_changes import PlaceChanges, match_stream, player_stream
from services.matchmaking.places import Places, Seating
from services.matchmaking.player import PLAYER
from services.matchmaking.react import BANNED_SUBJECT, CLOSED_SUBJECT, ERASED_SUBJECT, Reactions
from services.matchmaking.reads import Reads
from services.matchmaking.seating import decide_seating
from services.matchmaking.starter import Starter
from services.matchmaking.waiting import WAITING
from services.matchmaking.whereabouts import Whereabouts

TABLES_STREAM = "carteado-table"
ACCOUNTS_STREAM = "carteado-accounts"


async def build(context: Context) -> Parts:
    """Checks the configuration, brings the database up to date, and gives the parts to serve."""
    return await compose(context)


async def compose(
    context: Context,
    *,
    asked_after: timedelta = ASKED_AFTER,
    look_every_s: float = LOOK_EVERY_S,
    gone_after: timedelta = GONE_AFTER,
) -> Parts:
    """The parts; matches that have lasted longer than `asked_after` are asked about every `look_every_s`.

    Who waits is gone when nobody has asked for `gone_after`.
    """
    config = context.config
    conninfo = config.require_postgres()
    config.require_replicas("table")
    nats, _ = await asyncio.gather(connect(config, context.log), ensure_database(conninfo, config.name))
    await ensure_streams(nats.jetstream, (PARKED,))
    observations = LogMetrics(context.registry)
    store = await PostgresStore.open(conninfo, observations=observations)
    await migrate_attendance(conninfo)
    await publish_views(conninfo, REGISTRY)
    clock = DatabaseClock(store.now)
    await clock.start()
    projector = Projector(conninfo, WAITING, observations=observations)

    def appended(commands: Sequence[AppendCommand]) -> None:
        projector.on_appended(commands)

    store.appender.on_appended = appended
    changes = PlaceChanges()
    hints = Hints(nats.client, store.heads, changes)
    players: Runtime[Any, Any, Any] = Runtime(
        PLAYER,
        REGISTRY,
        store,
        on_committed=lambda player_id, _: hints.committed(player_stream(player_id)),
        now=clock.now,
        observations=observations,
    )
    open_tables: Runtime[Any, Any, Any] = Runtime(
        OPEN_TABLE, REGISTRY, store, now=clock.now, observations=observations
    )
    matches: Runtime[Any, Any, Any] = Runtime(
        MATCH,
        REGISTRY,
        store,
        on_committed=lambda match_id, _: hints.committed(match_stream(match_id)),
        now=clock.now,
        observations=observations,
    )
    seating: Seating = Together(decide_seating, players, open_tables, matches)
    channels = Channels(config.replicas, context.credentials)
    billing, tables = Billing(channels, context.registry), TableService(channels)
    reads = Reads(conninfo)
    metrics = MatchmakingMetrics(context.registry, reads, clock.now)
    starter = Starter(matches, players, billing, tables, reads, clock.now)
    matcher = Matcher(conninfo, reads, seating, starter, metrics, clock.now)
    whereabouts = Whereabouts(players, matches, starter, billing, tables)
    places = Places(players, open_tables, seating, whereabouts, starter, reads, matcher.wake, clock.now)
    lost_ends = LostEnds(
        matches,
        starter,
        tables,
        reads,
        metrics,
        clock.now,
        asked_after=asked_after,
        look_every_s=look_every_s,
    )
    attendance = Attendance(conninfo, reads, places, metrics, gone_after=gone_after)
    face = MatchmakingServicer(places, reads, changes, attendance.note)
    reactions = Reactions(starter, places)

    def register(server: grpc.aio.Server) -> None:
        rpc.add_MatchmakingServiceServicer_to_server(face, server)

    await projector.start()

    async def drain() -> None:
        changes.close()

    async def close() -> None:
        for runtime in (players, open_tables, matches):
            await runtime.close()
        await projector.stop()
        await clock.stop()
        await store.close()
        await reads.close()
        await attendance.close()
        await channels.close()
        await nats.close()

    return Parts(
        grpc=[register],
        allow=ALLOW,
        waiting_calls=MOST_WAITERS,
        background=[
            *_heard(nats.jetstream, reactions, observations),
            hints.run(),
            starter.run(),
            lost_ends.run(),
            attendance.run(),
            matcher.run(),
            metrics.run(),
        ],
        ready=reads.is_reachable,
        drain=drain,
        close=close,
    )


def _heard(
    js: JetStreamContext, reactions: Reactions, observations: LogMetrics
) -> list[Coroutine[Any, Any, None]]:
    """What other services tell, each in the background."""
    told = (
        (TABLES_STREAM, "matchmaking", CLOSED_SUBJECT, reactions.table_closed, 5.0),
        (ACCOUNTS_STREAM, "matchmaking-banned", BANNED_SUBJECT, reactions.player_banned, 30.0),
        (ACCOUNTS_STREAM, "matchmaking", ERASED_SUBJECT, reactions.player_erased, 30.0),
    )
    return [
        consume(
            js,
            stream,
            durable,
            subject,
            handler,
            ack_wait_s=ack_wait_s,
            max_deliver=12,
            observations=observations,
        )
        for stream, durable, subject, handler, ack_wait_s in told
    ]
