"""What matchmaking asks of the other services: billing for access and quota, table for the tables themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import uuid4

import grpc
from prometheus_client import CollectorRegistry

from carteado.billing.v1 import access_service_pb2 as billing
from carteado.billing.v1.access_service_pb2_grpc import AccessServiceStub
from carteado.table.v1 import table_service_pb2 as table
from carteado.table.v1 import view_pb2
from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.service.access import AccessPolicy
from libs.service.errors import ServiceError
from libs.service.grpc_client import Channels, error_code
from services.matchmaking.errors import ACCESS_REFUSED, MATCH_VOID
from services.matchmaking.events import MatchSeat, Room
from services.matchmaking.match import MatchState

TIMEOUT_S: Final = 3.0
ACCESS_TIMEOUT_S: Final = 1.0
"""How long billing is waited for before access is answered without it; whoever asked has a deadline of their own."""

ACCESS_ROOMS: Final[dict[Room, billing.Room.ValueType]] = {
    "livre": billing.ROOM_LIVRE,
    "treino": billing.ROOM_TREINO,
    "ranqueada": billing.ROOM_RANQUEADA,
}
_TABLE_ROOMS: Final[dict[Room, view_pb2.Room.ValueType]] = {
    "livre": view_pb2.ROOM_LIVRE,
    "treino": view_pb2.ROOM_LIVRE,
    "ranqueada": view_pb2.ROOM_RANQUEADA,
}

_OUT: Final = frozenset({"ELIMINATED", "OUT_OF_THE_MATCH"})
"""Why the table service refuses to let a player leave who is out of the match already."""


class AwayError(Exception):
    """Another service does not answer now; the same is asked again later."""


class Billing:
    """Access and quota. While billing is away, `AccessPolicy` answers."""

    def __init__(self, channels: Channels, registry: CollectorRegistry) -> None:
        """`registry` counts the answers that were given without billing."""
        self._channels = channels

        async def check(request: billing.CheckAccessRequest) -> billing.CheckAccessResponse:
            return await channels.call(
                "billing",
                request.player_id,
                lambda channel: AccessServiceStub(channel).CheckAccess,
                request,
                ACCESS_TIMEOUT_S,
            )

        async def reserve(request: billing.ReserveMatchRequest) -> billing.ReserveMatchResponse:
            return await channels.call(
                "billing",
                request.match_id,
                lambda channel: AccessServiceStub(channel).ReserveMatch,
                request,
                ACCESS_TIMEOUT_S,
            )

        self._policy = AccessPolicy(check, reserve, registry)

    async def require(self, player_id: str, preset: str, room: Room) -> None:
        """Raises ServiceError ACCESS_REFUSED with billing's reason, unless the player may play."""
        access = await self._policy.check(player_id, preset, ACCESS_ROOMS[room])
        if not access.is_allowed:
            raise ACCESS_REFUSED.error(facts=refusal_facts(access))

    async def reserve(self, match: MatchState) -> tuple[str, ...]:
        """Takes the quota of a match's players; gives those who may not play, and then nothing is taken.

        Raises AwayError when billing answers with an error that is not a refusal.
        """
        assert match.room
        request = billing.ReserveMatchRequest(
            match_id=match.match_id,
            player_ids=match.player_ids,
            preset=match.preset,
            room=ACCESS_ROOMS[match.room],
        )
        try:
            answer = await self._policy.reserve(request)
        except (grpc.aio.AioRpcError, ServiceError) as error:
            raise AwayError("billing") from error
        if answer.is_reserved:
            return ()
        return tuple(one.player_id for one in answer.players if not one.access.is_allowed)

    async def release(self, match: MatchState) -> None:
        """Gives the quota of a match back. Raises AwayError while billing can't be reached."""
        request = billing.ReleaseMatchRequest(match_id=match.match_id, player_ids=match.player_ids)
        try:
            await self._channels.call(
                "billing",
                match.match_id,
                lambda channel: AccessServiceStub(channel).ReleaseMatch,
                request,
                TIMEOUT_S,
            )
        except LookupError:
            # A platform without billing: nothing was taken.
            return
        except (grpc.aio.AioRpcError, ServiceError) as error:
            raise AwayError("billing") from error


class TableService:
    """The tables."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels

    async def create(self, match: MatchState) -> str | None:
        """Opens the table of a match, once however often; gives the code of a refusal that trying again cannot mend.

        Raises AwayError when the table service does not answer.
        """
        assert match.room
        request = table.CreateTableRequest(
            table_id=match.match_id,
            preset=match.preset,
            switches=[view_pb2.Switch(name=name, value=value) for name, value in match.switches.items()],
            seats=[_seat(seat) for seat in match.seats],
            entropy=[bytes.fromhex(seat.entropy) for seat in match.seats],
            room=_TABLE_ROOMS[match.room],
        )
        try:
            await self._channels.call(
                "table",
                match.match_id,
                lambda channel: TableServiceStub(channel).CreateTable,
                request,
                TIMEOUT_S,
            )
        except (grpc.aio.AioRpcError, ServiceError) as error:
            status = error.code() if isinstance(error, grpc.aio.AioRpcError) else error.status
            if status in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ALREADY_EXISTS}:
                code = error_code(error) if isinstance(error, grpc.aio.AioRpcError) else error.code
                return code or MATCH_VOID.code
            raise AwayError("table") from error
        return None

    async def is_running(self, table_id: str, player_id: str) -> bool:
        """Whether a match goes on at this table. Raises AwayError when the table service does not answer."""
        request = table.GetViewRequest(table_id=table_id, viewer=table.Viewer(player_id=player_id))
        try:
            answer = await self._channels.call(
                "table", table_id, lambda channel: TableServiceStub(channel).GetView, request, TIMEOUT_S
            )
        except (grpc.aio.AioRpcError, ServiceError) as error:
            status = error.code() if isinstance(error, grpc.aio.AioRpcError) else error.status
            if status is grpc.StatusCode.NOT_FOUND:
                return False
            raise AwayError("table") from error
        return answer.view.status == view_pb2.TABLE_STATUS_PLAYING

    async def is_out(self, table_id: str, player_id: str) -> bool:
        """Whether a running match needs this player no more, who was eliminated (G-09) or has lost it before its end.

        Asked as what would become of leaving. Raises AwayError when the table service does not answer.
        """
        leave = table.TableCommand(command_id=str(uuid4()), table_id=table_id, leave=table.Leave())
        request = table.CheckMoveRequest(actor=table.Viewer(player_id=player_id), command=leave)
        try:
            answer = await self._channels.call(
                "table", table_id, lambda channel: TableServiceStub(channel).CheckMove, request, TIMEOUT_S
            )
        except (grpc.aio.AioRpcError, ServiceError) as error:
            raise AwayError("table") from error
        return answer.outcome.refused.code in _OUT


def refusal_facts(access: billing.Access) -> dict[str, str]:
    """Why access is refused: billing's reason, such as `DAILY_LIMIT_REACHED`, its rule and until when it says so."""
    reason = billing.AccessReason.Name(access.reason).removeprefix("ACCESS_REASON_")
    facts = {"reason": reason, "rule": access.rule}
    if access.HasField("valid_until"):
        until: datetime = access.valid_until.ToDatetime()
        facts["valid_until"] = f"{until:%Y-%m-%dT%H:%M:%SZ}"
    return facts


def _seat(seat: MatchSeat) -> table.SeatRequest:
    if seat.player_id:
        return table.SeatRequest(player_id=seat.player_id)
    return table.SeatRequest(robot=table.RobotSeat(strength=seat.robot))
