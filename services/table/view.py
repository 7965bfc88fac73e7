"""The table as one viewer may know it, built by selecting what is allowed."""

from __future__ import annotations

from typing import Any, TypeGuard, get_args

import msgspec

from libs.rules.game import Seat
from services.table.events import (
    ClockMoved,
    ClockStarted,
    PlayedAutomatically,
    SeatBecameAbsent,
    SeatClaimed,
    SeatEliminated,
    SeatReturned,
    SeatTaken,
    TableEnded,
    TableEvent,
    TableOpened,
)
from services.table.state import ClockState, SeatState, TableState

Viewer = Seat | None
"""A seat, or None for a spectator."""


class TableView(msgspec.Struct, frozen=True, gc=False):
    """A table for one viewer. `game` is the game's own view; `secret` is empty until the match has ended.

    `entropy` is what the clients sent, as listed before the first card. `game` is None before the first deal.
    """

    table_id: str
    preset: str
    rules_version: int
    switches: dict[str, str]
    seats: tuple[SeatState, ...]
    room: str
    your_seat: Seat | None
    clock: ClockState | None
    ended: TableEnded | None
    commitment: str
    secret: str
    entropy: tuple[str, ...]
    game: Any


class GameSeen(msgspec.Struct, frozen=True, gc=False):
    """What the game tells this viewer."""

    seen: Any


OwnEvent = (
    TableOpened
    | ClockStarted
    | ClockMoved
    | PlayedAutomatically
    | SeatBecameAbsent
    | SeatEliminated
    | SeatReturned
    | SeatClaimed
    | TableEnded
)
_OWN_EVENTS: frozenset[type] = frozenset(get_args(OwnEvent))

Seen = OwnEvent | GameSeen
"""The table's own events hold public facts only; the game's are selected for the viewer."""


def view(state: TableState, viewer: Viewer) -> TableView:
    """The table as this viewer may know it; a finished match has pseudonyms for those who have not played it."""
    own = TableView(
        table_id=state.table_id,
        preset=state.preset,
        rules_version=state.rules_version,
        switches=state.switches,
        seats=tuple([_seat(index, seat, viewer) for index, seat in enumerate(state.seats)]),
        room=state.room,
        your_seat=viewer,
        clock=state.clock,
        ended=state.ended,
        commitment=state.commitment,
        secret="" if state.ended is None else state.ended.secret,
        entropy=state.entropy,
        game=state.game.view(state.game_state, viewer) if _has_begun(state) else None,
    )
    return with_pseudonyms(own) if viewer is None and state.ended is not None else own


def with_pseudonyms(view: TableView) -> TableView:
    """The view of a finished match for those who have not played it."""
    return msgspec.structs.replace(
        view,
        seats=tuple(
            [
                msgspec.structs.replace(seat, taken=pseudonym(index)) if seat.is_person else seat
                for index, seat in enumerate(view.seats)
            ]
        ),
    )


def pseudonym(index: int) -> SeatTaken:
    """The person of a seat as strangers are told of it."""
    return SeatTaken(player_id=f"pseudonym-{index}")


def _seat(index: int, seat: SeatState, viewer: Viewer) -> SeatState:
    """A seat as this viewer may know it: which device plays for it is its owner's matter."""
    return msgspec.structs.replace(seat, claim="") if seat.claim and index != viewer else seat


def _has_begun(state: TableState) -> bool:
    """Whether there is a deal to see: only the versions within the opening command are without."""
    return state.clock is not None or state.turns > 0 or state.game.awaited(state.game_state) is not None


def _is_own(event: TableEvent) -> TypeGuard[OwnEvent]:
    return type(event) in _OWN_EVENTS


def observe(event: TableEvent, before: TableState, after: TableState, viewer: Viewer) -> Seen | None:
    """What this viewer is told of an event, or None."""
    if _is_own(event):
        if isinstance(event, SeatClaimed) and event.seat != viewer:
            return SeatClaimed(event.seat, "")
        return event
    seen = after.game.observe(event, before.game_state, after.game_state, viewer)
    return None if seen is None else GameSeen(seen)
