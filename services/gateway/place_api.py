"""Where a player is, over HTTP, and waiting for that to change."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine

import grpc
from aiohttp import web

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from services.gateway.calls import Calls
from services.gateway.errors import RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.requests import number_in_query
from services.gateway.room_calls import RoomCalls, place_response

_MOST_WAIT_MS = 20_000
_MOST_VERSION = 2**32 - 1


class PlaceApi:
    """The handler. It raises ServiceError for `error_middleware` to write."""

    def __init__(self, rooms: RoomCalls, waiting_calls: Calls, limits: Limits) -> None:
        """`waiting_calls` are those that wait for a change, and so have their own number and a longer deadline."""
        self._rooms = rooms
        self._waiting_calls = waiting_calls
        self._waits: Counter[str] = Counter()
        self._most_waits = limits.place_waits_each
        self._look_s = limits.place_look_s

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [web.get("/api/v1/me/place", self.get_place)]

    async def get_place(self, request: web.Request) -> web.Response:
        """Where the player is; with `wait_ms`, once that is no longer `known_version`."""
        player = await self._rooms.player(request)
        asked = pb.GetPlaceRequest(
            player_id=player.player_id,
            known_version=number_in_query(request, "known_version", _MOST_VERSION),
            wait_ms=number_in_query(request, "wait_ms", _MOST_WAIT_MS),
        )
        if not asked.wait_ms:
            return place_response((await self._rooms.call(player, _get_place, asked)).place)
        if self._waits[player.player_id] >= self._most_waits:
            raise RATE_LIMITED.error()
        self._waits[player.player_id] += 1
        try:
            waiting = self._rooms.call(player, _get_place, asked, self._waiting_calls)
            told = await self._unless_gone(request, waiting)
        finally:
            self._waits[player.player_id] -= 1
            if not self._waits[player.player_id]:
                del self._waits[player.player_id]
        return web.Response() if told is None else place_response(told.place)

    async def _unless_gone(
        self, request: web.Request, waiting: Coroutine[None, None, pb.GetPlaceResponse]
    ) -> pb.GetPlaceResponse | None:
        """The answer, or None when the client has closed its connection: aiohttp lets a handler go on without it."""
        task = asyncio.create_task(waiting)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=self._look_s)
                if request.transport is None or request.transport.is_closing():
                    return None
            return task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _get_place(
    channel: grpc.aio.Channel,
) -> grpc.aio.UnaryUnaryMultiCallable[pb.GetPlaceRequest, pb.GetPlaceResponse]:
    return MatchmakingServiceStub(channel).GetPlace
