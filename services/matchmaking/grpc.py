"""The gRPC face of matchmaking: requests checked for form, and answered in the contract's words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final
from uuid import UUID

import grpc

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1 import matchmaking_service_pb2_grpc as rpc
from libs.service.errors import INVALID_ARGUMENT, OVERLOADED
from services.matchmaking.place_changes import PlaceChanges, match_stream, player_stream
from services.matchmaking.places import Places
from services.matchmaking.reads import ListedTable, Reads
from services.matchmaking.whereabouts import Place

_METHODS: Final = (
    "GetPlace",
    "ListOpenTables",
    "OpenTable",
    "SitDown",
    "StandUp",
    "QuickPlay",
    "JoinQueue",
    "LeaveQueue",
    "StartTraining",
)
ALLOW: Mapping[str, Collection[str]] = {
    f"/carteado.matchmaking.v1.MatchmakingService/{method}": frozenset({"gateway"}) for method in _METHODS
}
"""Players come through the gateway alone."""

MOST_TABLES: Final = 50
_TABLES: Final = 20
_MOST_WAIT_MS: Final = 25_000
MOST_WAITERS: Final = 5_000
"""Calls that wait for a change of place at once, in one process."""
_ENTROPY_BYTES: Final = 32
_MOST_SWITCHES: Final = 40
_MOST_TEXT: Final = 80

Context = grpc.aio.ServicerContext[Any, Any]

_KINDS: Final[Mapping[str, pb.PlaceKind.ValueType]] = {
    "idle": pb.PLACE_KIND_IDLE,
    "open_table": pb.PLACE_KIND_OPEN_TABLE,
    "queue": pb.PLACE_KIND_QUEUE,
    "starting": pb.PLACE_KIND_STARTING,
    "playing": pb.PLACE_KIND_PLAYING,
}
_WAITING: Final = frozenset({"open_table", "queue"})
_ROOMS: Final[Mapping[str, pb.Room.ValueType]] = {
    "": pb.ROOM_UNSPECIFIED,
    "livre": pb.ROOM_LIVRE,
    "treino": pb.ROOM_TREINO,
    "ranqueada": pb.ROOM_RANQUEADA,
}


class MatchmakingServicer(rpc.MatchmakingServiceServicer):
    """Answers the calls of `carteado.matchmaking.v1.MatchmakingService`; see its proto for what they mean."""

    def __init__(
        self, places: Places, reads: Reads, changes: PlaceChanges, note: Callable[[str], Awaitable[None]]
    ) -> None:
        """`note` is told of each player for whom somebody asks who waits, or is about to."""
        self._places = places
        self._reads = reads
        self._changes = changes
        self._note = note
        self._waiters = 0

    async def GetPlace(self, request: pb.GetPlaceRequest, _context: Context) -> pb.GetPlaceResponse:
        """Where a player is, or will be when that changes."""
        player_id = _uuid(request.player_id, "player_id")
        if request.wait_ms > _MOST_WAIT_MS:
            raise INVALID_ARGUMENT.error(field="wait_ms", facts={"most": str(_MOST_WAIT_MS)})
        place = await self._places.place(player_id)
        if place.kind in _WAITING:
            await self._note(player_id)
        if request.wait_ms and place.version == request.known_version:
            place = await self._change(player_id, place, request.wait_ms / 1000)
        return pb.GetPlaceResponse(place=_place(place))

    async def ListOpenTables(
        self, request: pb.ListOpenTablesRequest, _context: Context
    ) -> pb.ListOpenTablesResponse:
        """Open tables."""
        if request.limit > MOST_TABLES:
            raise INVALID_ARGUMENT.error(field="limit", facts={"most": str(MOST_TABLES)})
        tables = await self._reads.open_tables(_text(request.preset, "preset"), request.limit or _TABLES)
        return pb.ListOpenTablesResponse(tables=map(_table, tables))

    async def OpenTable(self, request: pb.OpenTableRequest, _context: Context) -> pb.OpenTableResponse:
        """Opens a table."""
        player_id = _uuid(request.player_id, "player_id")
        await self._note(player_id)
        place = await self._places.open_table(
            player_id,
            _uuid(request.command_id, "command_id"),
            _text(request.preset, "preset"),
            request.seats,
            _entropy(request.entropy),
        )
        return pb.OpenTableResponse(place=_place(place))

    async def SitDown(self, request: pb.SitDownRequest, _context: Context) -> pb.SitDownResponse:
        """Takes a seat."""
        player_id = _uuid(request.player_id, "player_id")
        await self._note(player_id)
        place = await self._places.sit_down(
            player_id,
            _uuid(request.command_id, "command_id"),
            _uuid(request.table_id, "table_id"),
            request.seat,
            _entropy(request.entropy),
        )
        return pb.SitDownResponse(place=_place(place))

    async def StandUp(self, request: pb.StandUpRequest, _context: Context) -> pb.StandUpResponse:
        """Gives a seat back."""
        place = await self._places.stand_up(
            _uuid(request.player_id, "player_id"),
            _uuid(request.command_id, "command_id"),
            _uuid(request.table_id, "table_id"),
        )
        return pb.StandUpResponse(place=_place(place))

    async def QuickPlay(self, request: pb.QuickPlayRequest, _context: Context) -> pb.QuickPlayResponse:
        """Any seat."""
        player_id = _uuid(request.player_id, "player_id")
        await self._note(player_id)
        place = await self._places.quick_play(
            player_id,
            _uuid(request.command_id, "command_id"),
            _text(request.preset, "preset"),
            _entropy(request.entropy),
        )
        return pb.QuickPlayResponse(place=_place(place))

    async def JoinQueue(self, request: pb.JoinQueueRequest, _context: Context) -> pb.JoinQueueResponse:
        """Waits for a ranked match."""
        player_id = _uuid(request.player_id, "player_id")
        await self._note(player_id)
        place = await self._places.join_queue(
            player_id,
            _uuid(request.command_id, "command_id"),
            _text(request.preset, "preset"),
            _entropy(request.entropy),
        )
        return pb.JoinQueueResponse(place=_place(place))

    async def LeaveQueue(self, request: pb.LeaveQueueRequest, _context: Context) -> pb.LeaveQueueResponse:
        """Waits no longer."""
        place = await self._places.leave_queue(
            _uuid(request.player_id, "player_id"), _uuid(request.command_id, "command_id")
        )
        return pb.LeaveQueueResponse(place=_place(place))

    async def StartTraining(
        self, request: pb.StartTrainingRequest, _context: Context
    ) -> pb.StartTrainingResponse:
        """A match against robots."""
        if len(request.switches) > _MOST_SWITCHES:
            raise INVALID_ARGUMENT.error(field="switches", facts={"most": str(_MOST_SWITCHES)})
        place = await self._places.start_training(
            _uuid(request.player_id, "player_id"),
            _uuid(request.command_id, "command_id"),
            _text(request.preset, "preset"),
            strength=_text(request.strength or "simple", "strength"),
            seats=request.seats,
            entropy=_entropy(request.entropy),
            switches={
                _text(name, "switches"): _text(value, "switches") for name, value in request.switches.items()
            },
            table_id=_uuid(request.table_id, "table_id") if request.table_id else "",
        )
        return pb.StartTrainingResponse(place=_place(place))

    async def _change(self, player_id: str, known: Place, wait_s: float) -> Place:
        """The place once it is another one than `known`, or after the time."""
        if self._waiters >= MOST_WAITERS:
            raise OVERLOADED.error()
        self._waiters += 1
        until_s = asyncio.get_running_loop().time() + wait_s
        try:
            with self._changes.watch() as watch:
                watch.add(player_stream(player_id))
                while True:
                    place = await self._places.place(player_id)
                    left_s = until_s - asyncio.get_running_loop().time()
                    if place.version != known.version or left_s <= 0 or self._changes.is_over:
                        return place
                    # What moved on before it was watched is seen by looking once more.
                    if not place.table_id or not watch.add(match_stream(place.table_id)):
                        await watch.wait(left_s)
        finally:
            self._waiters -= 1


def _place(place: Place) -> pb.Place:
    message = pb.Place(
        kind=_KINDS[place.kind],
        version=place.version,
        table_id=place.table_id,
        preset=place.preset,
        room=_ROOMS[place.room],
        last_refusal=place.last_refusal,
    )
    if place.since is not None:
        message.since.FromDatetime(place.since)
    return message


def _table(table: ListedTable) -> pb.OpenTable:
    message = pb.OpenTable(
        table_id=table.table_id, preset=table.preset, player_ids=[seat or "" for seat in table.seats]
    )
    message.opened_at.FromDatetime(table.opened_at)
    return message


def _uuid(text: str, field: str) -> str:
    try:
        if str(UUID(text)) == text:
            return text
    except ValueError:
        pass
    raise INVALID_ARGUMENT.error(field=field, facts={"reason": "must be a UUID, in lower case"})


def _text(text: str, field: str) -> str:
    if len(text) > _MOST_TEXT or not text.isascii() or not (text.isprintable() or not text):
        raise INVALID_ARGUMENT.error(field=field)
    return text


def _entropy(given: bytes) -> str:
    if given and len(given) != _ENTROPY_BYTES:
        raise INVALID_ARGUMENT.error(field="entropy", facts={"bytes": str(_ENTROPY_BYTES)})
    return given.hex()
