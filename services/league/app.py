"""The composition root of the Liga: the log, its deadlines, the projection, the reaction to results, and the gRPC face."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import grpc.aio
import structlog
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from carteado.league.v1 import league_service_pb2_grpc as rpc
from libs.eventlog.analysts import publish_views
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projector import Projector
from libs.eventlog.reactions import Handler, consume
from libs.eventlog.relay import Relay
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand
from libs.eventlog.together import Together
from libs.service.app import Context, Parts
from libs.service.database import ensure_database
from libs.service.grpc_client import Channels
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.league.achievement import ACHIEVEMENT
from services.league.closing import LOOK_EVERY_S, SETTLE_S, Closing
from services.league.events import REGISTRY
from services.league.grpc import ALLOW, LeagueServicer
from services.league.league_week import LEAGUE_WEEK
from services.league.player_week import PLAYER_WEEK
from services.league.public import SUBJECTS
from services.league.react import CLOSED_SUBJECT, Feats, LeagueMetrics, Results, Scoring
from services.league.reads import Reads
from services.league.records import records_of
from services.league.scoring import decide_match
from services.league.standing import STANDING
from services.league.standings import STANDINGS
from services.league.years import Years

STREAMS = (StreamSpec("carteado-league", SUBJECTS), PARKED)
"""Where the public messages of the Liga go, and what it cannot count."""

RESULTS_STREAM = "carteado-table"
DURABLE = "league"
FEATS_DURABLE = "league-feats"


async def build(context: Context) -> Parts:
    """Checks the configuration, brings database and streams up to date, and gives the parts to serve."""
    return await compose(context)


async def compose(
    context: Context,
    at: Callable[[datetime], datetime] = lambda now: now,
    *,
    settle_s: float = SETTLE_S,
    look_every_s: float = LOOK_EVERY_S,
) -> Parts:
    """The parts; `at` turns the database's time into the Liga's, which a test may move."""
    config = context.config
    conninfo = config.require_postgres()
    config.require_replicas("table")
    nats, _ = await asyncio.gather(connect(config, context.log), ensure_database(conninfo, config.name))
    await ensure_streams(nats.jetstream, STREAMS)
    observations = LogMetrics(context.registry)
    store = await PostgresStore.open(conninfo, observations=observations)
    await publish_views(conninfo, REGISTRY)
    clock = DatabaseClock(store.now)
    await clock.start()

    def now() -> datetime:
        return at(clock.now())

    relay = Relay(conninfo, nats.jetstream, config.name, observations=observations)
    projector = Projector(conninfo, STANDINGS, observations=observations)

    def appended(commands: Sequence[AppendCommand]) -> None:
        relay.on_appended(commands)
        projector.on_appended(commands)

    store.appender.on_appended = appended
    weeks: Runtime[Any, Any, Any] = Runtime(LEAGUE_WEEK, REGISTRY, store, now=now, observations=observations)
    player_weeks: Runtime[Any, Any, Any] = Runtime(
        PLAYER_WEEK, REGISTRY, store, now=now, observations=observations
    )
    standings: Runtime[Any, Any, Any] = Runtime(STANDING, REGISTRY, store, now=now, observations=observations)
    achievements: Runtime[Any, Any, Any] = Runtime(
        ACHIEVEMENT, REGISTRY, store, now=now, observations=observations
    )
    keepers = [
        DeadlineKeeper(runtime, store, now=now, observations=observations)
        for runtime in (weeks, player_weeks, standings)
    ]
    scoring: Scoring = Together(decide_match, player_weeks, standings)
    metrics = LeagueMetrics(context.registry)
    results = Results(weeks, Years(standings), scoring, now, metrics)
    channels = Channels(config.replicas, context.credentials)
    feats = Feats(achievements, records_of(channels), metrics)
    reads = Reads(conninfo)

    closing = Closing(
        weeks,
        reads,
        now,
        wake_projector=projector.wake,
        backlog=partial(has_backlog, nats.jetstream),
        settle_s=settle_s,
        look_every_s=look_every_s,
    )
    face = LeagueServicer(reads, closing, now)

    def register(server: grpc.aio.Server) -> None:
        rpc.add_LeagueServiceServicer_to_server(face, server)

    await projector.start()
    await relay.start()
    for keeper in keepers:
        await keeper.start()

    async def ready() -> bool:
        return await reads.is_reachable()

    async def close() -> None:
        for keeper in keepers:
            await keeper.stop()
        for runtime in (weeks, player_weeks, standings, achievements):
            await runtime.close()
        await channels.close()
        await projector.stop()
        await relay.stop()
        await clock.stop()
        await store.close()
        await reads.close()
        await nats.close()

    def consuming(durable: str, handler: Handler, ack_wait_s: float) -> Coroutine[Any, Any, None]:
        return consume(
            nats.jetstream,
            RESULTS_STREAM,
            durable,
            CLOSED_SUBJECT,
            handler,
            # What a killed replica had taken is given to another one after this time.
            ack_wait_s=ack_wait_s,
            # A result that the log cannot take for a while is tried for some minutes before it is put aside.
            max_deliver=12,
            observations=observations,
        )

    return Parts(
        grpc=[register],
        allow=ALLOW,
        background=[
            consuming(DURABLE, results.handle, 5.0),
            # It reads a whole match from another service.
            consuming(FEATS_DURABLE, feats.handle, 20.0),
            closing.run(),
        ],
        ready=ready,
        close=close,
    )


async def has_backlog(jetstream: JetStreamContext) -> bool:
    """Whether results wait on the message bus, those too that were taken from it and could not be counted yet.

    Without an answer nobody knows: the closing waits its time.
    """
    try:
        waiting = await jetstream.consumer_info(RESULTS_STREAM, DURABLE)
    except (NatsError, TimeoutError) as error:
        structlog.get_logger("closing").warning("it is not known whether results wait", error=repr(error))
        return True
    return bool(waiting.num_pending or waiting.num_ack_pending)
