"""A second scorer of Dominó, written from the rulings alone and as plainly as can be: it reads what was dealt and played, and
works out ends, passes, rounds and the match by itself. It shares no line with `libs.rules.domino`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

GOAL = 50


def numbers(tile: str) -> list[int]:
    """The two halves."""
    return [int(half) for half in tile.split("-")]


def told(events: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """What the events of a match say, as (kind, facts) worked out anew from the tiles dealt and played.

    The kinds are `play` (seat and ends), `pass` (seat), `round` (how, side, points, score, next starter) and `match`.
    """
    score = [0, 0]
    hands: list[list[str]] = []
    line: list[int] = []
    last_by_side = [-1, -1]
    starter = -1
    for event in events:
        kind = type(event).__name__
        if kind == "RoundDealt":
            hands = [list(tiles) for tiles in event.tiles]
            line = []
            if event.round == 1:
                starter = next(seat for seat, hand in enumerate(hands) if "6-6" in hand)
            yield "deal", (starter, event.round == 1)
            continue
        if kind != "TilePlayed":
            continue
        seat, tile = event.seat, event.tile
        hands[seat].remove(tile)
        last_by_side[seat % 2] = seat
        halves = numbers(tile)
        if not line:
            line = halves
        elif event.end == "left":
            halves.remove(line[0])
            line = [*halves, *line]
        else:
            halves.remove(line[-1])
            line = [*line, *halves]
        yield "play", (seat, (line[0], line[-1]))
        pips = [sum(sum(numbers(left)) for left in hand) for hand in hands]
        sides = [pips[0] + pips[2], pips[1] + pips[3]]
        if not hands[seat]:
            how, winner = "went_out", seat % 2
        elif not any(_fits(left, line) for hand in hands for left in hand):
            how, winner = "blocked", 0 if sides[0] < sides[1] else 1
            if sides[0] == sides[1]:
                how, winner = "blocked_tied", 1 - seat % 2
        else:
            following = (seat + 1) % 4
            while not any(_fits(left, line) for left in hands[following]):
                yield "pass", following
                following = (following + 1) % 4
            continue
        score[winner] += sides[1 - winner]
        starter = last_by_side[winner]
        yield "round", (how, winner, sides[1 - winner], tuple(score), starter)
        if score[winner] >= GOAL:
            yield "match", (winner, tuple(score))


def _fits(tile: str, line: list[int]) -> bool:
    return line[0] in numbers(tile) or line[-1] in numbers(tile)
