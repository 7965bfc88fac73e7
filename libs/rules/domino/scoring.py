"""What a round that is over is worth, and to whom (D-02, D-05 to D-08)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libs.rules.domino.events import Ending, RoundEnded, TilePlayed
from libs.rules.domino.state import State
from libs.rules.domino.tiles import pips_left

POINTS_TO_WIN = 50
"""A side that reaches or passes this score has won (D-09)."""


def round_ended(state: State, last: TilePlayed, unplayed: int) -> RoundEnded:
    """The end of the round that this last tile brings about; `unplayed` are the tiles left in hands, as a mask.

    After a block with equal pips the other pair than that of the last tile wins, with as many points (D-07).
    """
    deal, seat = state.deal, last.seat
    pips = tuple([pips_left(tiles, unplayed) for tiles in deal.tiles])
    sides = (pips[0] + pips[2], pips[1] + pips[3])
    own = seat % 2
    if not deal.masks[seat] & unplayed:
        ending: Ending = "went_out"
        winner, next_starter = own, seat
    else:
        ending, winner = _blocked(sides, own)
        next_starter = last_player((*state.plays, last), winner)
    points = sides[1 - winner]
    assert points >= 1, "no round is worth nothing (D-08)"
    a, b = state.score
    score = (a + points, b) if winner == 0 else (a, b + points)
    return RoundEnded(deal.round, ending, seat, pips, winner, points, score, next_starter)


def _blocked(sides: Sequence[int], locking_side: int) -> tuple[Ending, int]:
    """How a block with these pips ends, and the side that wins it."""
    if sides[0] == sides[1]:
        return "blocked_tied", 1 - locking_side
    return "blocked", 0 if sides[0] < sides[1] else 1


def last_player(plays: Sequence[TilePlayed], side: int) -> int:
    """The member of a side who last played a tile: by the time of a block each side has played one (D-02)."""
    played: Iterable[int] = (play.seat for play in reversed(plays) if play.seat % 2 == side)
    found = next(iter(played), None)
    assert found is not None, "a round is not blocked before both sides have played"
    return found
