"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it."""

from __future__ import annotations

from libs.rules.domino.events import SeatPassed, TilePlayed
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
        "history": [_happened(event) for event in state.history],
        "next_starter": state.next_starter,
    }


def _happened(event: TilePlayed | SeatPassed) -> dict[str, object]:
    if isinstance(event, SeatPassed):
        return {"turn": event.turn, "seat": event.seat, "pass": True}
    return {"turn": event.turn, "seat": event.seat, "tile": event.tile, "end": event.end, "ends": event.ends}
