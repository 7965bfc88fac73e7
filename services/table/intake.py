"""What callers send, checked for form and turned into commands and viewers. What is wrong names its field."""

from __future__ import annotations

import re
import uuid

import msgspec

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.service.errors import CALLER_NOT_ALLOWED, INVALID_ARGUMENT, ServiceError
from libs.wire.errors import WireError
from libs.wire.games import move_from_command
from services.table.commands import (
    ClaimSeat,
    LeaveTable,
    MakeMove,
    OpenTable,
    TableCommand,
    player_actor,
    robot_actor,
)
from services.table.events import SeatTaken

ROBOT_CALLER = "robots"
"""The one service that may act and look for a robot's seat, and only for that."""

MAX_SEATS = 8
MAX_SWITCHES = 64
MAX_TEXT = 128
ENTROPY_BYTES = 32
ROBOT_STRENGTHS = ("simple", "strong", "random")

_CANONICAL_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_VERSION_AT = 14
_PLAYERS_COMMANDS = uuid.UUID("c2c7b1f4-3d0b-4c52-8f5e-0b7a1d7e9a36")
_ROOMS = {
    view_pb2.ROOM_LIVRE: "livre",
    view_pb2.ROOM_RANQUEADA: "ranqueada",
    view_pb2.ROOM_TORNEIO: "torneio",
}


class Intent(msgspec.Struct, frozen=True):
    """A command that is well formed: who gives it, to which table, under which id."""

    table_id: str
    command_id: str
    actor: str
    body: TableCommand


def open_table(request: pb.CreateTableRequest) -> OpenTable:
    """The command of a CreateTable call; raises ServiceError INVALID_ARGUMENT."""
    table_id = uuid_text(request.table_id, "table_id")
    if len(request.seats) > MAX_SEATS or len(request.switches) > MAX_SWITCHES:
        raise _invalid("seats" if len(request.seats) > MAX_SEATS else "switches", "too many")
    switches = {
        _text(item.name, "switches.name"): _text(item.value, "switches.value") for item in request.switches
    }
    if len(request.entropy) > len(request.seats):
        raise _invalid("entropy", "one item a seat at most")
    if any(len(item) not in {0, ENTROPY_BYTES} for item in request.entropy):
        raise _invalid("entropy", f"an item has {ENTROPY_BYTES} bytes or none")
    entropy = [item.hex() for item in request.entropy]
    return OpenTable(
        table_id=table_id,
        preset=_text(request.preset, "preset"),
        switches=switches,
        seats=tuple(_seat(seat, f"seats[{index}]") for index, seat in enumerate(request.seats)),
        entropy=(*entropy, *[""] * (len(request.seats) - len(entropy))),
        room=_room(request.room),
    )


def _room(room: view_pb2.Room.ValueType) -> str:
    """A request that names no room means the Livre."""
    if room == view_pb2.ROOM_UNSPECIFIED:
        return "livre"
    found = _ROOMS.get(room)
    if found is None:
        raise _invalid("room", "there is no such room")
    return found


def _seat(seat: pb.SeatRequest, field: str) -> SeatTaken:
    match seat.WhichOneof("occupant"):
        case "player_id":
            if not seat.player_id:
                raise _invalid(f"{field}.player_id", "is empty")
            return SeatTaken(player_id=_text(seat.player_id, f"{field}.player_id"))
        case "robot":
            if seat.robot.strength not in ROBOT_STRENGTHS:
                raise _invalid(f"{field}.robot.strength", f"is one of {', '.join(ROBOT_STRENGTHS)}")
            return SeatTaken(robot=seat.robot.strength)
        case None:
            raise _invalid(field, "a player or a robot must be set")


def intent(actor: pb.Viewer, command: pb.TableCommand, caller: str) -> Intent:
    """A table command as the calling service may give it.

    Raises ServiceError: INVALID_ARGUMENT, or CALLER_NOT_ALLOWED when the caller may not act for this actor.
    """
    table_id = uuid_text(command.table_id, "command.table_id")
    command_id = uuid_text(command.command_id, "command.command_id")
    match actor.WhichOneof("viewer"):
        case "player_id" if caller != ROBOT_CALLER:
            if not actor.player_id:
                raise _invalid("actor.player_id", "is empty")
            name = player_actor(_text(actor.player_id, "actor.player_id"))
            command_id = _of_player(command_id, name)
        case "robot_seat" if caller == ROBOT_CALLER:
            name = robot_actor(actor.robot_seat)
        case "player_id" | "robot_seat":
            raise CALLER_NOT_ALLOWED.error()
        case _:
            raise _invalid("actor", "a player or a robot's seat must be set")
    claim = uuid_text(command.claim, "command.claim") if command.claim else ""
    match command.WhichOneof("action"):
        case "leave":
            return Intent(table_id, command_id, name, LeaveTable())
        case "claim_seat":
            if not claim:
                raise _invalid("command.claim", "says which device claims the seat")
            return Intent(table_id, command_id, name, ClaimSeat(claim))
    try:
        return Intent(table_id, command_id, name, MakeMove(move_from_command(command), claim))
    except WireError as error:
        raise _invalid(error.field, error.reason) from None


def _of_player(command_id: str, actor: str) -> str:
    """The id under which a player's command stands in the log.

    Deadlines, outages and robots have ids derived from what everybody at the table knows (UUIDs of version 5). A player
    who gave a command under such an id would keep the deadline or the robot from acting: the log takes an id once. So a
    derived id of a player's becomes another one, in which nobody but that player can give commands.
    """
    if command_id[_VERSION_AT] != "5":
        return command_id
    return str(uuid.uuid5(_PLAYERS_COMMANDS, f"{actor} {command_id}"))


def viewing_actor(viewer: pb.Viewer, caller: str) -> str | None:
    """The actor whose seat is looked from, or None for a spectator.

    Raises ServiceError CALLER_NOT_ALLOWED when the caller may not look for this viewer.
    """
    match viewer.WhichOneof("viewer"):
        case "robot_seat" if caller == ROBOT_CALLER:
            return robot_actor(viewer.robot_seat)
        case "player_id" if caller != ROBOT_CALLER:
            return player_actor(_text(viewer.player_id, "viewer.player_id"))
        case "spectator" | None if caller != ROBOT_CALLER:
            return None
        case _:
            raise CALLER_NOT_ALLOWED.error()


def uuid_text(text: str, field: str) -> str:
    """The canonical form of a UUID; raises ServiceError INVALID_ARGUMENT for anything else."""
    if _CANONICAL_UUID.fullmatch(text):
        return text
    if len(text) == 36:
        try:
            return str(uuid.UUID(text))
        except ValueError:
            pass
    raise _invalid(field, "is a UUID in its canonical form")


def _text(text: str, field: str) -> str:
    if len(text) > MAX_TEXT or not text.isprintable():
        raise _invalid(field, f"is printable text of at most {MAX_TEXT} characters")
    return text


def _invalid(field: str, reason: str) -> ServiceError:
    return INVALID_ARGUMENT.error(field=field, facts={"reason": reason})
