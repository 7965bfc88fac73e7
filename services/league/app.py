"""The composition root of the Liga: the log, its deadlines, the projection, the reaction to results, and the gRPC face."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import grpc.aio
from nats.errors import Error as NatsError

from carteado.league.v1 import league_service_pb2_grpc as rpc
from libs.eventlog.analysts import publish_views
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projector import Projector
from libs.eventlog.reactions import consume
from libs.eventlog.relay import Relay
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand
from libs.eventlog.together import Together
from libs.service.app import Context, Parts
from libs.service.database import ensure_database
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.league.closing import LOOK_EVERY_S, SETTLE_S, Closing
from services.league.events import REGISTRY
from services.league.grpc import ALLOW, LeagueServicer
from services.league.league_week import LEAGUE_WEEK
from services.league.player_week import PLAYER_WEEK
from services.league.public import SUBJECTS
from services.league.react import CLOSED_SUBJECT, LeagueMetrics, Results, Scoring
from services.league.reads import Reads
from services.league.scoring import decide_match
from services.league.standing import STANDING
from services.league.standings import STANDINGS

STREAMS = (StreamSpec("carteado-league", SUBJECTS), PARKED)
"""Where the public messages of the Liga go, and what it cannot count."""

RESULTS_STREAM = "carteado-table"
DURABLE = "league"


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
    keepers = [
        DeadlineKeeper(runtime, store, now=now, observations=observations)
        for runtime in (weeks, player_weeks)
    ]
    scoring: Scoring = Together(decide_match, player_weeks, standings)
    results = Results(weeks, scoring, LeagueMetrics(context.registry))
    reads = Reads(conninfo)

    async def backlog() -> bool:
        try:
            waiting = await nats.jetstream.consumer_info(RESULTS_STREAM, DURABLE)
            return bool(waiting.num_pending)
        except (NatsError, TimeoutError) as error:
            # Without an answer nobody knows: the closing waits its time.
            context.log.warning("it is not known whether results wait", error=repr(error))
            return True

    closing = Closing(
        weeks,
        reads,
        now,
        wake_projector=projector.wake,
        backlog=backlog,
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
        for runtime in (weeks, player_weeks, standings):
            await runtime.close()
        await projector.stop()
        await relay.stop()
        await clock.stop()
        await store.close()
        await reads.close()
        await nats.close()

    consuming = consume(
        nats.jetstream,
        RESULTS_STREAM,
        DURABLE,
        CLOSED_SUBJECT,
        results.handle,
        # What a killed replica had taken is given to another one after this time.
        ack_wait_s=5.0,
        # A result that the log cannot take for a while is tried for some minutes before it is put aside.
        max_deliver=12,
        observations=observations,
    )
    return Parts(
        grpc=[register], allow=ALLOW, background=[consuming, closing.run()], ready=ready, close=close
    )
