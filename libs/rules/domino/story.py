"""A match of Dominó told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from typing import assert_never

from libs.rules.domino import events as ev
from libs.rules.domino import view as vw

_ENDINGS = {
    "went_out": "went out",
    "blocked": "blocked it",
    "blocked_tied": "blocked it with equal pips, and loses",
}


def tell(event: ev.DominoEvent | vw.DominoSeen) -> str:
    """One line for an event, or for what a viewer was told of it: it says no more than its argument holds."""
    match event:
        case ev.RoundDealt():
            hands = "; ".join(f"seat {seat} {' '.join(tiles)}" for seat, tiles in enumerate(event.tiles))
            return f"{_dealt(event)}: {hands}"
        case vw.RoundDealtSeen():
            return _dealt(event)
        case ev.TilePlayed():
            where = "" if event.end is None else f" to the {event.end}"
            return (
                f"seat {event.seat} plays {event.tile}{where}: open are {event.ends[0]} and {event.ends[1]}"
            )
        case ev.SeatPassed():
            return f"seat {event.seat} passes"
        case ev.RoundEnded():
            score = " to ".join(map(str, event.score))
            pips = ", ".join(map(str, event.pips))
            return (
                f"round {event.round}: seat {event.seat} {_ENDINGS[event.ending]}; left in hand {pips}; "
                f"{event.points} to side {event.winner_side}: {score}"
            )
        case ev.MatchEnded():
            return f"side {event.winner_side} wins the match {' to '.join(map(str, event.score))}"
        case _:
            assert_never(event)


def _dealt(event: ev.RoundDealt | vw.RoundDealtSeen) -> str:
    with_tile = "" if event.opening is None else f" with {event.opening}"
    return f"round {event.round}, seat {event.starter} opens{with_tile}"
