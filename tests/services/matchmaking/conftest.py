"""A whole stack, and matchmaking as the gateway calls it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from deploy.local import discover
from libs.service.credentials import Credentials
from libs.service.grpc_client import Channels, error_code
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack

__all__ = ["data", "start_real"]

GAME = "truco-paulista"


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real(environment={"CARTEADO_ROBOT_PACE_MS": "0"})
    started.ready()
    return started


class Desk:
    """The calls of the gateway, for any player."""

    def __init__(self, stack: Stack) -> None:
        address = discover(stack.data).services["matchmaking"]["grpc"]
        keys = Path(stack.data) / "keys"
        self.channels = Channels({"matchmaking": (address,)}, Credentials("gateway", keys))

    async def __aenter__(self) -> "Desk":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.channels.close()

    async def ask(self, method: str, player_id: str, **fields: Any) -> pb.Place:
        """The place that a request brings the player to. Raises grpc.aio.AioRpcError."""
        if method != "GetPlace":
            fields.setdefault("command_id", str(uuid4()))
        request = getattr(pb, f"{method}Request")(player_id=player_id, **fields)
        answer = await self.channels.call(
            "matchmaking",
            player_id,
            lambda channel: getattr(MatchmakingServiceStub(channel), method),
            request,
            20.0,
        )
        return answer.place

    async def code(self, method: str, player_id: str, **fields: Any) -> str:
        """The code of a request that is refused."""
        try:
            place = await self.ask(method, player_id, **fields)
        except grpc.aio.AioRpcError as error:
            return error_code(error) or error.code().name
        return f"accepted: {place}"

    async def until(self, player_id: str, kind: int) -> pb.Place:
        """Waits for a player's place to be of this kind."""
        place = await self.ask("GetPlace", player_id)
        for _ in range(40):
            if place.kind == kind:
                return place
            place = await self.ask("GetPlace", player_id, known_version=place.version, wait_ms=1_000)
        raise AssertionError(f"{player_id} is still at {place}")


@pytest.fixture
def desk(stack: Stack) -> Desk:
    return Desk(stack)
