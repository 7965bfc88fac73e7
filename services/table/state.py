"""What a table is at one moment, and how each event changes it. No rule stands here."""

from __future__ import annotations

from datetime import datetime
from typing import Any, assert_never

import msgspec

from libs.rules.family import AnyGame
from libs.rules.game import Seat
from libs.rules.registry import game as game_named
from services.table.commands import player_actor, robot_actor
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


class SeatState(msgspec.Struct, frozen=True, gc=False):
    """A seat: who sits on it, how many automatic plays in a row it has, whether its player is absent.

    `claim` is the device that plays for it, empty until one has claimed it. `automatic_plays` are those of the whole match;
    an eliminated player counts as absent, and `stand_in` is the robot that plays on.
    """

    taken: SeatTaken
    automatic_in_a_row: int = 0
    absent: bool = False
    claim: str = ""
    automatic_plays: int = 0
    eliminated: bool = False
    stand_in: str = ""

    @property
    def robot(self) -> str:
        """The strength of the robot that plays here: from the beginning, or for who was eliminated; else empty."""
        return self.taken.robot or self.stand_in

    @property
    def is_robot(self) -> bool:
        """Whether a robot plays here."""
        return bool(self.robot)

    @property
    def is_person(self) -> bool:
        """Whether a player sat down here, eliminated or not."""
        return not self.taken.robot


class ClockState(msgspec.Struct, frozen=True, gc=False):
    """The running clock."""

    turn: int
    moment: str
    seats: tuple[int, ...]
    started_at: datetime
    due_at: datetime
    is_answer: bool
    is_short: bool
    robot_seat: int | None


class TableState(msgspec.Struct, frozen=True, gc=False):
    """A table. Before `TableOpened` it has no id, no seats and no game."""

    table_id: str = ""
    preset: str = ""
    rules_version: int = 0
    switches: dict[str, str] = {}
    seats: tuple[SeatState, ...] = ()
    commitment: str = ""
    entropy: tuple[str, ...] = ()
    room: str = ""
    game_state: Any = None
    clock: ClockState | None = None
    turns: int = 0
    ended: TableEnded | None = None

    @property
    def is_open(self) -> bool:
        """Whether the table exists."""
        return bool(self.table_id)

    @property
    def game(self) -> AnyGame:
        """The game played here; the table must be open."""
        return game_named(self.preset)

    def seat_of(self, actor: str) -> Seat | None:
        """The seat for which an actor acts, if it has one."""
        for index, seat in enumerate(self.seats):
            if seat.is_person and actor == player_actor(seat.taken.player_id):
                return Seat(index)
            if seat.is_robot and actor == robot_actor(index):
                return Seat(index)
        return None


def evolve(state: TableState, event: TableEvent) -> TableState:
    """The table after an event."""
    match event:
        case TableOpened():
            return _opened(event)
        case ClockStarted():
            clock = ClockState(
                event.turn,
                event.moment,
                event.seats,
                event.started_at,
                event.due_at,
                event.is_answer,
                event.is_short,
                event.robot_seat,
            )
            return msgspec.structs.replace(state, clock=clock, turns=event.turn)
        case ClockMoved():
            assert state.clock is not None
            return msgspec.structs.replace(
                state, clock=msgspec.structs.replace(state.clock, due_at=event.due_at)
            )
        case PlayedAutomatically():
            return _played_automatically(state, event)
        case SeatBecameAbsent():
            return _with_seat(state, event.seat, absent=True)
        case SeatEliminated():
            return _with_seat(state, event.seat, eliminated=True, absent=True, stand_in=event.stand_in)
        case SeatReturned():
            return _with_seat(state, event.seat, absent=False, automatic_in_a_row=0)
        case SeatClaimed():
            return _with_seat(state, event.seat, claim=event.claim)
        case TableEnded():
            return msgspec.structs.replace(state, ended=event, clock=None)
        case _:
            # Every other event is the game's own.
            return msgspec.structs.replace(state, game_state=state.game.evolve(state.game_state, event))
    assert_never(event)


def _opened(event: TableOpened) -> TableState:
    game = game_named(event.preset)
    return TableState(
        table_id=event.table_id,
        preset=event.preset,
        rules_version=event.rules_version,
        # In one order: JSONB keeps none, and a view read back from the log is to equal the one that was seen live.
        switches=dict(sorted(event.switches.items())),
        seats=tuple(SeatState(taken) for taken in event.seats),
        commitment=event.commitment,
        entropy=event.entropy,
        room=event.room,
        game_state=game.initial(game.rule_set(event.switches), len(event.seats)),
    )


def _played_automatically(state: TableState, event: PlayedAutomatically) -> TableState:
    """A play that is no automatic one (a missed answer, a robot's) does not raise the count."""
    seat = state.seats[event.seat]
    more = int(event.in_a_row > seat.automatic_in_a_row)
    return _with_seat(
        state,
        event.seat,
        automatic_in_a_row=event.in_a_row,
        automatic_plays=seat.automatic_plays + more,
    )


def _with_seat(state: TableState, seat: int, **changes: bool | int | str) -> TableState:
    seats = list(state.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], **changes)
    return msgspec.structs.replace(state, seats=tuple(seats))
