"""What can be asked of a table. Who asks is the command's actor, never a field."""

from __future__ import annotations

from datetime import datetime

import msgspec

from services.table.events import SeatTaken

GameMove = msgspec.Struct
"""A move of some game: `libs.rules.registry.family_of` says of which."""


class OpenTable(msgspec.Struct, frozen=True, tag="open_table"):
    """Opens the table and deals. `entropy` is hex, one item a seat, empty where a client sent none."""

    table_id: str
    preset: str
    switches: dict[str, str]
    seats: tuple[SeatTaken, ...]
    entropy: tuple[str, ...]
    room: str = "livre"


class MakeMove(msgspec.Struct, frozen=True, tag="make_move"):
    """The actor's seat makes a move of the game, from the device with this claim (empty: it has none)."""

    move: GameMove
    claim: str = ""


class LeaveTable(msgspec.Struct, frozen=True, tag="leave_table"):
    """The actor leaves the running match on purpose."""


class ClaimSeat(msgspec.Struct, frozen=True, tag="claim_seat"):
    """The actor takes up the seat from the device with this claim."""

    claim: str


class RunOutClock(msgspec.Struct, frozen=True, tag="run_out_clock"):
    """The clock of this turn has run out: given by the deadline alone."""

    turn: int


class GiveTimeBack(msgspec.Struct, frozen=True, tag="give_time_back"):
    """The platform was away from … to …: given by the runtime alone."""

    outage_from: datetime
    outage_to: datetime


TableCommand = OpenTable | MakeMove | LeaveTable | ClaimSeat | RunOutClock | GiveTimeBack


def player_actor(player_id: str) -> str:
    """The actor of a person's commands."""
    return f"player:{player_id}"


def robot_actor(seat: int) -> str:
    """The actor of the commands of a robot's seat."""
    return f"robot:{seat}"


CLOCK_ACTOR = "clock"
"""The actor of deadlines and outages."""
