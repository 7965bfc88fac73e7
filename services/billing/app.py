"""The composition root of billing: the log, its deadlines, the payment provider, the reactions, and the gRPC faces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any

import grpc.aio

from carteado.billing.v1 import access_service_pb2_grpc as rpc
from carteado.billing.v1 import passport_service_pb2_grpc as money_rpc
from libs.eventlog.analysts import publish_views
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.errors import EventLogError
from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.reactions import Handler, consume
from libs.eventlog.relay import Relay
from libs.eventlog.runtime import Runtime
from libs.eventlog.together import Together
from libs.service.app import Context, Parts
from libs.service.database import ensure_database
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.billing.account import ACCOUNT
from services.billing.admission import decide_admission
from services.billing.doors import Admissions, DoorMetrics, Doors
from services.billing.events import REGISTRY
from services.billing.grpc import ALLOW, AccessServicer, PassportServicer
from services.billing.passports import Passports
from services.billing.payments import PaymentProvider, open_provider
from services.billing.player_day import PLAYER_DAY
from services.billing.provider_calls import MoneyMetrics, ProviderCalls
from services.billing.public import (
    PURCHASE_DUE_SUBJECT,
    RENEWAL_DUE_SUBJECT,
    RESERVATION_EXPIRED_SUBJECT,
    RETURN_DUE_SUBJECT,
    SUBJECTS,
)
from services.billing.react import CLOSED_SUBJECT, ERASED_SUBJECT, REGISTERED_SUBJECT, Reactions
from services.billing.reservation import RESERVATION

OWN_STREAM = "carteado-billing"
STREAMS = (StreamSpec(OWN_STREAM, SUBJECTS), PARKED)
"""Where billing's public messages go, and what it cannot handle."""

ACCOUNTS_STREAM = "carteado-accounts"
TABLES_STREAM = "carteado-table"


async def build(context: Context) -> Parts:
    """Checks the configuration, brings database and streams up to date, and gives the parts to serve."""
    return await compose(context, open_provider(context.config))


async def compose(
    context: Context, provider: PaymentProvider, at: Callable[[datetime], datetime] = lambda now: now
) -> Parts:
    """The parts; `at` turns the database's time into billing's, which a test may move."""
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
    store.appender.on_appended = relay.on_appended
    accounts: Runtime[Any, Any, Any] = Runtime(ACCOUNT, REGISTRY, store, now=now, observations=observations)
    days: Runtime[Any, Any, Any] = Runtime(PLAYER_DAY, REGISTRY, store, now=now, observations=observations)
    reservations: Runtime[Any, Any, Any] = Runtime(
        RESERVATION, REGISTRY, store, now=now, observations=observations
    )
    keepers = [
        DeadlineKeeper(runtime, store, now=now, observations=observations)
        for runtime in (accounts, days, reservations)
    ]
    admissions: Admissions = Together(decide_admission, days, reservations)
    doors = Doors(accounts, days, reservations, admissions, now, DoorMetrics(context.registry))
    metrics = MoneyMetrics(context.registry)
    calls = ProviderCalls(accounts, provider, metrics)
    passports = Passports(accounts, calls, metrics)
    reactions = Reactions(passports, calls, doors, context.registry)

    def register(server: grpc.aio.Server) -> None:
        rpc.add_AccessServiceServicer_to_server(AccessServicer(doors), server)
        money_rpc.add_PassportServiceServicer_to_server(PassportServicer(passports, doors, now), server)

    def consuming(stream: str, durable: str, subject: str, handler: Handler) -> Coroutine[Any, Any, None]:
        return consume(
            nats.jetstream,
            stream,
            durable,
            subject,
            handler,
            # What a killed replica had taken is given to another one after this time.
            ack_wait_s=5.0,
            # What the log cannot take for a while is tried for some minutes before it is put aside.
            max_deliver=12,
            observations=observations,
        )

    await relay.start()
    for keeper in keepers:
        await keeper.start()

    async def ready() -> bool:
        try:
            await store.now()
        except EventLogError:
            return False
        return True

    async def close() -> None:
        for keeper in keepers:
            await keeper.stop()
        await calls.close()
        for runtime in (accounts, days, reservations):
            await runtime.close()
        await relay.stop()
        await clock.stop()
        await store.close()
        await nats.close()

    return Parts(
        grpc=[register],
        allow=ALLOW,
        background=[
            consuming(ACCOUNTS_STREAM, "billing-registered", REGISTERED_SUBJECT, reactions.registered),
            consuming(ACCOUNTS_STREAM, "billing-erased", ERASED_SUBJECT, reactions.erased),
            consuming(TABLES_STREAM, "billing-closed", CLOSED_SUBJECT, reactions.closed),
            consuming(OWN_STREAM, "billing-purchases", PURCHASE_DUE_SUBJECT, reactions.purchase_due),
            consuming(OWN_STREAM, "billing-renewals", RENEWAL_DUE_SUBJECT, reactions.renewal_due),
            consuming(OWN_STREAM, "billing-returns", RETURN_DUE_SUBJECT, reactions.return_due),
            consuming(
                OWN_STREAM, "billing-expired", RESERVATION_EXPIRED_SUBJECT, reactions.reservation_expired
            ),
        ],
        ready=ready,
        close=close,
    )
