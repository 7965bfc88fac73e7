"""A table service on loopback: the real gRPC face and runtime on a log in memory, and callers with real credentials."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.table.v1 import events_pb2, table_service_pb2_grpc, view_pb2
from carteado.table.v1 import table_service_pb2 as pb
from libs.eventlog.memory import MemoryStore, utc_now
from libs.eventlog.runtime import Runtime
from libs.service.credentials import Credentials, Metadata, create_key_pair
from libs.service.grpc_client import channel
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from libs.wire.games import set_move
from services.robots.thinking import choose_move
from services.table.decider import TABLE
from services.table.grpc import ALLOW, TableFace
from services.table.live import LiveTables
from services.table.proofs import Proofs
from services.table.registry import REGISTRY
from services.table.tables import Tables
from services.table.updates import TableCommit

ROBOT = pb.SeatRequest(robot=pb.RobotSeat(strength="simple"))
TIMEOUT_S = 30.0


class Time:
    """The database's clock, which a test moves."""

    def __init__(self) -> None:
        self.moved = timedelta()

    def now(self) -> datetime:
        return utc_now() + self.moved


class Serving:
    """The service and its callers."""

    def __init__(self, keys: Path) -> None:
        for service in ("table", "gateway", "robots", "accounts"):
            create_key_pair(service, keys)
        self.keys = keys
        self.time = Time()
        self.store = MemoryStore(self.time.now)
        self.runtime = Runtime(
            TABLE, REGISTRY, self.store, secret_for=secret_of, on_committed=self._committed, now=self.time.now
        )
        self.live = LiveTables(self.runtime, self.time.now)
        self._server = GrpcServer(
            Credentials("table", keys), ALLOW, GrpcServerMetrics(CollectorRegistry()), structlog.get_logger()
        )

    def _committed(self, table_id: str, commit: TableCommit) -> None:
        self.live.committed(table_id, commit)

    async def start(self) -> None:
        tables = self.tables = Tables(self.runtime, self.live, self.time.now, secret_of)
        proofs = Proofs(self.store, secret_of)
        self._server.register(
            [
                lambda server: table_service_pb2_grpc.add_TableServiceServicer_to_server(
                    TableFace(tables, proofs), server
                )
            ]
        )
        port = await self._server.start("127.0.0.1:0")
        self.address = f"127.0.0.1:{port}"
        self._channel = channel(self.address)
        # A busy machine may let a first connection fail; those who call in earnest try again.
        async with asyncio.timeout(TIMEOUT_S):
            await self._channel.channel_ready()
        self.stub = table_service_pb2_grpc.TableServiceStub(self._channel)

    async def stop(self) -> None:
        await self._channel.close()
        await self.live.close()
        await self.stop_serving()

    async def stop_serving(self) -> None:
        await self._server.drain(0.2)

    def credential(self, service: str) -> Metadata:
        return Credentials(service, self.keys).metadata("table")

    async def create(
        self,
        *players: str,
        room: view_pb2.Room.ValueType = view_pb2.ROOM_LIVRE,
        preset: str = "truco-paulista",
        count: int = 4,
        strength: str = "simple",
    ) -> str:
        """A table with these players on the first seats and robots on the others."""
        seats = [pb.SeatRequest(player_id=player) for player in players]
        robot = pb.SeatRequest(robot=pb.RobotSeat(strength=strength))
        request = pb.CreateTableRequest(
            table_id=str(uuid.uuid4()),
            preset=preset,
            seats=[*seats, *[robot] * (count - len(seats))],
            room=room,
        )
        await self.stub.CreateTable(request, timeout=TIMEOUT_S, metadata=self.credential("gateway"))
        return request.table_id

    async def view(self, table_id: str, viewer: pb.Viewer, at_version: int = 0) -> view_pb2.TableView:
        caller = "robots" if viewer.HasField("robot_seat") else "gateway"
        request = pb.GetViewRequest(table_id=table_id, viewer=viewer, at_version=at_version)
        response = await self.stub.GetView(request, timeout=TIMEOUT_S, metadata=self.credential(caller))
        return response.view

    async def submit(self, actor: pb.Viewer, command: pb.TableCommand) -> pb.CommandOutcome:
        caller = "robots" if actor.HasField("robot_seat") else "gateway"
        request = pb.SubmitRequest(actor=actor, command=command)
        return (await self.stub.Submit(request, timeout=TIMEOUT_S, metadata=self.credential(caller))).outcome

    async def next_move(self, table_id: str) -> tuple[pb.Viewer, pb.TableCommand] | None:
        """A sensible command of the awaited seat, or None once the match is over."""
        public = await self.view(table_id, pb.Viewer(spectator=pb.Spectator()))
        if public.HasField("result"):
            return None
        seat = public.clock.seats[0]
        occupant = public.seats[seat]
        actor = pb.Viewer(player_id=occupant.player_id) if occupant.player_id else pb.Viewer(robot_seat=seat)
        view = await self.view(table_id, actor)
        turn = events_pb2.RobotTurn(
            table_id=table_id, seat=seat, turn=view.clock.turn, strength="simple", preset=view.preset
        )
        command = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id)
        set_move(command, choose_move(turn, view, b"a test's key"))
        return actor, command

    async def play(self, table_id: str, moves: int = 10_000) -> int:
        """Plays so many moves, or to the end; gives how many it played."""
        for played in range(moves):
            wanted = await self.next_move(table_id)
            if wanted is None:
                return played
            outcome = await self.submit(*wanted)
            assert outcome.HasField("accepted"), outcome
        return moves


def secret_of(table_id: str) -> bytes:
    return hashlib.sha256(table_id.encode()).digest()


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    service = Serving(tmp_path)
    await service.start()
    yield service
    await service.stop()
