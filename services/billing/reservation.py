"""A match's reservation: who was admitted to it and why, once, however often and on whichever day it is asked again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.billing.errors import MATCH_ALREADY_OVER, MATCH_ALREADY_RESERVED, MATCH_NOT_RESERVED
from services.billing.events import (
    Admitted,
    MatchReleased,
    MatchReserved,
    MatchSettled,
    ReservationEvent,
    Room,
)


class Reserve(msgspec.Struct, frozen=True):
    """The match may begin for these players."""

    match_id: str
    preset: str
    room: Room
    day: str
    players: tuple[Admitted, ...]
    catalogue: str


class Release(msgspec.Struct, frozen=True):
    """The match came to nothing for these players."""

    player_ids: tuple[str, ...]


class Settle(msgspec.Struct, frozen=True):
    """The match was played."""

    match_id: str


ReservationCommand = Reserve | Release | Settle


class ReservationState(msgspec.Struct, frozen=True):
    """What was reserved, and for whom it was released."""

    match_id: str = ""
    preset: str = ""
    room: Room = "livre"
    day: str = ""
    players: tuple[Admitted, ...] = ()
    released: frozenset[str] = frozenset()
    is_settled: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the match was ever reserved."""
        return self.match_id != ""

    @property
    def is_over(self) -> bool:
        """Whether it was played, or came to nothing for everybody."""
        return self.is_settled or (self.is_known and len(self.released) == len(self.players))


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
        if isinstance(body, Reserve):
            if state.is_known:
                return Rejection(MATCH_ALREADY_RESERVED.code)
            return (
                MatchReserved(body.match_id, body.preset, body.room, body.day, body.players, body.catalogue),
            )
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
            case _:
                assert_never(body)

    def evolve(self, state: ReservationState, event: ReservationEvent) -> ReservationState:
        """The reservation after an event."""
        match event:
            case MatchReserved():
                return ReservationState(event.match_id, event.preset, event.room, event.day, event.players)
            case MatchReleased():
                return msgspec.structs.replace(state, released=state.released | set(event.player_ids))
            case MatchSettled():
                return msgspec.structs.replace(state, is_settled=True)
            case _:
                assert_never(event)

    def deadlines(self, _state: ReservationState) -> Sequence[Deadline]:
        """Nothing happens by itself: the table says how the match ended."""
        return ()

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
        self, _event: ReservationEvent, _before: ReservationState, _after: ReservationState
    ) -> PublicMessage | None:
        """Nothing: matchmaking is answered."""
        return None


RESERVATION = ReservationDecider()
