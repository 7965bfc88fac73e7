"""What is not live: guests, tokens, names, records of finished matches. JSON over HTTP, described in `openapi.json`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from carteado.accounts.v1 import accounts_service_pb2 as accounts_pb
from carteado.accounts.v1.accounts_service_pb2_grpc import AccountsServiceStub
from carteado.table.v1 import table_service_pb2 as table_pb
from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.service.errors import INTERNAL, INVALID_ARGUMENT, ServiceError
from services.gateway.calls import Calls
from services.gateway.errors import (
    MESSAGE_TOO_BIG,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    RATE_LIMITED,
    http_status,
)
from services.gateway.limits import Limits
from services.gateway.metrics import GatewayMetrics
from services.gateway.rate import Buckets
from services.gateway.records import record_json
from services.gateway.requests import (
    JSON_HEADERS,
    Requests,
    Verify,
    idempotency_key,
    is_uuid,
    json_response,
    number_in_query,
)

OPENAPI_FILE = Path(__file__).parent / "openapi.json"

_MAX_NAMES = 100
_MAX_VERSION = 1_000_000


class NewGuest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/guests`."""

    name: str


class Renewal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/session/renew`."""

    refresh_token: str


class HttpApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(self, calls: Calls, verify: Verify, limits: Limits) -> None:
        """`verify` gives None for a token that is not valid."""
        self._calls = calls
        self._requests = Requests(verify, limits)
        self._guests = Buckets(limits.guests_per_s, limits.guests_burst)
        self._renewals = Buckets(limits.renewals_per_s, limits.renewals_burst)
        self._records = Buckets(limits.records_per_s, limits.records_burst)
        self._names = Buckets(limits.names_per_s, limits.names_burst)
        self._openapi = OPENAPI_FILE.read_bytes()

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.post("/api/v1/guests", self.create_guest),
            web.post("/api/v1/session/renew", self.renew_session),
            web.get("/api/v1/tables/{table_id}/record", self.get_record),
            web.get("/api/v1/players", self.get_players),
            web.get("/api/v1/openapi.json", self.get_openapi),
        ]

    async def create_guest(self, request: web.Request) -> web.Response:
        """Registers a guest; asked again with the same key, the same guest answers."""
        key = idempotency_key(request)
        _take(self._guests, _address(request))
        body = await self._requests.body(request, NewGuest)
        guest = await self._calls.call(
            "accounts",
            key,
            lambda channel: AccountsServiceStub(channel).RegisterGuest,
            accounts_pb.RegisterGuestRequest(command_id=key, name=body.name),
        )
        session = _session(guest.session)
        return json_response({"player_id": guest.player_id, "name": guest.name, **session}, status=201)

    async def renew_session(self, request: web.Request) -> web.Response:
        """Gives a new token for a refresh token, once; asked again with the same key, the same answer comes."""
        key = idempotency_key(request)
        _take(self._renewals, _address(request))
        body = await self._requests.body(request, Renewal)
        renewed = await self._calls.call(
            "accounts",
            key,
            lambda channel: AccountsServiceStub(channel).RenewToken,
            accounts_pb.RenewTokenRequest(token=body.refresh_token, command_id=key),
        )
        return json_response(_session(renewed.session))

    async def get_record(self, request: web.Request) -> web.Response:
        """A page of a finished match: with ids for its players, with pseudonyms for everybody else."""
        player = await self._requests.player(request)
        table_id = request.match_info["table_id"]
        if not is_uuid(table_id):
            raise INVALID_ARGUMENT.error("table_id")
        after = number_in_query(request, "after", _MAX_VERSION)
        _take(self._records, player.player_id)
        page = await self._calls.call(
            "table",
            table_id,
            lambda channel: TableServiceStub(channel).GetRecord,
            table_pb.GetRecordRequest(
                table_id=table_id,
                viewer=table_pb.Viewer(player_id=player.player_id),
                after_version=after,
            ),
        )
        return json_response(record_json(page.record))

    async def get_players(self, request: web.Request) -> web.Response:
        """The names of players; unknown ids are left out."""
        player = await self._requests.player(request)
        ids = [given for given in request.query.get("ids", "").split(",") if given]
        if not 1 <= len(ids) <= _MAX_NAMES or not all(is_uuid(given) for given in ids):
            raise INVALID_ARGUMENT.error("ids")
        _take(self._names, player.player_id)
        names = await self._calls.call(
            "accounts",
            player.player_id,
            lambda channel: AccountsServiceStub(channel).GetNames,
            accounts_pb.GetNamesRequest(player_ids=ids),
        )
        return json_response(
            {"players": [{"player_id": name.player_id, "name": name.name} for name in names.names]}
        )

    async def get_openapi(self, _request: web.Request) -> web.Response:
        """This API's description."""
        return web.Response(body=self._openapi, content_type="application/json", headers=JSON_HEADERS)


def _take(buckets: Buckets, key: str) -> None:
    """Counts a request; raises ServiceError when there were too many under this key."""
    if not buckets.take(key, asyncio.get_running_loop().time()):
        raise RATE_LIMITED.error()


def _address(request: web.Request) -> str:
    """By what somebody is counted who need not have said who they are."""
    return request.remote or ""


def error_middleware(metrics: GatewayMetrics) -> Middleware:
    """Writes every error as `{code, text_pt, text_en, field?, facts?}`; a bug is logged and told without details."""
    log = structlog.get_logger("http")

    @web.middleware
    async def write_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except ServiceError as error:
            told = error
        except TimeoutError:
            told = INVALID_ARGUMENT.error("body")
        except web.HTTPException as error:
            if error.status < 400:
                raise
            told = _from_http(error)
        except Exception:
            log.exception("a request failed unexpectedly", path=request.path)
            told = INTERNAL.error()
        metrics.refused.labels(told.code).inc()
        return _write_error(told)

    return write_errors


def _from_http(error: web.HTTPException) -> ServiceError:
    if error.status == 404:
        return NOT_FOUND.error()
    if error.status == 405:
        return METHOD_NOT_ALLOWED.error()
    if error.status == 413:
        return MESSAGE_TOO_BIG.error()
    return INVALID_ARGUMENT.error()


def _write_error(error: ServiceError) -> web.Response:
    body: dict[str, object] = {"code": error.code, "text_pt": error.text_pt, "text_en": error.text_en}
    if error.field is not None:
        body["field"] = error.field
    if error.facts:
        body["facts"] = dict(error.facts)
    return json_response(body, status=http_status(error.code, error.status))


def _session(session: accounts_pb.SessionToken) -> dict[str, str]:
    return {
        "token": session.token,
        "expires_at": session.expires_at.ToJsonString(),
        "refresh_token": session.refresh_token,
        "refresh_expires_at": session.refresh_expires_at.ToJsonString(),
    }
