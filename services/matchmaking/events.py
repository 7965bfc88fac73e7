"""What stands in the log of matchmaking: ids, seats and times; never a name. These structs are the storage format.

An open table, its match and the table that is played at have one id.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from libs.eventlog.registry import EventRegistry

Room = Literal["livre", "treino", "ranqueada"]


class MatchSeat(msgspec.Struct, frozen=True):
    """Who is to play: a player, or a robot of some strength. `entropy` is what the client adds to the shuffle (hex)."""

    player_id: str = ""
    robot: str = ""
    entropy: str = ""


class PlayerSat(msgspec.Struct, frozen=True):
    """The player sits at an open table, or at a match that was formed at once. `request` is the command's id."""

    player_id: str
    table_id: str
    preset: str
    room: Room
    at: datetime
    request: str


class PlayerQueued(msgspec.Struct, frozen=True):
    """The player waits for a ranked match; the ticket is named by the command's id."""

    player_id: str
    ticket_id: str
    preset: str
    entropy: str
    at: datetime


class PlayerMatched(msgspec.Struct, frozen=True):
    """The ticket has become a seat at a match."""

    player_id: str
    ticket_id: str
    table_id: str
    preset: str
    at: datetime


class PlayerFreed(msgspec.Struct, frozen=True):
    """The player is in no place any more: stood up, left the queue, the match is over or came to nothing.

    `code` says why a match came to nothing.
    """

    player_id: str
    table_id: str
    reason: Literal["stood_up", "left_queue", "match_over", "match_void"]
    at: datetime
    code: str = ""


PlayerEvent = PlayerSat | PlayerQueued | PlayerMatched | PlayerFreed


class TableOpened(msgspec.Struct, frozen=True):
    """A table in the Sala Livre waits for players."""

    table_id: str
    preset: str
    seats: int
    at: datetime


class SeatTaken(msgspec.Struct, frozen=True):
    """A player sits here."""

    table_id: str
    seat: int
    player_id: str
    entropy: str


class SeatLeft(msgspec.Struct, frozen=True):
    """The seat is free again."""

    table_id: str
    seat: int
    player_id: str


class TableFilled(msgspec.Struct, frozen=True):
    """Every seat is taken: the match is formed. The stream ends."""

    table_id: str


class TableDeserted(msgspec.Struct, frozen=True):
    """Nobody sits here any more. The stream ends."""

    table_id: str


OpenTableEvent = TableOpened | SeatTaken | SeatLeft | TableFilled | TableDeserted


class MatchFormed(msgspec.Struct, frozen=True):
    """These are to play. A ranked match names the tickets that it was formed of, in the order of its seats."""

    match_id: str
    preset: str
    room: Room
    seats: tuple[MatchSeat, ...]
    at: datetime
    switches: dict[str, str] = {}
    tickets: tuple[str, ...] = ()


class MatchStarted(msgspec.Struct, frozen=True):
    """The table is there."""

    match_id: str


class MatchVoided(msgspec.Struct, frozen=True):
    """The match comes to nothing; its players are about to be freed. `refused` are those who may not play (case B123)."""

    match_id: str
    code: str
    refused: tuple[str, ...] = ()


class MatchOver(msgspec.Struct, frozen=True):
    """Its players are free. The stream ends."""

    match_id: str


MatchEvent = MatchFormed | MatchStarted | MatchVoided | MatchOver

MatchmakingEvent = PlayerEvent | OpenTableEvent | MatchEvent

EVENT_TYPES: dict[str, type[MatchmakingEvent]] = {
    "matchmaking.player_sat": PlayerSat,
    "matchmaking.player_queued": PlayerQueued,
    "matchmaking.player_matched": PlayerMatched,
    "matchmaking.player_freed": PlayerFreed,
    "matchmaking.table_opened": TableOpened,
    "matchmaking.seat_taken": SeatTaken,
    "matchmaking.seat_left": SeatLeft,
    "matchmaking.table_filled": TableFilled,
    "matchmaking.table_deserted": TableDeserted,
    "matchmaking.match_formed": MatchFormed,
    "matchmaking.match_started": MatchStarted,
    "matchmaking.match_voided": MatchVoided,
    "matchmaking.match_over": MatchOver,
}
"""The registered names, as stored."""


def matchmaking_events() -> EventRegistry[MatchmakingEvent]:
    """The registry of all streams of matchmaking."""
    registry: EventRegistry[MatchmakingEvent] = EventRegistry()
    for name, event_type in EVENT_TYPES.items():
        registry.register(name, event_type)
    return registry


REGISTRY = matchmaking_events()
