"""What the APIs of rooms, training and places share: who asks and how often, calls of matchmaking, a place as JSON."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from typing import TypeVar

from aiohttp import web

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from libs.service.errors import INVALID_ARGUMENT, UNAVAILABLE
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls, Method
from services.gateway.errors import RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.rate import Buckets
from services.gateway.requests import Requests, Verify, is_uuid, json_response

Request = TypeVar("Request")
Response = TypeVar("Response")

ROOMS: Mapping[int, str] = {
    pb.ROOM_LIVRE: "livre",
    pb.ROOM_TREINO: "treino",
    pb.ROOM_RANQUEADA: "ranqueada",
}
MOST_SEATS = 16
_KINDS: Mapping[int, str] = {
    pb.PLACE_KIND_IDLE: "idle",
    pb.PLACE_KIND_OPEN_TABLE: "open_table",
    pb.PLACE_KIND_QUEUE: "queue",
    pb.PLACE_KIND_STARTING: "starting",
    pb.PLACE_KIND_PLAYING: "playing",
}


class RoomCalls:
    """Requests of players who are known, within one bucket each. Everything raises ServiceError."""

    def __init__(self, calls: Calls, verify: Verify, limits: Limits) -> None:
        """`verify` gives None for a token that is not valid."""
        self.requests = Requests(verify, limits)
        self._calls = calls
        self._rate = Buckets(limits.room_calls_per_s, limits.room_calls_burst)
        self._wishes = Buckets(limits.wishes_per_s, limits.wishes_burst)

    async def player(self, request: web.Request) -> VerifiedPlayer:
        """Who asks, within the bound of what one player may ask."""
        player = await self.requests.player(request)
        now_s = asyncio.get_running_loop().time()
        is_within = self._rate.take(player.player_id, now_s)
        if is_within and request.method != "GET":
            is_within = self._wishes.take(player.player_id, now_s)
        if not is_within:
            raise RATE_LIMITED.error()
        return player

    async def call(
        self,
        player: VerifiedPlayer,
        method: Method[Request, Response],
        request: Request,
        calls: Calls | None = None,
    ) -> Response:
        """What matchmaking answers; UNAVAILABLE on a platform without it. `calls` has other bounds than usual."""
        try:
            return await (calls or self._calls).call("matchmaking", player.player_id, method, request)
        except LookupError:
            raise UNAVAILABLE.error() from None


def command_id(text: str) -> str:
    """The id of a wish, in the spelling that every service knows."""
    if not is_uuid(text):
        raise INVALID_ARGUMENT.error("command_id")
    return str(uuid.UUID(text))


def within(number: int, most: int, field: str) -> int:
    """A number from 0 to `most`."""
    if not 0 <= number <= most:
        raise INVALID_ARGUMENT.error(field)
    return number


def place_response(place: pb.Place) -> web.Response:
    """Where a player is, as the schema `Place`."""
    return json_response(
        {
            "kind": _KINDS[place.kind],
            "version": place.version,
            "table_id": place.table_id or None,
            "preset": place.preset or None,
            "room": ROOMS.get(place.room),
            "since": place.since.ToJsonString() if place.HasField("since") else None,
            "last_refusal": place.last_refusal or None,
        }
    )
