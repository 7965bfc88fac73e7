"""The gRPC face of the Liga: requests checked for form, and answered in the contract's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import grpc

from carteado.league.v1 import events_pb2
from carteado.league.v1 import league_service_pb2 as pb
from carteado.league.v1 import league_service_pb2_grpc as rpc
from libs.service.errors import INVALID_ARGUMENT
from services.league.calendar import is_week, week_of
from services.league.closing import Closing
from services.league.policy import CURRENT, LEAGUES, Feat
from services.league.reads import Achievement, Reads, Row, Trophy
from services.league.results import GAME
from services.league.skill import FIRST_RATING

MOST_ROWS = 100
_ROWS = 20
_OPERATOR = re.compile(r"[a-z0-9._-]{1,32}")
_MOST_PLACES = 10_000_000

_PACKAGE = "/carteado.league.v1.LeagueService/"

ALLOW: Mapping[str, Collection[str]] = {
    **{
        f"{_PACKAGE}{method}": frozenset({"gateway"})
        for method in ("GetTable", "GetStanding", "ListTrophies")
    },
    f"{_PACKAGE}ListWeeks": frozenset({"gateway", "cli"}),
    f"{_PACKAGE}GetSkills": frozenset({"matchmaking"}),
    f"{_PACKAGE}CloseWeek": frozenset({"cli"}),
}
"""Which services each method serves: players through the gateway, matchmaking for skill, operators by `carteado`."""

Context = grpc.aio.ServicerContext[Any, Any]

_STATUSES: Mapping[str, pb.WeekStatus.ValueType] = {
    "running": pb.WEEK_STATUS_RUNNING,
    "ended": pb.WEEK_STATUS_ENDED,
    "closed": pb.WEEK_STATUS_CLOSED,
}
FEATS: Mapping[Feat, pb.Feat.ValueType] = {
    "zap_on_last_trick": pb.FEAT_ZAP_ON_LAST_TRICK,
    "bandeira": pb.FEAT_BANDEIRA,
    "canastra_de_1000": pb.FEAT_CANASTRA_DE_1000,
}
"""The feats as the contract numbers them."""


class LeagueServicer(rpc.LeagueServiceServicer):
    """Answers the calls of `carteado.league.v1.LeagueService`; see its proto for what they mean."""

    def __init__(self, reads: Reads, closing: Closing, now: Callable[[], datetime]) -> None:
        self._reads = reads
        self._closing = closing
        self._now = now

    async def GetTable(self, request: pb.GetTableRequest, _context: Context) -> pb.GetTableResponse:
        """A page of a table."""
        game, week, limit = _game(request.game), self._week(request.week), _limit(request.limit, _ROWS)
        around = ""
        if request.WhichOneof("start") == "around_player_id":
            around = _uuid(request.around_player_id, "around_player_id")
        if request.league not in range(len(LEAGUES) + 1):
            raise INVALID_ARGUMENT.error(field="league")
        league = int(request.league) or (await self._reads.league(game, week, around) if around else 1)
        from_place = max(1, request.from_place)
        if from_place > _MOST_PLACES:
            raise INVALID_ARGUMENT.error(field="from_place")
        if around:
            own = await self._reads.row(game, week, league, around)
            from_place = 1 if own is None else max(1, own.place - limit // 2)
        players = await self._reads.players(game, week, league)
        name = LEAGUES[league - 1]
        relegated = CURRENT.relegated(name, players)
        return pb.GetTableResponse(
            game=game,
            league=_league(league),
            week=week,
            players=players,
            rows=[_row(row) for row in await self._reads.page(game, week, league, from_place, limit)],
            promoted_to_place=CURRENT.promoted(name, players),
            relegated_from_place=players - relegated + 1 if relegated else 0,
            is_closed=await self._reads.is_closed(game, week),
        )

    async def GetStanding(self, request: pb.GetStandingRequest, _context: Context) -> pb.GetStandingResponse:
        """Where a player stands."""
        game, week = _game(request.game), self._week(request.week)
        player_id = _uuid(request.player_id, "player_id")
        league = await self._reads.league(game, week, player_id)
        row = await self._reads.row(game, week, league, player_id)
        wins, matches = await self._reads.totals(game, player_id)
        return pb.GetStandingResponse(
            game=game,
            week=week,
            league=_league(league),
            row=None if row is None else _row(row),
            trophies=[_trophy(one) for one in await self._reads.trophies(player_id, game, MOST_ROWS)],
            medals=[
                pb.Medal(wins=of, match_id=match_id)
                for of, match_id in await self._reads.medals(game, player_id)
            ],
            wins=wins,
            matches=matches,
            achievements=[_achievement(one) for one in await self._reads.achievements(game, player_id)],
        )

    async def ListWeeks(self, request: pb.ListWeeksRequest, _context: Context) -> pb.ListWeeksResponse:
        """The newest weeks of a game."""
        listed = pb.ListWeeksResponse()
        for week, status, at in await self._reads.weeks(_game(request.game), _limit(request.limit, _ROWS)):
            listed.weeks.add(week=week.isoformat(), status=_STATUSES[status]).closes_at.FromDatetime(at)
        return listed

    async def ListTrophies(
        self, request: pb.ListTrophiesRequest, _context: Context
    ) -> pb.ListTrophiesResponse:
        """A player's newest trophies."""
        player_id, limit = _uuid(request.player_id, "player_id"), _limit(request.limit, MOST_ROWS)
        trophies = await self._reads.trophies(player_id, None, limit)
        return pb.ListTrophiesResponse(trophies=[_trophy(one) for one in trophies])

    async def GetSkills(self, request: pb.GetSkillsRequest, _context: Context) -> pb.GetSkillsResponse:
        """Players' skill in a game."""
        game = _game(request.game)
        if len(request.player_ids) > MOST_ROWS:
            raise INVALID_ARGUMENT.error(field="player_ids", facts={"most": str(MOST_ROWS)})
        player_ids = [_uuid(one, f"player_ids[{index}]") for index, one in enumerate(request.player_ids)]
        known = await self._reads.skills(game, player_ids)
        first = (FIRST_RATING.mu, FIRST_RATING.sigma)
        return pb.GetSkillsResponse(
            skills=[
                pb.Skill(player_id=player_id, mu=mu, sigma=sigma)
                for player_id in player_ids
                for mu, sigma in (known.get(player_id, first),)
            ]
        )

    async def CloseWeek(self, request: pb.CloseWeekRequest, _context: Context) -> pb.CloseWeekResponse:
        """Closes a week that is over."""
        game = _game(request.game)
        if not is_week(request.week):
            raise INVALID_ARGUMENT.error(field="week")
        players = await self._closing.close(game, request.week, _operator(request.operator))
        return pb.CloseWeekResponse(players=players)

    def _week(self, text: str) -> str:
        if not text:
            return week_of(self._now())
        if not is_week(text):
            raise INVALID_ARGUMENT.error(field="week", facts={"reason": "must be a Monday, YYYY-MM-DD"})
        return text


def _game(text: str) -> str:
    if GAME.fullmatch(text) is None:
        raise INVALID_ARGUMENT.error(field="game")
    return text


def _operator(login: str) -> str:
    if _OPERATOR.fullmatch(login) is None:
        raise INVALID_ARGUMENT.error(
            field="operator", facts={"reason": "a login: a-z, 0-9, '.', '_' and '-', at most 32"}
        )
    return f"operator:{login}"


def _limit(given: int, default: int) -> int:
    if given > MOST_ROWS:
        raise INVALID_ARGUMENT.error(field="limit", facts={"most": str(MOST_ROWS)})
    return given or default


def _uuid(text: str, field: str) -> str:
    try:
        if str(UUID(text)) == text:
            return text
    except ValueError:
        pass
    raise INVALID_ARGUMENT.error(field=field, facts={"reason": "must be a UUID in lower case with hyphens"})


def _league(number: int) -> events_pb2.League.ValueType:
    return events_pb2.League.ValueType(number)


def _row(row: Row) -> pb.TableRow:
    message = pb.TableRow(
        place=row.place,
        player_id=row.player_id,
        points=row.points,
        matches=row.matches,
        wins=row.wins,
        abandoned=row.abandoned,
    )
    message.reached_at.FromDatetime(row.reached_at)
    return message


def _trophy(trophy: Trophy) -> pb.Trophy:
    return pb.Trophy(
        game=trophy.game,
        week=trophy.week.isoformat(),
        league=_league(trophy.league),
        place=trophy.place,
        points=trophy.points,
    )


def _achievement(achievement: Achievement) -> pb.Achievement:
    message = pb.Achievement(
        feat=FEATS[achievement.feat], match_id=achievement.match_id, version=achievement.version
    )
    message.achieved_at.FromDatetime(achievement.ended_at)
    return message
