"""What the Liga reads out of a closed table: whether it counts, and how it went for each account that began it.

Only the Sala Ranqueada counts, and never a house preset. Everything is read from the message alone, so that whoever
reads it, whenever, reads the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Literal
from uuid import UUID

import msgspec

from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed
from services.league.policy import Outcome

WITHOUT_SIDES: Final = frozenset({"mau-mau", "cacheta"})
"""Games in which each seat plays for itself."""

GAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
"""A game of the Liga; a house preset has an `@` in its name and is none."""

Ignored = Literal["other_room", "house_preset", "void", "no_player"]
"""Why a closed table gives no points."""


class MalformedResultError(Exception):
    """A ranked result that cannot be read: it is put aside with this reason, never dropped."""


class PlayerResult(msgspec.Struct, frozen=True):
    """How the match went for an account that began it."""

    player_id: str
    side: int
    outcome: Outcome


class MatchResult(msgspec.Struct, frozen=True):
    """A match that counts. `ranks` are the sides' places for the skill, lower is better; empty: it says nothing of it."""

    match_id: str
    game: str
    ended_at: datetime
    players: tuple[PlayerResult, ...]
    ranks: tuple[int, ...] = ()


_COUNTED = frozenset(
    {view_pb2.END_REASON_FINISHED, view_pb2.END_REASON_ABANDONED, view_pb2.END_REASON_WALKOVER}
)


def read_result(closed: TableClosed) -> MatchResult | Ignored:
    """The match of a closed table, or why it does not count; raises MalformedResultError."""
    if closed.room != view_pb2.ROOM_RANQUEADA:
        return "other_room"
    if "@" in closed.preset:
        return "house_preset"
    result = closed.result
    if result.reason not in _COUNTED:
        return "void"
    _check(closed)
    # A walkover has a winner as a match that was played to its end (ruling G-09).
    is_finished = result.reason != view_pb2.END_REASON_ABANDONED
    abandoned = set(result.abandoned_seats)
    players = tuple(
        PlayerResult(seat.player_id, side, "abandoned" if seat.index in abandoned else outcome)
        for seat in closed.seats
        if seat.kind == view_pb2.SEAT_KIND_PERSON
        for side in (side_of(closed.preset, seat.index),)
        for outcome in (_outcome(result.winners, side),)
        # Without an end there is no result for who was not absent either (ruling G-06).
        if is_finished or seat.index in abandoned
    )
    if not players:
        return "no_player"
    everyone_rated = is_finished and all(seat.kind == view_pb2.SEAT_KIND_PERSON for seat in closed.seats)
    ranks = _ranks(closed) if everyone_rated else ()
    ended_at = closed.ended_at.ToDatetime(tzinfo=UTC)
    return MatchResult(closed.table_id, closed.preset, ended_at, players, ranks)


def side_of(game: str, seat: int) -> int:
    """The side of a seat: {0, 2} and {1, 3}, or each its own (ruling G-02)."""
    return seat if game in WITHOUT_SIDES else seat % 2


def _outcome(winners: Sequence[int], side: int) -> Outcome:
    """Nobody won: a draw for all. Several won: they are tied for first, and have drawn."""
    if not winners:
        return "draw"
    if side not in winners:
        return "loss"
    return "win" if len(winners) == 1 else "draw"


def _ranks(closed: TableClosed) -> tuple[int, ...]:
    winners = set(closed.result.winners)
    sides = sorted({side_of(closed.preset, seat.index) for seat in closed.seats})
    return tuple(1 if not winners or side in winners else 2 for side in sides)


def _check(closed: TableClosed) -> None:
    if GAME.fullmatch(closed.preset) is None:
        raise MalformedResultError(f"{closed.preset!r} is no game of the Liga")
    if not closed.HasField("ended_at"):
        raise MalformedResultError("the result does not say when the match ended")
    people = [seat.player_id for seat in closed.seats if seat.kind == view_pb2.SEAT_KIND_PERSON]
    if len(set(people)) != len(people):
        raise MalformedResultError("a player has two seats")
    for text in (closed.table_id, *people):
        if not _is_uuid(text):
            raise MalformedResultError(f"{text!r} is not an id")
    if [seat.index for seat in closed.seats] != list(range(len(closed.seats))):
        raise MalformedResultError("the seats are not in order")


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
