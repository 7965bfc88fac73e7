"""Matchmaking as the gateway sees it: open tables that a test lists, a place that it moves, and what was asked."""

# ruff: noqa: N802 - gRPC's methods are named as in the contract

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1 import matchmaking_service_pb2_grpc as matchmaking_grpc
from libs.service.errors import ServiceError
from tests.services.gateway.fakes import _GrpcFake


class FakeMatchmaking(_GrpcFake, matchmaking_grpc.MatchmakingServiceServicer):
    """Answers every command with `place`; `change` wakes who waits for another one."""

    service = "matchmaking"

    def __init__(self, keys: Path) -> None:
        super().__init__(keys)
        self.asked: list[Any] = []
        self.tables: list[pb.OpenTable] = []
        self.place = pb.Place(kind=pb.PLACE_KIND_IDLE, version=1)
        self.refusal: ServiceError | None = None
        self.waits = asyncio.Event()
        self._changed = asyncio.Event()

    async def start(self) -> None:
        service = pb.DESCRIPTOR.services_by_name["MatchmakingService"]
        names = [f"/{service.full_name}/{method.name}" for method in service.methods]
        await self._start(
            lambda server: matchmaking_grpc.add_MatchmakingServiceServicer_to_server(self, server), names
        )

    def change(self, place: pb.Place) -> None:
        self.place = place
        self._changed.set()

    async def GetPlace(
        self, request: pb.GetPlaceRequest, context: grpc.aio.ServicerContext
    ) -> pb.GetPlaceResponse:
        self.asked.append(request)
        if request.wait_ms and request.known_version == self.place.version:
            self.waits.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(request.wait_ms / 1000):
                    await self._changed.wait()
        return pb.GetPlaceResponse(place=self.place)

    async def ListOpenTables(
        self, request: pb.ListOpenTablesRequest, context: grpc.aio.ServicerContext
    ) -> pb.ListOpenTablesResponse:
        self.asked.append(request)
        return pb.ListOpenTablesResponse(tables=self.tables)

    async def OpenTable(
        self, request: pb.OpenTableRequest, context: grpc.aio.ServicerContext
    ) -> pb.OpenTableResponse:
        return pb.OpenTableResponse(place=self._take(request))

    async def SitDown(
        self, request: pb.SitDownRequest, context: grpc.aio.ServicerContext
    ) -> pb.SitDownResponse:
        return pb.SitDownResponse(place=self._take(request))

    async def StandUp(
        self, request: pb.StandUpRequest, context: grpc.aio.ServicerContext
    ) -> pb.StandUpResponse:
        return pb.StandUpResponse(place=self._take(request))

    async def QuickPlay(
        self, request: pb.QuickPlayRequest, context: grpc.aio.ServicerContext
    ) -> pb.QuickPlayResponse:
        return pb.QuickPlayResponse(place=self._take(request))

    async def JoinQueue(
        self, request: pb.JoinQueueRequest, context: grpc.aio.ServicerContext
    ) -> pb.JoinQueueResponse:
        return pb.JoinQueueResponse(place=self._take(request))

    async def LeaveQueue(
        self, request: pb.LeaveQueueRequest, context: grpc.aio.ServicerContext
    ) -> pb.LeaveQueueResponse:
        return pb.LeaveQueueResponse(place=self._take(request))

    async def StartTraining(
        self, request: pb.StartTrainingRequest, context: grpc.aio.ServicerContext
    ) -> pb.StartTrainingResponse:
        return pb.StartTrainingResponse(place=self._take(request))

    def _take(self, request: Any) -> pb.Place:
        self.asked.append(request)
        if self.refusal is not None:
            raise self.refusal
        return self.place
