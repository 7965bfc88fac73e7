"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up."""

from __future__ import annotations

from libs.rules.domino.moves import DominoMove, PlayTile
from libs.rules.domino.state import State, held_tiles
from libs.rules.domino.tiles import HALVES, NAMES_WITH_NUMBER, WITH_NUMBER
from libs.rules.game import LegalMove

Listed = LegalMove[DominoMove]

_SHOWING = tuple(zip(WITH_NUMBER, NAMES_WITH_NUMBER, strict=True))
"""By a number: the tiles that show it, and the names in each mask of such tiles."""


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat: tiles to the left end, then tiles to the right one, each in the order of `tiles.NAMES`."""
    if seat != state.to_play:
        return ()
    deal, turn, ends = state.deal, state.turn, state.ends
    number = deal.round
    if ends is None:
        tiles = deal.tiles[seat] if deal.opening is None else (deal.opening,)
        return tuple([LegalMove(PlayTile(number, turn, tile)) for tile in tiles])
    held = deal.masks[seat] & state.unplayed
    left, right = ends
    # One list for both ends, and no comprehensions, which are calls: every move of a match goes through here.
    moves: list[Listed] = []
    showing, names = _SHOWING[left]
    for tile in names[held & showing]:
        moves.append(LegalMove(PlayTile(number, turn, tile, "left")))  # noqa: PERF401 -- see above
    showing, names = _SHOWING[right]
    for tile in names[held & showing]:
        moves.append(LegalMove(PlayTile(number, turn, tile, "right")))  # noqa: PERF401 -- see above
    return tuple(moves)


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
