"""The Liga do Rei over HTTP: a league's table, where the player stands, and what the player has won.

Who the player is comes from the token alone. Names are asked of accounts; without one, or while accounts is away, the row has
none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

from aiohttp import web

from carteado.league.v1 import events_pb2
from carteado.league.v1 import league_service_pb2 as pb
from carteado.league.v1.league_service_pb2_grpc import LeagueServiceStub
from libs.service.errors import INVALID_ARGUMENT, UNAVAILABLE
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls, Method
from services.gateway.errors import RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.names import Names
from services.gateway.rate import Buckets
from services.gateway.requests import Requests, Verify, json_response

Request = TypeVar("Request")
Response = TypeVar("Response")

LEAGUES: Mapping[str, events_pb2.League.ValueType] = {
    "bronze": events_pb2.LEAGUE_BRONZE,
    "prata": events_pb2.LEAGUE_PRATA,
    "ouro": events_pb2.LEAGUE_OURO,
    "platina": events_pb2.LEAGUE_PLATINA,
    "diamante": events_pb2.LEAGUE_DIAMANTE,
    "pro": events_pb2.LEAGUE_PRO,
}
_NAMES: Mapping[int, str] = {number: name for name, number in LEAGUES.items()}

_FEATS: Mapping[int, str] = {
    pb.FEAT_ZAP_ON_LAST_TRICK: "zap_on_last_trick",
    pb.FEAT_BANDEIRA: "bandeira",
    pb.FEAT_CANASTRA_DE_1000: "canastra_de_1000",
}

_ROWS = 20
_AROUND = 9
_MAX_PLACE = 1_000_000


class LeagueApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(self, calls: Calls, names: Names, verify: Verify, limits: Limits) -> None:
        """`verify` gives None for a token that is not valid."""
        self._calls = calls
        self._names = names
        self._requests = Requests(verify, limits)
        self._rate = Buckets(limits.league_calls_per_s, limits.league_calls_burst)

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.get("/api/v1/league/me/trophies", self.get_trophies),
            web.get("/api/v1/league/{game}", self.get_table),
            web.get("/api/v1/league/{game}/me", self.get_me),
        ]

    async def get_table(self, request: web.Request) -> web.Response:
        """A page of a league's table; without a league, of the one in which the player is."""
        player = await self._player(request)
        game, week = request.match_info["game"], request.query.get("week", "")
        league = await self._league(player, request, game, week)
        asked = pb.GetTableRequest(
            game=game, league=league, week=week, limit=_ROWS, from_place=_place(request)
        )
        table = await self._call(player, lambda channel: LeagueServiceStub(channel).GetTable, asked)
        return json_response(await self._table(player, table))

    async def get_me(self, request: web.Request) -> web.Response:
        """Where the player stands, and who is around."""
        player = await self._player(request)
        game, week = request.match_info["game"], request.query.get("week", "")
        standing = await self._standing(player, game, week)
        asked = pb.GetTableRequest(
            game=game,
            league=standing.league,
            week=standing.week,
            limit=_AROUND,
            around_player_id=player.player_id,
        )
        around = await self._call(player, lambda channel: LeagueServiceStub(channel).GetTable, asked)
        return json_response(
            {
                "place": standing.row.place if standing.HasField("row") else None,
                "points": standing.row.points if standing.HasField("row") else 0,
                "wins": standing.wins,
                "matches": standing.matches,
                "trophies": [_trophy(one) for one in standing.trophies],
                "medals": [{"wins": one.wins, "match_id": one.match_id} for one in standing.medals],
                "achievements": [_achievement(one) for one in standing.achievements],
                "table": await self._table(player, around),
            }
        )

    async def get_trophies(self, request: web.Request) -> web.Response:
        """The player's trophies of every game, newest first."""
        player = await self._player(request)
        listed = await self._call(
            player,
            lambda channel: LeagueServiceStub(channel).ListTrophies,
            pb.ListTrophiesRequest(player_id=player.player_id),
        )
        return json_response({"trophies": [_trophy(one) for one in listed.trophies]})

    async def _league(
        self, player: VerifiedPlayer, request: web.Request, game: str, week: str
    ) -> events_pb2.League.ValueType:
        name = request.query.get("league")
        if name is None:
            return (await self._standing(player, game, week)).league
        if name not in LEAGUES:
            raise INVALID_ARGUMENT.error("league")
        return LEAGUES[name]

    async def _standing(self, player: VerifiedPlayer, game: str, week: str) -> pb.GetStandingResponse:
        asked = pb.GetStandingRequest(game=game, player_id=player.player_id, week=week)
        return await self._call(player, lambda channel: LeagueServiceStub(channel).GetStanding, asked)

    async def _table(self, player: VerifiedPlayer, table: pb.GetTableResponse) -> dict[str, object]:
        names = await self._names.of((row.player_id for row in table.rows), player)
        return {
            "game": table.game,
            "league": _NAMES[table.league],
            "week": table.week,
            "players": table.players,
            "promoted_to_place": table.promoted_to_place,
            "relegated_from_place": table.relegated_from_place,
            "is_closed": table.is_closed,
            "rows": [
                {
                    "place": row.place,
                    "player_id": row.player_id,
                    "name": names.get(row.player_id),
                    "points": row.points,
                    "matches": row.matches,
                    "wins": row.wins,
                    "abandoned": row.abandoned,
                    "is_you": row.player_id == player.player_id,
                }
                for row in table.rows
            ],
        }

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
            return await self._calls.call("league", player.player_id, method, request)
        except LookupError:
            # This platform runs without the Liga.
            raise UNAVAILABLE.error() from None


def _place(request: web.Request) -> int:
    text = request.query.get("from", "1")
    if not (text.isascii() and text.isdecimal() and len(text) <= 7 and 1 <= int(text) <= _MAX_PLACE):
        raise INVALID_ARGUMENT.error("from")
    return int(text)


def _trophy(trophy: pb.Trophy) -> dict[str, object]:
    return {
        "game": trophy.game,
        "week": trophy.week,
        "league": _NAMES[trophy.league],
        "place": trophy.place,
        "points": trophy.points,
    }


def _achievement(achievement: pb.Achievement) -> dict[str, object]:
    return {
        "feat": _FEATS[achievement.feat],
        "match_id": achievement.match_id,
        "version": achievement.version,
        "achieved_at": achievement.achieved_at.ToJsonString(),
    }
