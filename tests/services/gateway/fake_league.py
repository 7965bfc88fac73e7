"""The Liga as the gateway sees it: a table of whom a test puts into it, and what it was asked."""

# ruff: noqa: N802 - gRPC's methods are named as in the contract

from pathlib import Path

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.league.v1 import events_pb2
from carteado.league.v1 import league_service_pb2 as pb
from carteado.league.v1 import league_service_pb2_grpc as league_grpc
from libs.service.errors import INVALID_ARGUMENT
from tests.services.gateway.fakes import _GrpcFake

WEEK = "2026-11-30"
TROPHY = pb.Trophy(game="truco-paulista", week=WEEK, league=events_pb2.LEAGUE_PRATA, place=2, points=415)

ACHIEVEMENT = pb.Achievement(
    feat=pb.FEAT_ZAP_ON_LAST_TRICK,
    match_id="0b6f7a52-1c1e-4a7e-8f0a-3d2b9e5c4f10",
    version=212,
    achieved_at=Timestamp(seconds=1_795_995_200),
)


class FakeLeague(_GrpcFake, league_grpc.LeagueServiceServicer):
    """One table in Prata with the players of `order`; everybody is in Prata."""

    service = "league"

    def __init__(self, keys: Path) -> None:
        super().__init__(keys)
        self.order: list[str] = []
        self.asked: list[pb.GetTableRequest] = []

    async def start(self) -> None:
        service = pb.DESCRIPTOR.services_by_name["LeagueService"]
        names = [f"/{service.full_name}/{method.name}" for method in service.methods]
        await self._start(lambda server: league_grpc.add_LeagueServiceServicer_to_server(self, server), names)

    async def GetTable(
        self, request: pb.GetTableRequest, context: grpc.aio.ServicerContext
    ) -> pb.GetTableResponse:
        self.asked.append(request)
        if "@" in request.game:
            raise INVALID_ARGUMENT.error(field="game")
        start = max(1, request.from_place)
        return pb.GetTableResponse(
            game=request.game,
            league=request.league,
            week=request.week or WEEK,
            players=len(self.order),
            rows=[self._row(player_id) for player_id in self.order[start - 1 :]],
            promoted_to_place=1,
        )

    async def GetStanding(
        self, request: pb.GetStandingRequest, context: grpc.aio.ServicerContext
    ) -> pb.GetStandingResponse:
        return pb.GetStandingResponse(
            game=request.game,
            week=request.week or WEEK,
            league=events_pb2.LEAGUE_PRATA,
            row=self._row(request.player_id) if request.player_id in self.order else None,
            trophies=[TROPHY],
            medals=[pb.Medal(wins=10, match_id="0b6f7a52-1c1e-4a7e-8f0a-3d2b9e5c4f10")],
            achievements=[ACHIEVEMENT],
            wins=12,
            matches=20,
        )

    async def ListTrophies(
        self, request: pb.ListTrophiesRequest, context: grpc.aio.ServicerContext
    ) -> pb.ListTrophiesResponse:
        return pb.ListTrophiesResponse(trophies=[TROPHY])

    def _row(self, player_id: str) -> pb.TableRow:
        place = self.order.index(player_id) + 1
        return pb.TableRow(
            place=place, player_id=player_id, points=500 - 100 * place, matches=4, wins=3, abandoned=1
        )
