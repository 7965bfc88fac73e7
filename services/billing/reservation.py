"""A match's reservation: who was admitted to it and why, once, however often and on whichever day it is asked again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.billing.errors import (
    MATCH_ALREADY_OVER,
    MATCH_ALREADY_RESERVED,
    MATCH_NOT_OVERDUE,
    MATCH_NOT_RESERVED,
)
from services.billing.events import (
    Admitted,
    MatchBarred,
    MatchReleased,
    MatchReserved,
    MatchSettled,
    ReservationEvent,
    ReservationExpired,
    Room,
)
from services.billing.public import public_message

HELD_FOR: Final = timedelta(hours=6)
"""Longer than a match is played, and short enough that most days still get their match back."""


class Reserve(msgspec.Struct, frozen=True):
    """The match may begin for these players."""

    match_id: str
    preset: str
    room: Room
    day: str
    players: tuple[Admitted, ...]
    catalogue: str


class Bar(msgspec.Struct, frozen=True):
    """The match came to nothing, and no reservation of it is known."""

    match_id: str


class Release(msgspec.Struct, frozen=True):
    """The match came to nothing for these players."""

    player_ids: tuple[str, ...]


class Settle(msgspec.Struct, frozen=True):
    """The match was played."""

    match_id: str


class Expire(msgspec.Struct, frozen=True):
    """The time has come at which nobody expects to hear of the match any more."""

    match_id: str


ReservationCommand = Reserve | Bar | Release | Settle | Expire


class ReservationState(msgspec.Struct, frozen=True):
    """What was reserved, until when, and for whom it was released. `held_until` is None when nothing is waited for."""

    match_id: str = ""
    preset: str = ""
    room: Room = "livre"
    day: str = ""
    players: tuple[Admitted, ...] = ()
    released: frozenset[str] = frozenset()
    held_until: datetime | None = None
    is_settled: bool = False
    is_barred: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the match was ever reserved."""
        return self.match_id != ""

    @property
    def is_over(self) -> bool:
        """Whether it was played, or came to nothing for everybody, or may never begin."""
        return (
            self.is_settled or self.is_barred or (self.is_known and len(self.released) == len(self.players))
        )


class ReservationDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "reservation"

    def initial(self) -> ReservationState:
        """No match yet."""
        return ReservationState()

    def decide(
        self, state: ReservationState, command: Command[ReservationCommand]
    ) -> Sequence[ReservationEvent] | Rejection:
        """What a command does to the reservation."""
        body = command.body
        match body:
            case Reserve():
                return _reserve(state, body, command.at)
            case Bar():
                if state.is_known or state.is_barred:
                    return Rejection(MATCH_ALREADY_RESERVED.code)
                return (MatchBarred(body.match_id),)
        if not state.is_known:
            return Rejection(MATCH_NOT_RESERVED.code)
        if state.is_over:
            return Rejection(MATCH_ALREADY_OVER.code)
        match body:
            case Release():
                reserved = {player.player_id for player in state.players} - state.released
                released = tuple(one for one in body.player_ids if one in reserved)
                if not released:
                    return Rejection(MATCH_NOT_RESERVED.code)
                return (MatchReleased(state.match_id, released),)
            case Settle():
                return (MatchSettled(state.match_id),)
            case Expire():
                if state.held_until is None or command.at < state.held_until:
                    return Rejection(MATCH_NOT_OVERDUE.code)
                return (ReservationExpired(state.match_id),)
            case _:
                assert_never(body)

    def evolve(self, state: ReservationState, event: ReservationEvent) -> ReservationState:
        """The reservation after an event."""
        match event:
            case MatchReserved():
                return ReservationState(
                    event.match_id,
                    event.preset,
                    event.room,
                    event.day,
                    event.players,
                    held_until=event.held_until,
                )
            case MatchBarred():
                return msgspec.structs.replace(state, is_barred=True)
            case ReservationExpired():
                return msgspec.structs.replace(state, held_until=None)
            case MatchReleased():
                return msgspec.structs.replace(state, released=state.released | set(event.player_ids))
            case MatchSettled():
                return msgspec.structs.replace(state, is_settled=True)
            case _:
                assert_never(event)

    def deadlines(self, state: ReservationState) -> Sequence[Deadline]:
        """The table says how the match ended; when it has not for long, what was taken goes back."""
        if state.is_over or state.held_until is None:
            return ()
        return (Deadline(state.held_until, Expire(state.match_id)),)

    def is_ended(self, state: ReservationState) -> bool:
        """A match that is over takes no more events."""
        return state.is_over

    def state_hash(self, _state: ReservationState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: ReservationState, _viewer: None) -> ReservationState:
        """All of it."""
        return state

    def observe(
        self, event: ReservationEvent, _before: ReservationState, _after: ReservationState, _viewer: None
    ) -> ReservationEvent:
        """The event itself."""
        return event

    def publish(
        self, event: ReservationEvent, _before: ReservationState, _after: ReservationState
    ) -> PublicMessage | None:
        """An expired one: giving back changes the players' days with it, which a replica of billing does."""
        return public_message(event)


RESERVATION = ReservationDecider()


def _reserve(state: ReservationState, body: Reserve, at: datetime) -> Sequence[ReservationEvent] | Rejection:
    if state.is_barred:
        return Rejection(MATCH_ALREADY_OVER.code)
    if state.is_known:
        return Rejection(MATCH_ALREADY_RESERVED.code)
    return (
        MatchReserved(
            match_id=body.match_id,
            preset=body.preset,
            room=body.room,
            day=body.day,
            players=body.players,
            catalogue=body.catalogue,
            held_until=at + HELD_FOR,
        ),
    )
