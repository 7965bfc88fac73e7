"""Matches at any point, and states that a viewer cannot tell apart: what the properties of this folder are shown on."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from msgspec.structs import replace

from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.moves import PlayTile
from libs.rules.domino.state import State, held_tiles
from libs.rules.domino.tiles import HALVES, NAMES, mask_of
from libs.rules.game import Seat
from tests.libs.rules.domino.tables import SEATS, ChanceMatch

MOST_MOVES = 150


@st.composite
def running_matches(draw: st.DrawFn) -> ChanceMatch:
    """A match after some moves by chance, not over."""
    match = ChanceMatch(f"situation {draw(st.integers(0, 2**32))}")
    for _ in range(draw(st.integers(0, MOST_MOVES))):
        seat = match.state.to_play
        assert seat is not None
        match.step()
        if match.is_over:
            return ChanceMatch(match.seed)
    return match


def viewers() -> st.SearchStrategy[Seat | None]:
    """A seat, or a spectator."""
    return st.sampled_from([None, *SEATS])


def hidden_tiles(state: State, viewer: Seat | None) -> set[str]:
    """The tiles that a viewer may not know the place of."""
    return {tile for seat in SEATS if seat != viewer for tile in held_tiles(state, seat)}


def hidden_twin(state: State, viewer: Seat | None, chance: random.Random) -> tuple[State, dict[str, str]]:
    """Another state that this viewer cannot tell from this one, and which tile stands for which in it.

    Passes and the opening are public: who passed holds nothing that fitted then, and the 6-6 stays where it is known to be.
    """
    hidden = sorted(hidden_tiles(state, viewer))
    owner = {tile: seat for seat in SEATS for tile in held_tiles(state, seat)}
    barred = passed_numbers(state)
    to_play, ends = state.to_play, state.ends
    for _ in range(200):
        moved = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
        place = {moved[tile]: owner[tile] for tile in hidden}
        if any(set(HALVES[tile]) & barred[seat] for tile, seat in place.items()):
            continue
        # Whoever is to play has something that fits, as everybody knows who sees that they did not pass.
        own = [tile for tile, seat in place.items() if seat == to_play]
        if viewer != to_play and ends is not None and not any(set(HALVES[tile]) & set(ends) for tile in own):
            continue
        if state.turn == 1 and state.deal.opening and place.get("6-6", to_play) != to_play:
            continue
        break
    else:
        moved = {tile: tile for tile in hidden}
    tile_of = {tile: moved.get(tile, tile) for tile in NAMES}
    tiles = tuple(tuple(tile_of[tile] for tile in hand) for hand in state.deal.tiles)
    deal = replace(state.deal, tiles=tiles, masks=tuple(map(mask_of, tiles)))
    return replace(state, deal=deal), tile_of


def passed_numbers(state: State) -> dict[Seat, set[int]]:
    """By seat, the numbers that it is known not to hold."""
    barred: dict[Seat, set[int]] = {seat: set() for seat in SEATS}
    for passed in state.passes:
        barred[Seat(passed.seat)] |= set(state.plays[passed.turn - 2].ends)
    return barred


def thinkable_moves(state: State) -> list[PlayTile]:
    """Far more than is legal: every tile to either end and none, the moments around this one, and nonsense."""
    number, turn = state.deal.round, state.turn
    tiles = [*NAMES, "", "7-7", "6-5", "6", "\u0000", "0-0 0-0"]
    moves = [PlayTile(number, turn, tile, end) for tile in tiles for end in ("left", "right", None)]
    around = [
        (number - 1, turn),
        (number + 1, turn),
        (number, turn - 1),
        (number, turn + 1),
        (-1, -1),
        (0, 0),
    ]
    return moves + [
        PlayTile(*moment, tile, end) for moment in around for tile in NAMES[::5] for end in ("left", None)
    ]


def listed(state: State, seat: Seat) -> list[PlayTile]:
    """The listed moves of a seat, each once."""
    moves = [legal.move for legal in GAME.legal_moves(state, seat)]
    assert len(moves) == len(set(moves))
    return moves
