"""Tables for whoever plays through the gateway: opened as the gateway itself opens them, for the guests it knows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from carteado.gateway.v1 import gateway_pb2
from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import table_service_pb2_grpc
from libs.service.credentials import Credentials
from libs.service.grpc_client import channel
from tests.bench.script import PRESET, Script

_TIMEOUT_S = 10.0


class Player(msgspec.Struct, frozen=True):
    """A guest of the gateway, and the token that proves it."""

    id: str
    token: str


class Tables:
    """The table service as an opener of tables."""

    def __init__(self, address: str, credentials: Credentials) -> None:
        self._channel = channel(address)
        self._credentials = credentials
        self._stub = table_service_pb2_grpc.TableServiceStub(self._channel)

    async def open(self, table_id: str, players: Sequence[Player]) -> None:
        """Open a table for four guests."""
        await self._stub.CreateTable(
            pb.CreateTableRequest(
                table_id=table_id,
                preset=PRESET,
                seats=[pb.SeatRequest(player_id=player.id) for player in players],
            ),
            timeout=_TIMEOUT_S,
            metadata=self._credentials.metadata("table"),
        )

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()


def socket_messages(script: Script) -> list[tuple[int, str, bytes]]:
    """Every move of a script as a client sends it: the seat, the command's id, the message."""
    return [
        (
            step.seat,
            step.command_id,
            gateway_pb2.ClientMessage(command=script.command(step).command).SerializeToString(),
        )
        for step in script.steps
    ]


def leave_message(table_id: str, command_id: str) -> bytes:
    """A player leaves; once all have, the match is over."""
    command = pb.TableCommand(command_id=command_id, table_id=table_id, leave=pb.Leave())
    return gateway_pb2.ClientMessage(command=command).SerializeToString()
