"""Rooms over HTTP: the games of each, open tables, the ranked queue, training, and where the player is.

Who the player is comes from the token alone. Names of who sits where are asked of accounts; without one there is none.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

import grpc
from aiohttp import web

from carteado.accounts.v1 import accounts_service_pb2 as accounts_pb
from carteado.accounts.v1.accounts_service_pb2_grpc import AccountsServiceStub
from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from libs.rules.registry import GAMES, ROBOTS
from libs.service.errors import INVALID_ARGUMENT, UNAVAILABLE
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls, Method
from services.gateway.errors import RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.rate import Buckets
from services.gateway.requests import (
    Requests,
    Verify,
    entropy_bytes,
    is_uuid,
    json_response,
    training_table,
    uuid_in_path,
)
from services.gateway.wishes import GiveBack, NewTable, NewTraining, TakeSeat, Wish

Request = TypeVar("Request")
Response = TypeVar("Response")

ROOMS: Mapping[int, str] = {
    pb.ROOM_LIVRE: "livre",
    pb.ROOM_TREINO: "treino",
    pb.ROOM_RANQUEADA: "ranqueada",
}
_HOUSE_ROOMS = ("livre", "treino")
_KINDS: Mapping[int, str] = {
    pb.PLACE_KIND_IDLE: "idle",
    pb.PLACE_KIND_OPEN_TABLE: "open_table",
    pb.PLACE_KIND_QUEUE: "queue",
    pb.PLACE_KIND_STARTING: "starting",
    pb.PLACE_KIND_PLAYING: "playing",
}
_TABLES = 50
_MOST_WAIT_MS = 20_000
_MOST_VERSION = 2**32 - 1
_MOST_SEATS = 16


class RoomsApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(self, calls: Calls, waiting_calls: Calls, verify: Verify, limits: Limits) -> None:
        """`waiting_calls` are those that wait for a change, and so have their own number and a longer deadline.

        `verify` gives None for a token that is not valid.
        """
        self._calls = calls
        self._waiting_calls = waiting_calls
        self._requests = Requests(verify, limits)
        self._rate = Buckets(limits.room_calls_per_s, limits.room_calls_burst)
        self._waits: Counter[str] = Counter()
        self._most_waits = limits.place_waits_each

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.get("/api/v1/rooms", self.get_rooms),
            web.get("/api/v1/open-tables", self.get_open_tables),
            web.post("/api/v1/open-tables", self.open_table),
            web.post("/api/v1/open-tables/{table_id}/sit", self.sit_down),
            web.post("/api/v1/open-tables/{table_id}/stand", self.stand_up),
            web.post("/api/v1/quick-play", self.quick_play),
            web.post("/api/v1/queue", self.join_queue),
            web.delete("/api/v1/queue", self.leave_queue),
            web.post("/api/v1/training", self.start_training),
            web.get("/api/v1/me/place", self.get_place),
        ]

    async def get_rooms(self, request: web.Request) -> web.Response:
        """Every game: how many play it, in which rooms, and how strong its robots can be."""
        await self._player(request)
        return json_response(
            {
                "games": [
                    {
                        "preset": preset,
                        "player_counts": list(game.player_counts),
                        "rooms": list(_HOUSE_ROOMS if "@" in preset else ROOMS.values()),
                        "strengths": list(ROBOTS[preset].by_strength),
                    }
                    for preset, game in GAMES.items()
                ]
            }
        )

    async def get_open_tables(self, request: web.Request) -> web.Response:
        """Open tables with a free seat, the fullest first, and who sits there."""
        player = await self._player(request)
        listed = await self._call(
            player,
            lambda channel: MatchmakingServiceStub(channel).ListOpenTables,
            pb.ListOpenTablesRequest(preset=request.query.get("preset", ""), limit=_TABLES),
        )
        names = await self._names(player, {one for table in listed.tables for one in table.player_ids if one})
        return json_response({"tables": [_table(table, names, player) for table in listed.tables]})

    async def open_table(self, request: web.Request) -> web.Response:
        """Opens a table in the Sala Livre and sits down at it."""
        player = await self._player(request)
        body = await self._requests.body(request, NewTable)
        asked = pb.OpenTableRequest(
            player_id=player.player_id,
            command_id=_command(body.command_id),
            preset=body.preset,
            seats=_within(body.seats, _MOST_SEATS, "seats"),
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).OpenTable, asked)
        return _answer(done.place)

    async def sit_down(self, request: web.Request) -> web.Response:
        """Takes a seat; the match begins with the last one."""
        player = await self._player(request)
        body = await self._requests.body(request, TakeSeat)
        asked = pb.SitDownRequest(
            player_id=player.player_id,
            command_id=_command(body.command_id),
            table_id=uuid_in_path(request, "table_id"),
            seat=_within(body.seat, _MOST_SEATS, "seat"),
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).SitDown, asked)
        return _answer(done.place)

    async def stand_up(self, request: web.Request) -> web.Response:
        """Gives the seat at an open table back."""
        player = await self._player(request)
        body = await self._requests.body(request, GiveBack)
        asked = pb.StandUpRequest(
            player_id=player.player_id,
            command_id=_command(body.command_id),
            table_id=uuid_in_path(request, "table_id"),
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).StandUp, asked)
        return _answer(done.place)

    async def quick_play(self, request: web.Request) -> web.Response:
        """Sits down at the fullest open table, or opens one."""
        player = await self._player(request)
        body = await self._requests.body(request, Wish)
        asked = pb.QuickPlayRequest(
            player_id=player.player_id,
            command_id=_command(body.command_id),
            preset=body.preset,
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).QuickPlay, asked)
        return _answer(done.place)

    async def join_queue(self, request: web.Request) -> web.Response:
        """Waits for a match of the Sala Ranqueada."""
        player = await self._player(request)
        body = await self._requests.body(request, Wish)
        asked = pb.JoinQueueRequest(
            player_id=player.player_id,
            command_id=_command(body.command_id),
            preset=body.preset,
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).JoinQueue, asked)
        return _answer(done.place)

    async def leave_queue(self, request: web.Request) -> web.Response:
        """Waits no longer."""
        player = await self._player(request)
        asked = pb.LeaveQueueRequest(
            player_id=player.player_id, command_id=_command(request.query.get("command_id", ""))
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).LeaveQueue, asked)
        return _answer(done.place)

    async def start_training(self, request: web.Request) -> web.Response:
        """Begins a match against robots, at the table whose commitment `GET /api/v1/practice/commitment` tells."""
        player = await self._player(request)
        body = await self._requests.body(request, NewTraining)
        command_id = _command(body.command_id)
        asked = pb.StartTrainingRequest(
            player_id=player.player_id,
            command_id=command_id,
            preset=body.preset,
            strength=body.strength,
            seats=_within(body.seats, _MOST_SEATS, "seats"),
            entropy=entropy_bytes(body.entropy),
            switches=body.switches,
            table_id=training_table(player.player_id, command_id),
        )
        done = await self._call(player, lambda channel: MatchmakingServiceStub(channel).StartTraining, asked)
        return _answer(done.place)

    async def get_place(self, request: web.Request) -> web.Response:
        """Where the player is; with `wait_ms`, once that is no longer `known_version`."""
        player = await self._player(request)
        asked = pb.GetPlaceRequest(
            player_id=player.player_id,
            known_version=_number(request, "known_version", _MOST_VERSION),
            wait_ms=_number(request, "wait_ms", _MOST_WAIT_MS),
        )
        if not asked.wait_ms:
            return _answer((await self._call(player, _get_place, asked)).place)
        if self._waits[player.player_id] >= self._most_waits:
            raise RATE_LIMITED.error()
        self._waits[player.player_id] += 1
        try:
            told = await self._call(player, _get_place, asked, self._waiting_calls)
        finally:
            self._waits[player.player_id] -= 1
            if not self._waits[player.player_id]:
                del self._waits[player.player_id]
        return _answer(told.place)

    async def _names(self, player: VerifiedPlayer, player_ids: Iterable[str]) -> dict[str, str]:
        ids = sorted(player_ids)
        names: dict[str, str] = {}
        for start in range(0, len(ids), 100):
            named = await self._calls.call(
                "accounts",
                player.player_id,
                lambda channel: AccountsServiceStub(channel).GetNames,
                accounts_pb.GetNamesRequest(player_ids=ids[start : start + 100]),
            )
            names.update({name.player_id: name.name for name in named.names})
        return names

    async def _player(self, request: web.Request) -> VerifiedPlayer:
        """Who asks, within the bound of what one player may ask."""
        player = await self._requests.player(request)
        if not self._rate.take(player.player_id, asyncio.get_running_loop().time()):
            raise RATE_LIMITED.error()
        return player

    async def _call(
        self,
        player: VerifiedPlayer,
        method: Method[Request, Response],
        request: Request,
        calls: Calls | None = None,
    ) -> Response:
        try:
            return await (calls or self._calls).call("matchmaking", player.player_id, method, request)
        except LookupError:
            # This platform runs without matchmaking.
            raise UNAVAILABLE.error() from None


def _get_place(
    channel: grpc.aio.Channel,
) -> grpc.aio.UnaryUnaryMultiCallable[pb.GetPlaceRequest, pb.GetPlaceResponse]:
    return MatchmakingServiceStub(channel).GetPlace


def _command(text: str) -> str:
    if not is_uuid(text):
        raise INVALID_ARGUMENT.error("command_id")
    return str(uuid.UUID(text))


def _within(number: int, most: int, field: str) -> int:
    if not 0 <= number <= most:
        raise INVALID_ARGUMENT.error(field)
    return number


def _number(request: web.Request, name: str, most: int) -> int:
    text = request.query.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 10 and int(text) <= most):
        raise INVALID_ARGUMENT.error(name)
    return int(text)


def _answer(place: pb.Place) -> web.Response:
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


def _table(table: pb.OpenTable, names: Mapping[str, str], player: VerifiedPlayer) -> dict[str, object]:
    return {
        "table_id": table.table_id,
        "preset": table.preset,
        "seats": [
            {"player_id": one, "name": names.get(one), "is_you": one == player.player_id} if one else None
            for one in table.player_ids
        ],
        "opened_at": table.opened_at.ToJsonString(),
    }
