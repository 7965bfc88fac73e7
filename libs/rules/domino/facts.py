"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it."""

from __future__ import annotations

from libs.rules.domino.state import State, held_tiles


def facts_of(state: State) -> dict[str, object]:
    """Tiles by place, turn, score; no clocks, no players, no switches (the table's first event has them)."""
    deal = state.deal
    return {
        "score": state.score,
        "winner": state.winner,
        "round": deal.round,
        "starter": deal.starter,
        "opening": deal.opening,
        "dealt": deal.tiles,
        "hands": [held_tiles(state, seat) for seat in range(len(deal.tiles))],
        "turn": state.turn,
        "ends": state.ends,
        "to_play": state.to_play,
        "plays": [
            {"seat": play.seat, "tile": play.tile, "end": play.end, "ends": play.ends} for play in state.plays
        ],
        "passes": [{"turn": passed.turn, "seat": passed.seat} for passed in state.passes],
        "next_starter": state.standing.next_starter,
    }
