"""A match of Dominó told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from libs.rules.domino import events as ev
from libs.rules.domino import view as vw
from libs.rules.domino.tiles import HALVES

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


def picture(view: vw.DominoView) -> list[str]:
    """A view in lines: what this viewer has before its eyes."""
    turn = "over" if view.to_play is None else f"turn {view.turn}, seat {view.to_play} plays"
    line = " ".join(line_of(view.plays)) or "no tile yet"
    lines = [
        f"score {view.score[0]} to {view.score[1]}; round {view.round} opened by seat {view.starter}; {turn}",
        f"line: {line}",
    ]
    lines += [f"seat {passed.seat} passed before turn {passed.turn}" for passed in view.passes]
    for hand in view.hands:
        you = " (you)" if hand.seat == view.seat else ""
        held = " ".join(hand.tiles) if hand.tiles else f"{hand.count} tiles"
        lines.append(f"seat {hand.seat}{you}: {held}")
    return lines


def line_of(plays: Sequence[ev.TilePlayed]) -> tuple[str, ...]:
    """The tiles as they lie from left to right, each with its left half first.

    >>> line_of([ev.TilePlayed(1, 1, 0, "6-6", None, (6, 6), 1), ev.TilePlayed(1, 2, 1, "2-6", "left", (2, 6), 2)])
    ('2-6', '6-6')
    """
    line: list[str] = []
    for play in plays:
        low, high = HALVES[play.tile]
        left, right = play.ends
        if play.end is None:
            line.append(play.tile)
        elif play.end == "left":
            line.insert(0, f"{left}-{low + high - left}")
        else:
            line.append(f"{low + high - right}-{right}")
    return tuple(line)
