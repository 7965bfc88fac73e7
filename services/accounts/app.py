"""The composition root of accounts: the log, its projection, the plain tables, the issuer, and what they are served by."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import grpc.aio
from aiohttp import web

from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from carteado.accounts.v1 import operators_service_pb2_grpc as operators_rpc
from carteado.accounts.v1 import profile_service_pb2_grpc as profile_rpc
from carteado.accounts.v1 import sessions_service_pb2_grpc as sessions_rpc
from carteado.accounts.v1 import social_service_pb2_grpc as social_rpc
from libs.eventlog.analysts import publish_views
from libs.eventlog.clock import DatabaseClock
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projector import Projector
from libs.eventlog.relay import Relay
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand
from libs.service.app import Context, Parts
from libs.service.database import ensure_database
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.accounts.barred import BarredList
from services.accounts.decider import PLAYER
from services.accounts.events import pair_events, player_events
from services.accounts.grpc import (
    ALLOW,
    AccountsServicer,
    OperatorsServicer,
    ProfileServicer,
    SessionsServicer,
    SocialServicer,
)
from services.accounts.housekeeping import keep_house
from services.accounts.issuer import Issuer, open_issuer
from services.accounts.name_store import NameStore
from services.accounts.note_store import NoteStore
from services.accounts.operators import Operators
from services.accounts.pair import PAIR
from services.accounts.personal_data import PersonalData
from services.accounts.presence import PresenceBook, follow
from services.accounts.public import SUBJECTS
from services.accounts.registration import Registration
from services.accounts.relations import Relations
from services.accounts.session_store import SessionStore
from services.accounts.sessions import Sessions
from services.accounts.social import Social
from services.accounts.standing import STANDING
from services.accounts.subject_store import SubjectStore
from services.accounts.tables import PlainTables, migrate_tables

JWKS_PATH = "/.well-known/jwks.json"
_JWKS_MAX_AGE_S = 300

STREAMS = (StreamSpec("carteado-accounts", SUBJECTS),)
"""Where the public messages of accounts go."""


async def build(context: Context) -> Parts:
    """Checks the configuration, brings database and streams up to date, and gives the parts to serve."""
    config = context.config
    issuer = open_issuer(config)
    conninfo = config.require_postgres()
    nats, _ = await asyncio.gather(connect(config, context.log), ensure_database(conninfo, config.name))
    await ensure_streams(nats.jetstream, STREAMS)
    observations = LogMetrics(context.registry)
    store = await PostgresStore.open(conninfo, observations=observations)
    await migrate_tables(conninfo)
    await publish_views(conninfo, STANDING.registry)
    clock = DatabaseClock(store.now)
    await clock.start()
    relay = Relay(conninfo, nats.jetstream, config.name, observations=observations)
    projector = Projector(conninfo, STANDING, observations=observations)

    def appended(commands: Sequence[AppendCommand]) -> None:
        relay.on_appended(commands)
        projector.on_appended(commands)

    store.appender.on_appended = appended
    players = Runtime(PLAYER, player_events(), store, now=clock.now, observations=observations)
    pairs = Runtime(PAIR, pair_events(), store, now=clock.now, observations=observations)
    tables = PlainTables(conninfo)
    names, session_store, subjects = NameStore(tables), SessionStore(tables), SubjectStore(tables)
    notes, relations, presence = NoteStore(tables), Relations(tables), PresenceBook()
    registration = Registration(players, names)
    sessions = Sessions(players, session_store, subjects, clock.now)
    personal_data = PersonalData(players, store, names, session_store, subjects, notes, relations, clock.now)
    operators = Operators(players, store, names, session_store, notes, relations, clock.now)
    faces = (
        AccountsServicer(registration, sessions, names, issuer),
        SessionsServicer(sessions, BarredList(tables)),
        ProfileServicer(registration, names, personal_data),
        SocialServicer(Social(players, pairs, relations), names, presence),
        OperatorsServicer(operators, personal_data),
    )

    def register(server: grpc.aio.Server) -> None:
        accounts_face, sessions_face, profile_face, social_face, operators_face = faces
        rpc.add_AccountsServiceServicer_to_server(accounts_face, server)
        sessions_rpc.add_SessionsServiceServicer_to_server(sessions_face, server)
        profile_rpc.add_ProfileServiceServicer_to_server(profile_face, server)
        social_rpc.add_SocialServiceServicer_to_server(social_face, server)
        operators_rpc.add_OperatorsServiceServicer_to_server(operators_face, server)

    async def erase(player_id: str) -> None:
        await personal_data.erase(player_id, "system:accounts")

    await names.key_all()
    await projector.start()
    await relay.start()
    await follow(nats.client, presence)

    async def close() -> None:
        await players.close()
        await pairs.close()
        await projector.stop()
        await relay.stop()
        await clock.stop()
        await store.close()
        await tables.close()
        await nats.close()

    return Parts(
        grpc=[register],
        allow=ALLOW,
        routes=[] if issuer is None else [_jwks_route(issuer)],
        background=[keep_house(tables, erase)],
        ready=tables.is_reachable,
        close=close,
    )


def _jwks_route(issuer: Issuer) -> web.RouteDef:
    async def jwks(_request: web.Request) -> web.Response:
        return web.json_response(issuer.jwks(), headers={"Cache-Control": f"max-age={_JWKS_MAX_AGE_S}"})

    return web.get(JWKS_PATH, jwks)
