"""A match from its forming to its end. Its id is the table's: to set it up twice is to set it up once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, assert_never

import msgspec

from libs.eventlog.decider import Command, Rejection
from services.matchmaking.errors import PLACE_CHANGED
from services.matchmaking.events import (
    MatchEvent,
    MatchFormed,
    MatchOver,
    MatchSeat,
    MatchStarted,
    MatchVoided,
    Room,
)
from services.matchmaking.quiet import Quiet


class ConfirmStart(msgspec.Struct, frozen=True):
    """The table stands."""

    match_id: str


class VoidMatch(msgspec.Struct, frozen=True):
    """The match cannot be set up, for this reason."""

    match_id: str
    code: str
    refused: tuple[str, ...] = ()


class EndMatch(msgspec.Struct, frozen=True):
    """The players are free."""

    match_id: str


MatchCommand = ConfirmStart | VoidMatch | EndMatch


class MatchState(msgspec.Struct, frozen=True):
    """How far a match has come."""

    status: Literal["", "formed", "started", "voided", "over"] = ""
    match_id: str = ""
    preset: str = ""
    room: Room | Literal[""] = ""
    seats: tuple[MatchSeat, ...] = ()
    switches: dict[str, str] = {}
    formed_at: datetime | None = None
    code: str = ""
    refused: tuple[str, ...] = ()

    @property
    def player_ids(self) -> tuple[str, ...]:
        """The people who are to play."""
        return tuple(seat.player_id for seat in self.seats if seat.player_id)


class MatchDecider(Quiet[MatchState, MatchEvent]):
    """Satisfies `libs.eventlog.decider.Decider`. Forming a match concerns its players too: see `seating`."""

    category = "match"

    def initial(self) -> MatchState:
        """No match."""
        return MatchState()

    def decide(self, state: MatchState, command: Command[MatchCommand]) -> Sequence[MatchEvent] | Rejection:
        """How the setting up went on. What stands already is refused; whoever drives it takes that for done."""
        body = command.body
        match body:
            case ConfirmStart():
                if state.status != "formed":
                    return Rejection(PLACE_CHANGED.code)
                return (MatchStarted(body.match_id),)
            case VoidMatch():
                if state.status != "formed":
                    return Rejection(PLACE_CHANGED.code)
                return (MatchVoided(body.match_id, body.code, body.refused),)
            case EndMatch():
                if state.status in {"", "over"}:
                    return Rejection(PLACE_CHANGED.code)
                return (MatchOver(body.match_id),)
            case _:
                assert_never(body)

    def evolve(self, state: MatchState, event: MatchEvent) -> MatchState:
        """The match after an event."""
        match event:
            case MatchFormed():
                return MatchState(
                    "formed",
                    event.match_id,
                    event.preset,
                    event.room,
                    event.seats,
                    event.switches,
                    event.at,
                )
            case MatchStarted():
                return msgspec.structs.replace(state, status="started")
            case MatchVoided():
                return msgspec.structs.replace(state, status="voided", code=event.code, refused=event.refused)
            case MatchOver():
                return msgspec.structs.replace(state, status="over")
            case _:
                assert_never(event)

    def is_ended(self, state: MatchState) -> bool:
        """Over, or come to nothing and everybody freed."""
        return state.status == "over"


MATCH = MatchDecider()
