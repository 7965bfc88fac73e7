"""Who is out of a match for good: too many automatic plays in games that have a limit, or leaving one (rulings G-07, G-09).

A rule set has a limit if it has the switch `auto_play_limit`; `on_elimination` says whether a robot plays on. In other games
nobody is eliminated, and absence is all there is (ruling G-06).
"""

from __future__ import annotations

from libs.rules.game import Seat
from services.table.events import SeatEliminated
from services.table.state import TableState

STAND_IN = "simple"
"""The strength of the robot that plays on."""

SEATS_FOR_A_STAND_IN = 4
"""With so many seats a robot plays on, by `by_seats`; with two the other side wins."""


def limit(state: TableState) -> int | None:
    """Which automatic play of a match eliminates; None where none does."""
    told = state.switches.get("auto_play_limit")
    return None if told is None else int(told)


def eliminated(state: TableState, seat: int) -> SeatEliminated:
    """A seat's player is out; a robot plays on unless the table is one that ends then."""
    how = state.switches["on_elimination"]
    plays_on = how == "bot" or (how == "by_seats" and len(state.seats) >= SEATS_FOR_A_STAND_IN)
    return SeatEliminated(seat, STAND_IN if plays_on else "")


def walkover(state: TableState) -> int | None:
    """The side that has won because a player of the other is out and no robot plays on."""
    for index, seat in enumerate(state.seats):
        if seat.eliminated and not seat.is_robot:
            side = state.game.side_of(Seat(index))
            return next(
                other
                for place in range(len(state.seats))
                if (other := state.game.side_of(Seat(place))) != side
            )
    return None
