"""A toy service with two deciders for tests of commands over several streams: players, and tables that they sit at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from libs.eventlog.registry import EventRegistry
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import Outage
from libs.eventlog.together import Member, Together


class Claim(msgspec.Struct, frozen=True, tag=True):
    """A player claims a seat; `patience_s` is how long the seat is kept, 0 for for ever."""

    player: str
    table: str
    seat: int
    patience_s: float = 0


class Leave(msgspec.Struct, frozen=True, tag=True):
    """A player leaves the table."""

    player: str
    table: str


class Expire(msgspec.Struct, frozen=True, tag=True):
    """What the deadline of either does."""

    due_at: datetime


class Move(msgspec.Struct, frozen=True, tag=True):
    """Move the running deadline after an outage."""

    until: datetime


class Sat(msgspec.Struct, frozen=True, tag=True):
    """The player sat down."""

    table: str
    due_at: datetime | None = None


class Stood(msgspec.Struct, frozen=True, tag=True):
    """The player stood up."""


class SeatTaken(msgspec.Struct, frozen=True, tag=True):
    """The table's seat was taken."""

    seat: int
    player: str
    due_at: datetime | None = None


class SeatFreed(msgspec.Struct, frozen=True, tag=True):
    """The table's seat is free."""

    player: str


class Expired(msgspec.Struct, frozen=True, tag=True):
    """The deadline passed."""


class Moved(msgspec.Struct, frozen=True, tag=True):
    """The deadline was moved."""

    due_at: datetime


class PlayerState(msgspec.Struct, frozen=True):
    """Where a player sits."""

    table: str | None = None
    due_at: datetime | None = None


class TableState(msgspec.Struct, frozen=True):
    """Who sits where."""

    seats: Mapping[int, str] = {}
    due_at: datetime | None = None


class _Base:
    def decide(self, state, command: Command) -> Sequence | Rejection:
        match command.body:
            case Expire(due_at):
                return [Expired()] if state.due_at == due_at else Rejection("STALE")
            case Move(until):
                return [Moved(until)] if state.due_at is not None else Rejection("STALE")
        return Rejection("NOT_ALONE")

    def deadlines(self, state) -> Sequence[Deadline]:
        return [] if state.due_at is None else [Deadline(state.due_at, Expire(state.due_at))]

    def is_ended(self, state) -> bool:
        return False

    def state_hash(self, state) -> bytes:
        return repr(state).encode()

    def view(self, state, viewer):
        return state

    def observe(self, event, before, after, viewer):
        return event

    def publish(self, event, before, after) -> PublicMessage | None:
        return None


class Player(_Base):
    """The decider of players."""

    category = "player"

    def initial(self) -> PlayerState:
        return PlayerState()

    def evolve(self, state: PlayerState, event) -> PlayerState:
        match event:
            case Sat(table, due_at):
                return PlayerState(table, due_at)
            case Moved(due_at):
                return PlayerState(state.table, due_at)
            case Expired():
                return PlayerState(state.table)
        return PlayerState()


class Table(_Base):
    """The decider of tables."""

    category = "open_table"

    def initial(self) -> TableState:
        return TableState()

    def evolve(self, state: TableState, event) -> TableState:
        match event:
            case SeatTaken(seat, player, due_at):
                return TableState({**state.seats, seat: player}, due_at)
            case SeatFreed(player):
                return TableState({seat: who for seat, who in state.seats.items() if who != player})
            case Moved(due_at):
                return TableState(state.seats, due_at)
        return TableState(state.seats)


def members(body: Claim | Leave) -> list[Member]:
    """Whom a command is about."""
    return [Member("player", body.player), Member("open_table", body.table)]


def decide_seating(
    states: Mapping[Member, PlayerState | TableState], command: Command[Claim | Leave]
) -> Mapping[Member, Sequence] | Rejection:
    """One player sits at one table, and a seat has one player."""
    body = command.body
    player, table = members(body)
    sitting, seats = states[player].table, states[table].seats
    if isinstance(body, Leave):
        if sitting != body.table:
            return Rejection("NOT_SEATED")
        return {player: [Stood()], table: [SeatFreed(body.player)]}
    if sitting is not None:
        return Rejection("ALREADY_SEATED", {"table": sitting})
    if body.seat in seats:
        return Rejection("SEAT_TAKEN", {"player": seats[body.seat]})
    due_at = command.at + timedelta(seconds=body.patience_s) if body.patience_s else None
    return {player: [Sat(body.table, due_at)], table: [SeatTaken(body.seat, body.player, due_at)]}


def after_outage(state: PlayerState | TableState, outage: Outage) -> Move | None:
    """Give back the time that the outage took."""
    return None if state.due_at is None else Move(state.due_at + (outage.ended_at - outage.began_at))


def registry(*types: type) -> EventRegistry:
    """A registry of these events under their class names."""
    events: EventRegistry = EventRegistry()
    for one in types:
        events.register(one.__name__, one)
    return events


class Seating:
    """One replica of the service."""

    def __init__(self, store, *, decide=decide_seating, **options) -> None:
        self.players = Runtime(Player(), registry(Sat, Stood, Expired, Moved), store, **options)
        self.tables = Runtime(Table(), registry(SeatTaken, SeatFreed, Expired, Moved), store, **options)
        self.together: Together = Together(
            decide,
            self.players,
            self.tables,
            **({"limits": options["limits"]} if "limits" in options else {}),
        )

    async def give(self, body: Claim | Leave, command_id: str, **options):
        """Give a command to the player and the table that it names."""
        return await self.together.handle(
            members(body), body, command_id=command_id, actor=body.player, **options
        )

    async def where(self, player: str) -> str | None:
        """The table that a player sits at."""
        return (await self.players.load(player)).state.table

    async def seats(self, table: str) -> dict[int, str]:
        """Who sits where at a table."""
        return dict((await self.tables.load(table)).state.seats)
