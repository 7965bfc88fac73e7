"""What happened at a table, beside the game's own events. These structs are the storage format.

Fields are never renamed or removed: a new meaning is a new schema version with an upcaster.
"""

from __future__ import annotations

from datetime import datetime

import msgspec


class SeatTaken(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Who sits on a seat: a player's id, or a robot's strength."""

    player_id: str = ""
    robot: str = ""


class TableOpened(msgspec.Struct, frozen=True, gc=False):
    """The table exists. It names the rule set and its version, and commits to the secret that deals (hex).

    `room` is `livre`, `ranqueada` or `torneio`.
    """

    table_id: str
    preset: str
    rules_version: int
    switches: dict[str, str]
    seats: tuple[SeatTaken, ...]
    commitment: str
    entropy: tuple[str, ...]
    room: str = "livre"


class ClockStarted(msgspec.Struct, frozen=True, gc=False):
    """The table waits for these seats until `due_at`. `robot_seat` is the robot that is asked to act, if one is.

    `started_at` is when this wait began; `is_short` when all who could act are absent.
    """

    turn: int
    moment: str
    seats: tuple[int, ...]
    started_at: datetime
    due_at: datetime
    is_answer: bool
    robot_seat: int | None
    is_short: bool = False


class ClockMoved(msgspec.Struct, frozen=True, gc=False):
    """The platform was away and gives the time back."""

    turn: int
    due_at: datetime
    outage_from: datetime
    outage_to: datetime


class PlayedAutomatically(msgspec.Struct, frozen=True, gc=False):
    """The time was up; what follows was played by the server. `in_a_row` counts this seat's since it last acted."""

    turn: int
    seat: int
    in_a_row: int


class SeatBecameAbsent(msgspec.Struct, frozen=True, gc=False):
    """A player is absent from here on (ruling G-06); `left` on purpose (ruling G-09)."""

    seat: int
    left: bool


class SeatEliminated(msgspec.Struct, frozen=True, gc=False):
    """A player is out of the match for good (rulings G-07, G-09). A robot of this strength plays on; where it is empty the
    other side has won.
    """

    seat: int
    stand_in: str


class SeatClaimed(msgspec.Struct, frozen=True, gc=False):
    """A device of the seat's player plays for it from here on."""

    seat: int
    claim: str


class SeatReturned(msgspec.Struct, frozen=True, gc=False):
    """A player whose turns were played automatically has acted, or claimed the seat, again."""

    seat: int


class TableEnded(msgspec.Struct, frozen=True, gc=False):
    """The match is over: `reason` is `finished`, `abandoned` or `walkover`. The secret (hex) is revealed and every card is public."""

    reason: str
    winners: tuple[int, ...]
    score: tuple[int, ...]
    abandoned_seats: tuple[int, ...]
    ended_at: datetime
    secret: str


GameEvent = msgspec.Struct
"""An event of some game: `libs.rules.registry.family_of` says of which."""

TableEvent = (
    TableOpened
    | ClockStarted
    | ClockMoved
    | PlayedAutomatically
    | SeatBecameAbsent
    | SeatEliminated
    | SeatReturned
    | SeatClaimed
    | TableEnded
    | GameEvent
)

EVENT_TYPES: dict[str, type[TableEvent]] = {
    "table.opened": TableOpened,
    "table.clock_started": ClockStarted,
    "table.clock_moved": ClockMoved,
    "table.played_automatically": PlayedAutomatically,
    "table.seat_became_absent": SeatBecameAbsent,
    "table.seat_eliminated": SeatEliminated,
    "table.seat_returned": SeatReturned,
    "table.seat_claimed": SeatClaimed,
    "table.ended": TableEnded,
}
"""The registered names of the table's own event types, as stored; each game registers its own."""
