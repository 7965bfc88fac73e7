"""Matchmaking on loopback: the real gRPC face and rules on a log in memory, before a real table service."""

from pathlib import Path
from typing import Any

import structlog
from prometheus_client import CollectorRegistry

from carteado.matchmaking.v1 import matchmaking_service_pb2_grpc as rpc
from libs.service.credentials import Credentials
from libs.service.grpc_client import Channels
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from services.matchmaking.grpc import ALLOW, MatchmakingServicer
from services.matchmaking.outside import TableService
from tests.services.matchmaking.memory import MemoryMatchmaking


class Serving:
    """The service at `address`; its key is there before any other service reads the folder."""

    def __init__(self, keys: Path, table_address: str) -> None:
        credentials = Credentials("matchmaking", keys)
        self._channels = Channels({"table": (table_address,)}, credentials)
        self.matchmaking = MemoryMatchmaking(tables=TableService(self._channels))
        reads: Any = self.matchmaking.reads
        face = MatchmakingServicer(
            self.matchmaking.places, reads, self.matchmaking.changes, self.matchmaking.note
        )
        self._server = GrpcServer(
            credentials, ALLOW, GrpcServerMetrics(CollectorRegistry()), structlog.get_logger()
        )
        self._server.register([lambda server: rpc.add_MatchmakingServiceServicer_to_server(face, server)])

    async def start(self) -> None:
        self.address = f"127.0.0.1:{await self._server.start('127.0.0.1:0')}"

    async def stop(self) -> None:
        await self._server.drain(0.2)
        await self._channels.close()
