"""Who is awaited until when, who is absent, and when that ends a match (rulings G-06, G-09, G-10)."""

from __future__ import annotations

from datetime import datetime, timedelta

from libs.rules.game import Awaited, Seat
from services.table.elimination import walkover
from services.table.events import ClockStarted, TableEnded
from services.table.state import SeatState, TableState

ABSENT_AFTER = 4
"""Automatic plays in a row that make a player absent (ruling G-06)."""

ABSENT_CLOCK = timedelta(seconds=2)
"""How long the table waits for an absent seat (ruling G-06)."""


def next_clock(state: TableState, awaited: Awaited, at: datetime) -> ClockStarted | None:
    """The clock that must start now, or None while the running one is right.

    It starts anew when the game waits for something new. When all who could act become absent, the wait is cut to two
    seconds; when one of them comes back, it lasts as long as it would have without that absence: no coming and going
    gives a player more than the full time (ruling G-06, case B077). When the person leaves for whom a side's robot kept
    back, the robot is asked within what is left of the time.
    """
    running = state.clock
    is_short = all(state.seats[seat].absent and not state.seats[seat].is_robot for seat in awaited.seats)
    full = timedelta(seconds=awaited.seconds)
    robot_seat = robot_to_ask(state, awaited)
    if running is None or running.moment != awaited.moment:
        started_at, due_at = at, at + (ABSENT_CLOCK if is_short else full)
    elif running.is_short == is_short:
        # Where each answers for itself those who have are waited for no more (ruling C-09), within the same time.
        if awaited.seats == running.seats and (robot_seat is None or robot_seat == running.robot_seat):
            return None
        started_at, due_at = running.started_at, running.due_at
    elif is_short:
        started_at, due_at = running.started_at, min(running.due_at, at + ABSENT_CLOCK)
    else:
        started_at, due_at = running.started_at, max(running.due_at, running.started_at + full)
    return ClockStarted(
        turn=state.turns + 1,
        moment=awaited.moment,
        seats=awaited.seats,
        started_at=started_at,
        due_at=due_at,
        is_answer=awaited.is_answer,
        robot_seat=robot_seat,
        is_short=is_short,
    )


def robot_to_ask(state: TableState, awaited: Awaited) -> int | None:
    """The robot that is to act: the first awaited robot, unless a present person can answer for its side."""
    if not awaited.each_answers and any(is_present_person(state.seats[seat]) for seat in awaited.seats):
        return None
    return next((seat for seat in awaited.seats if state.seats[seat].is_robot), None)


def is_present_person(seat: SeatState) -> bool:
    """Whether a person sits here and is not absent."""
    return not seat.is_robot and not seat.absent


def is_abandoned(state: TableState) -> bool:
    """Whether a table that had persons has none present any more whom the match still needs (rulings G-06, C-12).

    Who is out of the match has not abandoned it, and where nobody has, robots play it to its end.
    """
    return any(seat.absent for seat in state.seats) and not has_needed_person(state)


def has_needed_person(state: TableState) -> bool:
    """Whether a person is present who is not out of the match (ruling C-12)."""
    out = seats_out(state)
    return any(is_present_person(seat) and index not in out for index, seat in enumerate(state.seats))


def seats_out(state: TableState) -> tuple[Seat, ...]:
    """The seats that take no part in the running match any more; none when it is over."""
    awaited = state.game.awaited(state.game_state)
    return () if awaited is None else awaited.out


def end_of_match(state: TableState, at: datetime, secret: bytes) -> TableEnded | None:
    """The end of the table, if the match is over, abandoned, or won because a player is out (ruling G-09)."""
    abandoned_seats = tuple(index for index, seat in enumerate(state.seats) if seat.absent)
    result = state.game.result(state.game_state)
    if result is not None:
        return TableEnded("finished", result.winners, result.score, abandoned_seats, at, secret.hex())
    if is_abandoned(state):
        out = seats_out(state)
        blamed = tuple(seat for seat in abandoned_seats if seat not in out)
        return TableEnded("abandoned", (), (), blamed, at, secret.hex())
    winner = walkover(state)
    if winner is not None:
        return TableEnded("walkover", (winner,), (), abandoned_seats, at, secret.hex())
    return None
