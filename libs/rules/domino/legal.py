"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import compress, product
from operator import itemgetter

from libs.rules.domino.moves import DominoMove, End, PlayTile
from libs.rules.domino.state import State, held_tiles
from libs.rules.domino.tiles import HALVES, NAMES, NUMBERS, WITH_NUMBER, mask_of
from libs.rules.game import LegalMove

Listed = LegalMove[DominoMove]
Moves = Mapping[str, Listed]
Picker = Callable[[Moves], tuple[Listed, ...]]

_TURNS_KEPT = 512


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat: tiles to the left end, then tiles to the right one, each in the order of `tiles.NAMES`."""
    if seat != state.to_play:
        return ()
    deal, ends = state.deal, state.ends
    opening, to_left, to_right = _moves_of_turn(deal.round, state.turn)
    if ends is None:
        return tuple(
            [opening[tile] for tile in (deal.tiles[seat] if deal.opening is None else (deal.opening,))]
        )
    held = deal.masks[seat] & state.unplayed
    left, right = ends
    return _PICKERS[left][held & WITH_NUMBER[left]](to_left) + _PICKERS[right][held & WITH_NUMBER[right]](
        to_right
    )


@lru_cache(maxsize=_TURNS_KEPT)
def _moves_of_turn(number: int, turn: int) -> tuple[Moves, Moves, Moves]:
    """By tile, the moves that open with it, play it to the left, and to the right. Kept, because the same turn comes in every
    match.
    """

    def towards(end: End | None) -> Moves:
        return {tile: LegalMove(PlayTile(number, turn, tile, end)) for tile in NAMES}

    return towards(None), towards("left"), towards("right")


def _picker(tiles: Sequence[str]) -> Picker:
    """Takes the moves of just these tiles."""
    if not tiles:
        return lambda _moves: ()
    if len(tiles) == 1:
        (only,) = tiles
        return lambda moves: (moves[only],)
    return itemgetter(*tiles)


def _pickers(number: int) -> Mapping[int, Picker]:
    tiles = [tile for tile in NAMES if number in HALVES[tile]]
    chosen = [tuple(compress(tiles, bits)) for bits in product((False, True), repeat=len(tiles))]
    return {mask_of(some): _picker(some) for some in chosen}


_PICKERS = tuple(map(_pickers, NUMBERS))
"""By a number, and a mask of tiles that all show it: what takes their moves. A table, because every move of a match asks."""


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
