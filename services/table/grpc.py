"""The gRPC face of the table service. What it does stands in `tables`, what it streams in `play_stream` and `live`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable

import grpc

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import table_service_pb2_grpc
from libs.service.grpc_server import current_caller
from services.table.intake import open_table
from services.table.messages import timestamp
from services.table.play_stream import PlayStream
from services.table.proofs import Proofs
from services.table.tables import Tables
from services.table.watch_stream import WatchStream

_METHODS = "/carteado.table.v1.TableService/"
ALLOW = {
    _METHODS + "CreateTable": {"gateway", "matchmaking"},
    _METHODS + "Play": {"gateway"},
    _METHODS + "Submit": {"gateway", "robots"},
    _METHODS + "GetView": {"gateway", "robots", "matchmaking"},
    _METHODS + "CheckMove": {"gateway", "robots", "matchmaking"},
    _METHODS + "Watch": {"gateway"},
    _METHODS + "GetRecord": {"gateway", "league"},
    _METHODS + "GetCommitment": {"gateway"},
}
"""Which services each method serves."""


class TableFace(table_service_pb2_grpc.TableServiceServicer):
    """Implements carteado.table.v1.TableService."""

    def __init__(self, tables: Tables, proofs: Proofs) -> None:
        self._tables = tables
        self._proofs = proofs

    async def CreateTable(
        self,
        request: pb.CreateTableRequest,
        context: grpc.aio.ServicerContext[pb.CreateTableRequest, Awaitable[pb.CreateTableResponse]],
    ) -> pb.CreateTableResponse:
        """Opens a table and deals."""
        body = open_table(request)
        version = await self._tables.open(body, current_caller())
        return pb.CreateTableResponse(table_id=body.table_id, version=version)

    async def Play(
        self,
        request_iterator: AsyncIterator[pb.PlayRequest],
        context: grpc.aio.ServicerContext[AsyncIterator[pb.PlayRequest], AsyncIterator[pb.PlayResponse]],
    ) -> AsyncIterator[pb.PlayResponse]:
        """Carries many tables' commands, answers and updates."""
        async for response in PlayStream(self._tables, current_caller()).replies(request_iterator):
            yield response

    async def Submit(
        self,
        request: pb.SubmitRequest,
        context: grpc.aio.ServicerContext[pb.SubmitRequest, Awaitable[pb.SubmitResponse]],
    ) -> pb.SubmitResponse:
        """Gives one command to its table."""
        outcome = await self._tables.outcome(request.actor, request.command, current_caller())
        return pb.SubmitResponse(outcome=outcome)

    async def GetView(
        self,
        request: pb.GetViewRequest,
        context: grpc.aio.ServicerContext[pb.GetViewRequest, Awaitable[pb.GetViewResponse]],
    ) -> pb.GetViewResponse:
        """Gives a view."""
        view = await self._tables.view(request, current_caller())
        return pb.GetViewResponse(view=view, server_time=timestamp(self._tables.now()))

    async def CheckMove(
        self,
        request: pb.CheckMoveRequest,
        context: grpc.aio.ServicerContext[pb.CheckMoveRequest, Awaitable[pb.CheckMoveResponse]],
    ) -> pb.CheckMoveResponse:
        """Says what would become of a command now."""
        outcome = await self._tables.check(request.actor, request.command, current_caller())
        return pb.CheckMoveResponse(outcome=outcome)

    async def Watch(
        self,
        request: pb.WatchRequest,
        context: grpc.aio.ServicerContext[pb.WatchRequest, AsyncIterator[pb.WatchResponse]],
    ) -> AsyncIterator[pb.WatchResponse]:
        """Streams one viewer's updates of one table."""
        async for response in WatchStream(self._tables, request, current_caller()).responses():
            yield response

    async def GetRecord(
        self,
        request: pb.GetRecordRequest,
        context: grpc.aio.ServicerContext[pb.GetRecordRequest, Awaitable[pb.GetRecordResponse]],
    ) -> pb.GetRecordResponse:
        """Gives a page of a finished match."""
        return pb.GetRecordResponse(record=await self._proofs.record(request, current_caller()))

    async def GetCommitment(
        self,
        request: pb.GetCommitmentRequest,
        context: grpc.aio.ServicerContext[pb.GetCommitmentRequest, Awaitable[pb.GetCommitmentResponse]],
    ) -> pb.GetCommitmentResponse:
        """Gives the commitment of a table that need not exist yet."""
        return pb.GetCommitmentResponse(commitment=self._proofs.commitment(request))
