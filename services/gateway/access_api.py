"""Access and passports over HTTP: what the player may play and why, what is for sale, buying and ending a passport.

Who the player is comes from the token alone. While billing is away, access is answered by `libs.service.access`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from aiohttp import web
from prometheus_client import CollectorRegistry

from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.billing.v1.access_service_pb2_grpc import AccessServiceStub
from carteado.billing.v1.passport_service_pb2_grpc import PassportServiceStub
from libs.service.access import AccessPolicy
from libs.service.errors import INVALID_ARGUMENT, UNAVAILABLE
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls, Method
from services.gateway.errors import RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.rate import Buckets
from services.gateway.requests import Requests, Verify, idempotency_key, json_response

Request = TypeVar("Request")
Response = TypeVar("Response")

ROOMS: Mapping[str, pb.Room.ValueType] = {
    "livre": pb.ROOM_LIVRE,
    "treino": pb.ROOM_TREINO,
    "ranqueada": pb.ROOM_RANQUEADA,
    "torneio": pb.ROOM_TORNEIO,
}
REASONS: Mapping[int, tuple[str, str]] = {
    pb.ACCESS_REASON_FREE_GAME: ("FREE_GAME", "Este jogo é grátis."),
    pb.ACCESS_REASON_TRIAL: ("TRIAL", "Liberado no seu período de teste."),
    pb.ACCESS_REASON_PASSPORT: ("PASSPORT", "Liberado pelo seu Passaporte."),
    pb.ACCESS_REASON_WITHIN_DAILY_LIMIT: ("WITHIN_DAILY_LIMIT", "Você ainda tem partidas hoje."),
    pb.ACCESS_REASON_DAILY_LIMIT_REACHED: (
        "DAILY_LIMIT_REACHED",
        "Você já jogou suas partidas de hoje. Volte amanhã ou use um Passaporte.",
    ),
    pb.ACCESS_REASON_PASSPORT_NEEDED: ("PASSPORT_NEEDED", "Esta sala pede um Passaporte VIP ou PRO."),
    pb.ACCESS_REASON_HOUSE_PRESET: (
        "HOUSE_PRESET",
        "Regras da casa são jogadas só na Sala Livre e no treino.",
    ),
    pb.ACCESS_REASON_UNKNOWN_GAME: ("UNKNOWN_GAME", "Este jogo não existe."),
    pb.ACCESS_REASON_UNKNOWN_PLAYER: (
        "UNKNOWN_PLAYER",
        "Ainda não conhecemos esta conta. Tente de novo em instantes.",
    ),
    pb.ACCESS_REASON_NOT_KNOWN: (
        "NOT_KNOWN",
        "Não deu para conferir seu acesso agora. Tente de novo em instantes.",
    ),
}
"""Each reason's code and its text for players."""

_STATUSES: Mapping[int, str] = {
    money_pb.PASSPORT_STATUS_ACTIVE: "active",
    money_pb.PASSPORT_STATUS_CANCELLED: "cancelled",
    money_pb.PASSPORT_STATUS_IN_GRACE: "in_grace",
    money_pb.PASSPORT_STATUS_ENDED: "ended",
}


class Purchase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/passport`."""

    plan: str


class AccessApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(
        self, calls: Calls, access_calls: Calls, verify: Verify, limits: Limits, registry: CollectorRegistry
    ) -> None:
        """`access_calls` are those that have another answer when billing is away, and so wait less long for it.

        `verify` gives None for a token that is not valid.
        """
        self._calls = calls
        self._access_calls = access_calls
        self._requests = Requests(verify, limits)
        self._rate = Buckets(limits.access_calls_per_s, limits.access_calls_burst)
        self._policy = AccessPolicy(self._check, _never_reserve, registry)

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.get("/api/v1/access", self.get_access),
            web.get("/api/v1/passport", self.get_passport),
            web.post("/api/v1/passport", self.buy_passport),
            web.delete("/api/v1/passport", self.end_passport),
        ]

    async def get_access(self, request: web.Request) -> web.Response:
        """Whether the player may play a preset in a room, and why."""
        player = await self._player(request)
        room = request.query.get("room", "")
        if room not in ROOMS:
            raise INVALID_ARGUMENT.error("room")
        preset = request.query.get("preset", "")
        if not preset:
            raise INVALID_ARGUMENT.error("preset")
        access = await self._policy.check(player.player_id, preset, ROOMS[room])
        return json_response(access_json(access))

    async def get_passport(self, request: web.Request) -> web.Response:
        """The player's trial, passport and matches of the day, and what is for sale."""
        player = await self._player(request)
        account, listed = await asyncio.gather(
            self._call(
                player,
                lambda channel: PassportServiceStub(channel).GetAccount,
                money_pb.GetAccountRequest(player_id=player.player_id),
            ),
            self._call(
                player, lambda channel: PassportServiceStub(channel).ListPlans, money_pb.ListPlansRequest()
            ),
        )
        return json_response(
            {
                "trial_until": account.trial_until.ToJsonString(),
                "passport": _passport(account.passport) if account.HasField("passport") else None,
                "matches_left": account.matches_left,
                "matches_a_day": account.matches_a_day,
                "catalogue": account.catalogue,
                "plans": [
                    {
                        "name": plan.name,
                        "text": plan.text,
                        "price_centavos": plan.price_centavos,
                        "months": plan.months,
                    }
                    for plan in listed.plans
                ],
            }
        )

    async def buy_passport(self, request: web.Request) -> web.Response:
        """Buys a passport; the same key again gives the same one."""
        player = await self._player(request)
        command_id = idempotency_key(request)
        body = await self._requests.body(request, Purchase)
        bought = await self._call(
            player,
            lambda channel: PassportServiceStub(channel).BuyPassport,
            money_pb.BuyPassportRequest(command_id=command_id, player_id=player.player_id, plan=body.plan),
        )
        return json_response(_passport(bought.passport), status=201)

    async def end_passport(self, request: web.Request) -> web.Response:
        """Cancels the renewal; with `withdraw=true`, within seven days, returns the money."""
        player = await self._player(request)
        command_id = idempotency_key(request)
        withdraw = request.query.get("withdraw", "false")
        if withdraw not in {"true", "false"}:
            raise INVALID_ARGUMENT.error("withdraw")
        ended = await self._call(
            player,
            lambda channel: PassportServiceStub(channel).CancelPassport,
            money_pb.CancelPassportRequest(
                command_id=command_id, player_id=player.player_id, is_withdrawal=withdraw == "true"
            ),
        )
        return json_response(_passport(ended.passport))

    async def _check(self, request: pb.CheckAccessRequest) -> pb.CheckAccessResponse:
        return await self._access_calls.call(
            "billing", request.player_id, lambda channel: AccessServiceStub(channel).CheckAccess, request
        )

    async def _player(self, request: web.Request) -> VerifiedPlayer:
        """Who asks, within the bound of what one player may ask."""
        player = await self._requests.player(request)
        if not self._rate.take(player.player_id, asyncio.get_running_loop().time()):
            raise RATE_LIMITED.error()
        return player

    async def _call(
        self, player: VerifiedPlayer, method: Method[Request, Response], request: Request
    ) -> Response:
        try:
            return await self._calls.call("billing", player.player_id, method, request)
        except LookupError:
            # This platform runs without billing.
            raise UNAVAILABLE.error() from None


def access_json(access: pb.Access) -> dict[str, object]:
    """An access as the API says it."""
    code, text = REASONS[access.reason]
    return {
        "is_allowed": access.is_allowed,
        "reason": code,
        "text": text,
        "rule": access.rule,
        "valid_until": access.valid_until.ToJsonString(),
        "matches_left": access.matches_left if access.HasField("matches_left") else None,
    }


async def _never_reserve(_request: pb.ReserveMatchRequest) -> pb.ReserveMatchResponse:
    """Matches are matchmaking's to reserve; billing serves the gateway no such call."""
    raise UNAVAILABLE.error()


def _passport(passport: money_pb.Passport) -> dict[str, object]:
    return {
        "passport_id": passport.passport_id,
        "plan": passport.plan,
        "status": _STATUSES[passport.status],
        "price_centavos": passport.price_centavos,
        "bought_at": passport.bought_at.ToJsonString(),
        "paid_until": passport.paid_until.ToJsonString(),
        "valid_until": passport.valid_until.ToJsonString(),
        "withdraw_until": passport.withdraw_until.ToJsonString(),
    }
