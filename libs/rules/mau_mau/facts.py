"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it."""

from __future__ import annotations

from libs.rules.mau_mau.state import State


def facts_of(state: State) -> dict[str, object]:
    """Cards by place, turn, direction, penalty, result; no clocks, no players, no switches (the table has them)."""
    return {
        "turn": state.turn,
        "dealer": state.dealer,
        "hands": state.hands,
        "stock": state.stock,
        "pile": state.pile,
        "suit": state.suit,
        "step": state.step,
        "penalty": state.penalty,
        "to_play": state.to_play,
        "has_drawn": state.has_drawn,
        "shuffles": state.shuffles,
        "forgot_seat": state.forgot_seat,
        "accused": state.accused,
        "is_over": state.is_over,
        "winner": state.winner,
    }
