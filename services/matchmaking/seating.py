"""What concerns a player and a table at once: sitting down, standing up, forming a match. Pure, and all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

import msgspec

from libs.eventlog.decider import Command, Rejection
from libs.eventlog.together import Member
from services.matchmaking.errors import (
    ALREADY_WAITING,
    MATCH_ALREADY_FORMED,
    NO_SUCH_SEAT,
    NOT_AT_TABLE,
    OPEN_TABLE_NOT_FOUND,
    PLACE_CHANGED,
    SEAT_TAKEN,
)
from services.matchmaking.events import (
    MatchFormed,
    MatchmakingEvent,
    MatchSeat,
    PlayerFreed,
    PlayerMatched,
    PlayerSat,
    SeatLeft,
    SeatTaken,
    TableDeserted,
    TableFilled,
    TableOpened,
)
from services.matchmaking.match import MatchState
from services.matchmaking.open_table import OpenTableState
from services.matchmaking.player import PlayerState


class Sit(msgspec.Struct, frozen=True):
    """Take a seat at an open table; with `opens_with_seats` the table is opened first. `is_last` forms the match."""

    player_id: str
    table_id: str
    preset: str
    seat: int
    entropy: str
    is_last: bool = False
    opens_with_seats: int = 0


class Stand(msgspec.Struct, frozen=True):
    """Give one's seat at an open table back."""

    player_id: str
    table_id: str


class Train(msgspec.Struct, frozen=True):
    """Form a match of one player, on seat 0, and robots."""

    player_id: str
    table_id: str
    preset: str
    seats: tuple[MatchSeat, ...]
    switches: dict[str, str]


class Pair(msgspec.Struct, frozen=True):
    """Form a ranked match of these tickets, in the order of its seats."""

    table_id: str
    preset: str
    player_ids: tuple[str, ...]
    tickets: tuple[str, ...]


SeatingCommand = Sit | Stand | Train | Pair
SeatingState = PlayerState | OpenTableState | MatchState
Decided = Mapping[Member, Sequence[MatchmakingEvent]] | Rejection


def player(player_id: str) -> Member:
    """A player as a member of such a command."""
    return Member("player", player_id)


def open_table(table_id: str) -> Member:
    """An open table as a member."""
    return Member("open_table", table_id)


def match(table_id: str) -> Member:
    """A match as a member."""
    return Member("match", table_id)


def members_of(body: SeatingCommand) -> list[Member]:
    """Whom a command concerns."""
    match_ = match(body.table_id)
    match body:
        case Sit():
            both = [player(body.player_id), open_table(body.table_id)]
            return [*both, match_] if body.is_last else both
        case Stand():
            return [player(body.player_id), open_table(body.table_id)]
        case Train():
            return [player(body.player_id), match_]
        case Pair():
            return [*map(player, body.player_ids), match_]
        case _:
            assert_never(body)


def decide_seating(states: Mapping[Member, Any], command: Command[SeatingCommand]) -> Decided:
    """The events of all that a command concerns, or why it is refused. Satisfies `together.DecideTogether`."""
    body = command.body
    match body:
        case Sit():
            return _sit(states, command, body)
        case Stand():
            return _stand(states, command, body)
        case Train():
            return _train(states, command, body)
        case Pair():
            return _pair(states, command, body)
        case _:
            assert_never(body)


def _sit(states: Mapping[Member, Any], command: Command[SeatingCommand], body: Sit) -> Decided:
    who, where = player(body.player_id), open_table(body.table_id)
    table: OpenTableState = states[where]
    events: list[MatchmakingEvent] = []
    if states[who].kind != "idle":
        return Rejection(ALREADY_WAITING.code)
    if body.opens_with_seats:
        if table.preset:
            return Rejection(PLACE_CHANGED.code)
        table = OpenTableState(body.preset, (None,) * body.opens_with_seats)
        events.append(TableOpened(body.table_id, body.preset, body.opens_with_seats, command.at))
    if not table.is_open or table.preset != body.preset:
        return Rejection(OPEN_TABLE_NOT_FOUND.code)
    if not 0 <= body.seat < len(table.seats):
        return Rejection(NO_SUCH_SEAT.code, {"seats": str(len(table.seats))})
    if table.seats[body.seat] is not None:
        return Rejection(SEAT_TAKEN.code, {"seat": str(body.seat)})
    if (table.free_seats == 1) != body.is_last:
        return Rejection(PLACE_CHANGED.code)
    if body.is_last and states[match(body.table_id)].status:
        return Rejection(PLACE_CHANGED.code)
    events.append(SeatTaken(body.table_id, body.seat, body.player_id, body.entropy))
    sat = PlayerSat(body.player_id, body.table_id, body.preset, "livre", command.at, command.id)
    if not body.is_last:
        return {who: [sat], where: events}
    own = MatchSeat(body.player_id, "", body.entropy)
    seats = tuple(own if seat is None else seat for seat in table.seats)
    formed = MatchFormed(body.table_id, body.preset, "livre", seats, command.at)
    return {who: [sat], where: [*events, TableFilled(body.table_id)], match(body.table_id): [formed]}


def _stand(states: Mapping[Member, Any], command: Command[SeatingCommand], body: Stand) -> Decided:
    who, where = player(body.player_id), open_table(body.table_id)
    table: OpenTableState = states[where]
    seat = table.seat_of(body.player_id)
    if states[who].table_id != body.table_id or seat is None:
        return Rejection(NOT_AT_TABLE.code)
    if not table.is_open:
        return Rejection(MATCH_ALREADY_FORMED.code)
    left: list[MatchmakingEvent] = [SeatLeft(body.table_id, seat, body.player_id)]
    if table.free_seats + 1 == len(table.seats):
        left.append(TableDeserted(body.table_id))
    return {who: [PlayerFreed(body.player_id, body.table_id, "stood_up", command.at)], where: left}


def _train(states: Mapping[Member, Any], command: Command[SeatingCommand], body: Train) -> Decided:
    who, which = player(body.player_id), match(body.table_id)
    if states[who].kind != "idle":
        return Rejection(ALREADY_WAITING.code)
    if states[which].status:
        return Rejection(PLACE_CHANGED.code)
    sat = PlayerSat(body.player_id, body.table_id, body.preset, "treino", command.at, command.id)
    formed = MatchFormed(body.table_id, body.preset, "treino", body.seats, command.at, body.switches)
    return {who: [sat], which: [formed]}


def _pair(states: Mapping[Member, Any], command: Command[SeatingCommand], body: Pair) -> Decided:
    which = match(body.table_id)
    if states[which].status:
        return Rejection(PLACE_CHANGED.code)
    seats, events = [], {}
    for player_id, ticket in zip(body.player_ids, body.tickets, strict=True):
        state: PlayerState = states[player(player_id)]
        # Whoever left the queue, or left it and came again, has another ticket or none.
        if state.kind != "queue" or state.ticket_id != ticket:
            return Rejection(PLACE_CHANGED.code, {"player": player_id})
        seats.append(MatchSeat(player_id, "", state.entropy))
        events[player(player_id)] = [PlayerMatched(player_id, ticket, body.table_id, body.preset, command.at)]
    formed = MatchFormed(body.table_id, body.preset, "ranqueada", tuple(seats), command.at, {}, body.tickets)
    return {**events, which: [formed]}
