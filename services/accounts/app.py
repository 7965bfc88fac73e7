"""The composition root of accounts: the log, the names, the issuer, and what they are served by."""

from __future__ import annotations

import grpc.aio
from aiohttp import web

from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Runtime
from libs.service.app import Context, Parts
from libs.service.database import ensure_database
from libs.service.log_metrics import LogMetrics
from services.accounts.decider import PLAYER
from services.accounts.events import player_events
from services.accounts.grpc import ALLOW, AccountsServicer
from services.accounts.issuer import Issuer, open_issuer
from services.accounts.name_store import NameStore, migrate_names

JWKS_PATH = "/.well-known/jwks.json"
_JWKS_MAX_AGE_S = 300


async def build(context: Context) -> Parts:
    """Checks the configuration, brings the database up to date, and gives the parts to serve."""
    issuer = open_issuer(context.config)
    conninfo = context.config.require_postgres()
    await ensure_database(conninfo, context.config.name)
    observations = LogMetrics(context.registry)
    store = await PostgresStore.open(conninfo, observations=observations)
    await migrate_names(conninfo)
    clock = DatabaseClock(store.now)
    await clock.start()
    names = NameStore(conninfo)
    runtime = Runtime(PLAYER, player_events(), store, now=clock.now, observations=observations)
    servicer = AccountsServicer(runtime, names, issuer)

    def register(server: grpc.aio.Server) -> None:
        rpc.add_AccountsServiceServicer_to_server(servicer, server)

    async def close() -> None:
        await runtime.close()
        await clock.stop()
        await store.close()
        await names.close()

    return Parts(
        grpc=[register],
        allow=ALLOW,
        routes=[] if issuer is None else [_jwks_route(issuer)],
        ready=names.is_reachable,
        close=close,
    )


def _jwks_route(issuer: Issuer) -> web.RouteDef:
    async def jwks(_request: web.Request) -> web.Response:
        return web.json_response(issuer.jwks(), headers={"Cache-Control": f"max-age={_JWKS_MAX_AGE_S}"})

    return web.get(JWKS_PATH, jwks)
