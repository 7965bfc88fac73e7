"""Puts the gateway together."""

from __future__ import annotations

import os
from collections.abc import Callable
from urllib.parse import urlsplit

from aiohttp import web

from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.service.app import Context, Parts
from libs.service.config import ConfigError
from libs.service.grpc_client import Channels
from libs.service.tokens import TokenVerifier
from services.gateway.calls import Calls
from services.gateway.http_api import HttpApi, error_middleware
from services.gateway.limits import Limits
from services.gateway.metrics import GatewayMetrics
from services.gateway.page import Page
from services.gateway.play_link import PlayStream
from services.gateway.sockets import Sockets
from services.gateway.tables import Tables

NAME = "gateway"


async def build(context: Context) -> Parts:
    """The gateway's parts; raises ConfigError for what is missing or wrong."""
    verifier = TokenVerifier.from_environment()
    context.config.require_replicas("accounts")
    return assemble(context, verifier, Limits(), _origins(os.environ.get("CARTEADO_GATEWAY_ORIGINS", "")))


def assemble(
    context: Context, verifier: TokenVerifier, limits: Limits, origins: frozenset[str] = frozenset()
) -> Parts:
    """The gateway's parts from what may differ between one gateway and another."""
    channels = Channels(context.config.replicas, context.credentials)
    tables = Tables(
        {address: _play_stream(channels, address) for address in context.config.require_replicas("table")},
        lambda table_id: channels.ranked("table", table_id),
        limits,
    )
    metrics = GatewayMetrics(context.registry, lambda: tables.up_count)
    sockets = Sockets(tables, verifier.verify, limits, metrics, origins)
    api = HttpApi(Calls(channels, limits), verifier.verify, limits)

    async def ready() -> bool:
        return tables.is_up

    return Parts(
        routes=[web.get("/ws", sockets.serve), *api.routes(), *Page().routes()],
        middlewares=[error_middleware(metrics)],
        background=[tables.run()],
        ready=ready,
        drain=sockets.drain,
        close=channels.close,
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
