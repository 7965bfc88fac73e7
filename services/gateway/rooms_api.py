"""Rooms over HTTP: the games of each, open tables and the seats at them, the ranked queue.

Who the player is comes from the token alone. Names of who sits where are asked of accounts; without one, or while accounts is away, there is none.
"""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from libs.rules.registry import GAMES, ROBOTS
from libs.service.tokens import VerifiedPlayer
from services.gateway.names import Names
from services.gateway.requests import entropy_bytes, json_response, uuid_in_path
from services.gateway.room_calls import MOST_SEATS, ROOMS, RoomCalls, command_id, place_response, within
from services.gateway.wishes import GiveBack, NewTable, TakeSeat, Wish

_HOUSE_ROOMS = ("livre", "treino")
_TABLES = 50


class RoomsApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(self, rooms: RoomCalls, names: Names) -> None:
        """One may sit down without knowing who sits there, so `names` may be missing."""
        self._rooms = rooms
        self._names = names

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
        ]

    async def get_rooms(self, request: web.Request) -> web.Response:
        """Every game: how many play it, in which rooms, and how strong its robots can be."""
        await self._rooms.player(request)
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
        player = await self._rooms.player(request)
        listed = await self._rooms.call(
            player,
            lambda channel: MatchmakingServiceStub(channel).ListOpenTables,
            pb.ListOpenTablesRequest(preset=request.query.get("preset", ""), limit=_TABLES),
        )
        names = await self._names.of(
            {one for table in listed.tables for one in table.player_ids if one}, player
        )
        return json_response({"tables": [_table(table, names, player) for table in listed.tables]})

    async def open_table(self, request: web.Request) -> web.Response:
        """Opens a table in the Sala Livre and sits down at it."""
        player = await self._rooms.player(request)
        body = await self._rooms.requests.body(request, NewTable)
        asked = pb.OpenTableRequest(
            player_id=player.player_id,
            command_id=command_id(body.command_id),
            preset=body.preset,
            seats=within(body.seats, MOST_SEATS, "seats"),
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._rooms.call(
            player, lambda channel: MatchmakingServiceStub(channel).OpenTable, asked
        )
        return place_response(done.place)

    async def sit_down(self, request: web.Request) -> web.Response:
        """Takes a seat; the match begins with the last one."""
        player = await self._rooms.player(request)
        body = await self._rooms.requests.body(request, TakeSeat)
        asked = pb.SitDownRequest(
            player_id=player.player_id,
            command_id=command_id(body.command_id),
            table_id=uuid_in_path(request, "table_id"),
            seat=within(body.seat, MOST_SEATS, "seat"),
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._rooms.call(player, lambda channel: MatchmakingServiceStub(channel).SitDown, asked)
        return place_response(done.place)

    async def stand_up(self, request: web.Request) -> web.Response:
        """Gives the seat at an open table back."""
        player = await self._rooms.player(request)
        body = await self._rooms.requests.body(request, GiveBack)
        asked = pb.StandUpRequest(
            player_id=player.player_id,
            command_id=command_id(body.command_id),
            table_id=uuid_in_path(request, "table_id"),
        )
        done = await self._rooms.call(player, lambda channel: MatchmakingServiceStub(channel).StandUp, asked)
        return place_response(done.place)

    async def quick_play(self, request: web.Request) -> web.Response:
        """Sits down at the fullest open table, or opens one."""
        player = await self._rooms.player(request)
        body = await self._rooms.requests.body(request, Wish)
        asked = pb.QuickPlayRequest(
            player_id=player.player_id,
            command_id=command_id(body.command_id),
            preset=body.preset,
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._rooms.call(
            player, lambda channel: MatchmakingServiceStub(channel).QuickPlay, asked
        )
        return place_response(done.place)

    async def join_queue(self, request: web.Request) -> web.Response:
        """Waits for a match of the Sala Ranqueada."""
        player = await self._rooms.player(request)
        body = await self._rooms.requests.body(request, Wish)
        asked = pb.JoinQueueRequest(
            player_id=player.player_id,
            command_id=command_id(body.command_id),
            preset=body.preset,
            entropy=entropy_bytes(body.entropy),
        )
        done = await self._rooms.call(
            player, lambda channel: MatchmakingServiceStub(channel).JoinQueue, asked
        )
        return place_response(done.place)

    async def leave_queue(self, request: web.Request) -> web.Response:
        """Waits no longer."""
        player = await self._rooms.player(request)
        asked = pb.LeaveQueueRequest(
            player_id=player.player_id, command_id=command_id(request.query.get("command_id", ""))
        )
        done = await self._rooms.call(
            player, lambda channel: MatchmakingServiceStub(channel).LeaveQueue, asked
        )
        return place_response(done.place)


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
