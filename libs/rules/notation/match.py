"""A match with all that its notation tells of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from libs.rules.family import AnyGame
from libs.rules.game import Result, Seat
from libs.rules.notation.cards import SEATS, score_text, seat_name

UNFINISHED = "*"
DRAW = "empate"


class Match(msgspec.Struct, frozen=True):
    """A match, or its beginning: `rules` is its rule set, `events` are what happened in order.

    `rules_version` is that of the rules it was played by. `names` are those of seats, where they are told. `moves`, by seat,
    are filled by reading: what was written of them stands in the events.
    """

    game: AnyGame
    rules: Any
    players: int
    events: Sequence[Any]
    rules_version: int
    names: Mapping[int, str] = {}
    date: date | None = None
    moves: Sequence[tuple[Seat, Any]] = ()


def sides_of(game: AnyGame, players: int) -> list[tuple[int, ...]]:
    """The seats of each side."""
    sides = [game.side_of(Seat(seat)) for seat in range(players)]
    return [tuple(seat for seat in range(players) if sides[seat] == side) for side in range(max(sides) + 1)]


def result_text(game: AnyGame, players: int, result: Result | None) -> str:
    """A result as the header and the last line have it: the winners' seats, or a draw, and the score."""
    if result is None:
        return UNFINISHED
    sides = sides_of(game, players)
    winners = "".join(seat_name(seat) for side in result.winners for seat in sides[side])
    return f"{winners or DRAW} {score_text(result.score)}"


def seats_named(players: int) -> str:
    """The letters of the seats, for a message."""
    return f"{SEATS[0]} to {SEATS[players - 1]}"
