"""The table's views, updates and answers as messages of carteado.table.v1."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import assert_never

from google.protobuf.timestamp_pb2 import Timestamp

from carteado.table.v1 import record_pb2, view_pb2
from libs.wire.games import fill_game_view, game_event_field, game_view_field, shared_game_view
from libs.wire.joined import nested, tag
from services.table.events import (
    ClockMoved,
    ClockStarted,
    PlayedAutomatically,
    SeatBecameAbsent,
    SeatClaimed,
    SeatEliminated,
    SeatReturned,
    TableEnded,
    TableOpened,
)
from services.table.state import ClockState, SeatState
from services.table.view import GameSeen, Seen, TableView

_KEPT = 4096
_EVENTS = tag(view_pb2.TableUpdate, "events")
_VIEW = tag(view_pb2.TableUpdate, "view")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ROOMS = {
    "livre": view_pb2.ROOM_LIVRE,
    "ranqueada": view_pb2.ROOM_RANQUEADA,
    "torneio": view_pb2.ROOM_TORNEIO,
}
_REASONS = {
    "finished": view_pb2.END_REASON_FINISHED,
    "abandoned": view_pb2.END_REASON_ABANDONED,
    "walkover": view_pb2.END_REASON_WALKOVER,
}


def timestamp(moment: datetime) -> Timestamp:
    """A time, to the microsecond, as a message."""
    message = Timestamp()
    _set_time(message, moment)
    return message


def _set_time(target: Timestamp, moment: datetime) -> None:
    # `FromDatetime` takes three times as long, and every update has several.
    since = moment - _EPOCH
    target.seconds = since.days * 86_400 + since.seconds
    target.nanos = since.microseconds * 1_000


def update_head(
    *, table_id: str, from_version: int, to_version: int, at: datetime, is_resync: bool = False
) -> bytes:
    """A serialised update without its events and its view."""
    head = view_pb2.TableUpdate(
        table_id=table_id,
        from_version=from_version,
        to_version=to_version,
        server_time=timestamp(at),
        is_resync=is_resync,
    )
    return head.SerializeToString()


class SharedView:
    """What a table's view says alike to every viewer of one state, serialised once; each viewer's own part goes in."""

    def __init__(self, view: TableView, version: int) -> None:
        """`view` is any one viewer's."""
        self._table = _shared_fields(view, version)
        self._game = None if view.game is None else shared_game_view(view.game)

    def field(self, view: TableView) -> bytes:
        """The field `view` of a serialised update, for the viewer of this view."""
        own = _own_view(view)
        if self._game is None:
            return nested(_VIEW, (self._table, own))
        return nested(_VIEW, (self._table, own, game_view_field(view.game, self._game)))


def fill_view(target: view_pb2.TableView, view: TableView, version: int) -> None:
    """Writes a view, as it is at this version, into an empty message."""
    target.MergeFromString(_shared_fields(view, version) + _own_view(view))
    if view.game is not None:
        fill_game_view(target, view.game)


def _own_view(view: TableView) -> bytes:
    """What the table says to a viewer alone."""
    seats = _seats_field(view.seats)
    return seats if view.your_seat is None else seats + _your_seat_field(view.your_seat)


@lru_cache(maxsize=_KEPT)
def _seats_field(seats: tuple[SeatState, ...]) -> bytes:
    message = view_pb2.TableView()
    for index, seat in enumerate(seats):
        _fill_seat(message.seats.add(index=index), seat)
    return message.SerializeToString()


@lru_cache
def _your_seat_field(seat: int) -> bytes:
    return view_pb2.TableView(your_seat=seat).SerializeToString()


def _shared_fields(view: TableView, version: int) -> bytes:
    """What the table itself says alike to every viewer, serialised."""
    opened = _opened_fields(
        view.table_id,
        view.preset,
        view.rules_version,
        tuple(view.switches.items()),
        view.room,
        view.commitment,
        view.entropy,
    )
    target = view_pb2.TableView(version=version)
    target.status = view_pb2.TABLE_STATUS_PLAYING if view.ended is None else view_pb2.TABLE_STATUS_ENDED
    if view.clock is not None:
        _fill_clock(target.clock, view.clock)
    if view.ended is not None:
        _fill_result(target.result, view.ended)
    if view.secret:
        target.secret = bytes.fromhex(view.secret)
    return opened + target.SerializeToString()


@lru_cache(maxsize=_KEPT)
def _opened_fields(
    table_id: str,
    preset: str,
    rules_version: int,
    switches: tuple[tuple[str, str], ...],
    room: str,
    commitment: str,
    entropy: tuple[str, ...],
) -> bytes:
    """What a table's view says from its opening on, serialised."""
    message = view_pb2.TableView(
        table_id=table_id,
        preset=preset,
        rules_version=rules_version,
        switches=[view_pb2.Switch(name=name, value=value) for name, value in switches],
        room=_ROOMS[room],
        commitment=bytes.fromhex(commitment),
        entropy=[bytes.fromhex(item) for item in entropy],
    )
    return message.SerializeToString()


def fill_record(target: record_pb2.MatchRecord, view: TableView) -> None:
    """Writes what a finished match's record says beside its events, from the view of who asked."""
    assert view.ended is not None
    target.table_id = view.table_id
    target.preset, target.rules_version = view.preset, view.rules_version
    for name, value in view.switches.items():
        target.switches.add(name=name, value=value)
    for index, seat in enumerate(view.seats):
        _fill_seat(target.seats.add(index=index), seat)
    if view.your_seat is not None:
        target.your_seat = view.your_seat
    _fill_result(target.result, view.ended)
    target.commitment = bytes.fromhex(view.commitment)
    target.secret = bytes.fromhex(view.secret)
    target.entropy.extend([bytes.fromhex(item) for item in view.entropy])


def _fill_seat(target: view_pb2.Seat, seat: SeatState) -> None:
    target.kind = view_pb2.SEAT_KIND_PERSON if seat.is_person else view_pb2.SEAT_KIND_ROBOT
    target.player_id = seat.taken.player_id
    target.absent = seat.absent
    target.eliminated = seat.eliminated
    target.claim = seat.claim


def _fill_clock(target: view_pb2.Clock, clock: ClockState | ClockStarted) -> None:
    target.turn = clock.turn
    target.seats.extend(clock.seats)
    _set_time(target.started_at, clock.started_at)
    _set_time(target.due_at, clock.due_at)


def _fill_result(target: view_pb2.Result, ended: TableEnded) -> None:
    target.reason = _REASONS[ended.reason]
    target.winners.extend(ended.winners)
    target.score.extend(ended.score)
    target.abandoned_seats.extend(ended.abandoned_seats)


def event_message(version: int, seen: Seen) -> view_pb2.TableEvent:
    """What a viewer is told of the event that made this version."""
    message = view_pb2.TableEvent(version=version)
    _fill_event(message, seen)
    return message


def event_field(version: int, seen: Seen) -> bytes:
    """The event's part of a serialised update."""
    if isinstance(seen, GameSeen):
        made = view_pb2.TableEvent(version=version).SerializeToString()
        return nested(_EVENTS, (made, game_event_field(seen.seen)))
    return nested(_EVENTS, (event_message(version, seen).SerializeToString(),))


def _fill_event(target: view_pb2.TableEvent, seen: Seen) -> None:
    match seen:
        case GameSeen():
            target.MergeFromString(game_event_field(seen.seen))
        case TableOpened():
            target.table_opened.preset = seen.preset
        case ClockStarted():
            _fill_clock(target.clock_started.clock, seen)
        case ClockMoved():
            moved = target.clock_moved
            moved.clock.turn = seen.turn
            moved.clock.due_at.CopyFrom(timestamp(seen.due_at))
            moved.outage_from.CopyFrom(timestamp(seen.outage_from))
            moved.outage_to.CopyFrom(timestamp(seen.outage_to))
        case PlayedAutomatically():
            target.played_automatically.turn = seen.turn
            target.played_automatically.seat = seen.seat
        case SeatBecameAbsent():
            target.seat_became_absent.seat = seen.seat
            target.seat_became_absent.left = seen.left
        case SeatEliminated():
            target.seat_eliminated.seat = seen.seat
            target.seat_eliminated.robot_plays_on = bool(seen.stand_in)
        case SeatReturned():
            target.seat_returned.seat = seen.seat
        case SeatClaimed():
            target.seat_claimed.seat = seen.seat
            target.seat_claimed.claim = seen.claim
        case TableEnded():
            _fill_result(target.table_ended.result, seen)
            target.table_ended.secret = bytes.fromhex(seen.secret)
        case _:
            assert_never(seen)
