"""An open table of the Sala Livre: who sits where until the last seat is taken. Acting on it concerns a player too: see
`seating`.
"""

from __future__ import annotations

from typing import Never, assert_never

import msgspec

from libs.eventlog.decider import Command, Rejection
from services.matchmaking.errors import OPEN_TABLE_NOT_FOUND
from services.matchmaking.events import (
    MatchSeat,
    OpenTableEvent,
    SeatLeft,
    SeatTaken,
    TableDeserted,
    TableFilled,
    TableOpened,
)
from services.matchmaking.quiet import Quiet


class OpenTableState(msgspec.Struct, frozen=True):
    """The seats by number; None is free."""

    preset: str = ""
    seats: tuple[MatchSeat | None, ...] = ()
    is_over: bool = False

    @property
    def is_open(self) -> bool:
        """Whether one may sit down here."""
        return bool(self.preset) and not self.is_over

    @property
    def free_seats(self) -> int:
        """How many more are waited for."""
        return sum(seat is None for seat in self.seats)

    def seat_of(self, player_id: str) -> int | None:
        """Where a player sits."""
        return next(
            (index for index, seat in enumerate(self.seats) if seat and seat.player_id == player_id), None
        )


class OpenTableDecider(Quiet[OpenTableState, OpenTableEvent]):
    """Satisfies `libs.eventlog.decider.Decider`."""

    category = "open_table"

    def initial(self) -> OpenTableState:
        """No table."""
        return OpenTableState()

    def decide(self, _state: OpenTableState, _command: Command[Never]) -> Rejection:
        """No command concerns an open table alone."""
        return Rejection(OPEN_TABLE_NOT_FOUND.code)

    def evolve(self, state: OpenTableState, event: OpenTableEvent) -> OpenTableState:
        """The table after an event."""
        match event:
            case TableOpened():
                return OpenTableState(event.preset, (None,) * event.seats)
            case SeatTaken():
                return _with_seat(state, event.seat, MatchSeat(event.player_id, "", event.entropy))
            case SeatLeft():
                return _with_seat(state, event.seat, None)
            case TableFilled() | TableDeserted():
                return msgspec.structs.replace(state, is_over=True)
            case _:
                assert_never(event)

    def is_ended(self, state: OpenTableState) -> bool:
        """Filled or deserted."""
        return state.is_over


OPEN_TABLE = OpenTableDecider()


def _with_seat(state: OpenTableState, seat: int, taken: MatchSeat | None) -> OpenTableState:
    seats = (*state.seats[:seat], taken, *state.seats[seat + 1 :])
    return msgspec.structs.replace(state, seats=seats)
