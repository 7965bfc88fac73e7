"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from libs.rules.domino.moves import DominoMove, End, PlayTile
from libs.rules.domino.state import State, held_tiles
from libs.rules.domino.tiles import HALVES, NAMES, NAMES_WITH_NUMBER, WITH_NUMBER
from libs.rules.game import LegalMove

Listed = LegalMove[DominoMove]
Of = Callable[[str], Listed]

_MOMENTS_KEPT = 512


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat: tiles to the left end, then tiles to the right one, each in the order of `tiles.NAMES`."""
    if seat != state.to_play:
        return ()
    deal, ends = state.deal, state.ends
    opening, to_left, to_right = _moves_of_turn(deal.round, state.turn)
    if ends is None:
        return tuple(map(opening, deal.tiles[seat] if deal.opening is None else (deal.opening,)))
    held = deal.masks[seat] & state.unplayed
    left, right = ends
    return (
        *map(to_left, NAMES_WITH_NUMBER[left][held & WITH_NUMBER[left]]),
        *map(to_right, NAMES_WITH_NUMBER[right][held & WITH_NUMBER[right]]),
    )


@lru_cache(maxsize=_MOMENTS_KEPT)
def _moves_of_turn(number: int, turn: int) -> tuple[Of, Of, Of]:
    """From a tile to the move that opens with it, plays it to the left, or to the right. Kept, because the same turn comes
    in every match.
    """

    def towards(end: End | None) -> Of:
        return {tile: LegalMove(PlayTile(number, turn, tile, end)) for tile in NAMES}.__getitem__

    return towards(None), towards("left"), towards("right")


def automatic_move(state: State, seat: int) -> DominoMove:
    """What the server plays for an awaited seat: the last tile in dealt order that fits, to the left end if it fits
    both; in the first round, the 6-6 (G-08). Raises ValueError when the seat is not awaited.
    """
    if seat != state.to_play:
        raise ValueError(f"seat {seat} is not awaited")
    deal, ends = state.deal, state.ends
    held = held_tiles(state, seat)
    if ends is None:
        return PlayTile(deal.round, state.turn, deal.opening or held[-1])
    left, right = ends
    tile = next(tile for tile in reversed(held) if left in HALVES[tile] or right in HALVES[tile])
    return PlayTile(deal.round, state.turn, tile, "left" if left in HALVES[tile] else "right")
