"""Puts the gateway together."""

from __future__ import annotations

import os
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.service.app import Context, Parts
from libs.service.config import ConfigError
from libs.service.grpc_client import Channels
from libs.service.nats import Nats, connect
from libs.service.tokens import TokenVerifier
from services.gateway.access_api import AccessApi
from services.gateway.account_api import AccountApi
from services.gateway.barred import Barred, BarredFollower
from services.gateway.calls import Calls
from services.gateway.config import load_limits
from services.gateway.http_api import HttpApi, error_middleware
from services.gateway.identity import Identity
from services.gateway.league_api import LeagueApi
from services.gateway.limits import Limits
from services.gateway.metrics import GatewayMetrics
from services.gateway.names import Names
from services.gateway.page import Page
from services.gateway.place_api import PlaceApi
from services.gateway.play_link import PlayStream
from services.gateway.presence import PresenceTeller
from services.gateway.room_calls import RoomCalls
from services.gateway.rooms_api import RoomsApi
from services.gateway.sockets import Sockets
from services.gateway.tables import Tables
from services.gateway.training_api import TrainingApi

NAME = "gateway"


async def build(context: Context) -> Parts:
    """The gateway's parts; raises ConfigError for what is missing or wrong, NatsUnavailableError without NATS."""
    verifier = TokenVerifier.from_environment()
    context.config.require_own_metrics_address()
    context.config.require_replicas("accounts")
    origins = _origins(os.environ.get("CARTEADO_GATEWAY_ORIGINS", ""))
    nats = await connect(context.config, context.log)
    return assemble(context, verifier, load_limits(), origins, nats)


def assemble(
    context: Context,
    verifier: TokenVerifier,
    limits: Limits,
    origins: frozenset[str] = frozenset(),
    nats: Nats | None = None,
) -> Parts:
    """The gateway's parts from what may differ between one gateway and another.

    Without NATS it hears later of who is kept out, and tells nobody who is here.
    """
    channels = Channels(context.config.replicas, context.credentials)
    calls = Calls(channels, limits)
    tables = Tables(
        {address: _play_stream(channels, address) for address in context.config.require_replicas("table")},
        lambda table_id: channels.ranked("table", table_id),
        lambda request: calls.call(
            "table", request.command.table_id, lambda channel: TableServiceStub(channel).CheckMove, request
        ),
        limits,
    )
    barred = Barred()
    metrics = GatewayMetrics(context.registry, lambda: tables.up_count, lambda: len(barred))
    identity = Identity(verifier, barred, calls)
    sockets = Sockets(tables, identity.verify, limits, metrics, origins)
    barred.on_barred = sockets.end_for
    access_timeout_s = min(limits.access_timeout_s, limits.call_timeout_s)
    access_calls = Calls(channels, msgspec.structs.replace(limits, call_timeout_s=access_timeout_s))
    names_timeout_s = min(limits.names_timeout_s, limits.call_timeout_s)
    names = Names(Calls(channels, msgspec.structs.replace(limits, call_timeout_s=names_timeout_s)))
    waiting_calls = Calls(
        channels,
        msgspec.structs.replace(
            limits, call_timeout_s=limits.place_wait_timeout_s, calls_in_flight=limits.place_waits
        ),
    )
    rooms = RoomCalls(calls, identity.verify, limits)
    apis = (
        HttpApi(calls, identity.verify, limits),
        AccountApi(calls, identity.verify, limits),
        LeagueApi(calls, names, identity.verify, limits),
        AccessApi(calls, access_calls, identity.verify, limits, context.registry),
        RoomsApi(rooms, names),
        TrainingApi(rooms, calls, limits),
        PlaceApi(rooms, waiting_calls, limits),
    )
    # What players ask must not keep the gateway from hearing who is kept out.
    own_calls = Calls(channels, msgspec.structs.replace(limits, calls_in_flight=1))
    follower = BarredFollower(barred, own_calls, limits, None if nats is None else nats.client)
    teller = None if nats is None else PresenceTeller(nats.client, sockets.players, limits)

    async def ready() -> bool:
        return tables.is_up and barred.is_loaded

    async def drain() -> None:
        await sockets.drain()
        if teller is not None:
            await teller.leave()

    async def close() -> None:
        await channels.close()
        if nats is not None:
            await nats.close()

    return Parts(
        routes=[
            web.get("/ws", sockets.serve),
            *(route for api in apis for route in api.routes()),
            *Page().routes(),
        ],
        middlewares=[error_middleware(metrics)],
        background=[tables.run(), follower.run(), *([] if teller is None else [teller.run()])],
        ready=ready,
        drain=drain,
        close=close,
    )


def _play_stream(channels: Channels, address: str) -> Callable[[], PlayStream]:
    # A stream lives as long as the gateway: keepalive finds a dead peer, and an overdue answer a silent one.
    return lambda: TableServiceStub(channels.channel(address)).Play(metadata=channels.metadata("table"))


def _origins(value: str) -> frozenset[str]:
    origins = frozenset(origin.strip() for origin in value.split(",") if origin.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query:
            raise ConfigError(
                f"CARTEADO_GATEWAY_ORIGINS has {origin!r}: set it to origins such as https://example.org, "
                "separated by commas"
            )
    return origins
