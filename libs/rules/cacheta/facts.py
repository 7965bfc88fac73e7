"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it."""

from __future__ import annotations

from libs.rules.cacheta.state import State


def facts_of(state: State) -> dict[str, object]:
    """Cards by place, turn, answers, points; no clocks, no players, no switches (the table's first event has them)."""
    return {
        "points": state.points,
        "is_over": state.is_over,
        "winner": state.winner,
        "round": state.round,
        "turn": state.turn,
        "starter": state.starter,
        "vira": state.vira,
        "stock": state.stock,
        "discards": state.discards,
        "hands": state.hands,
        "to_play": state.to_play,
        "has_drawn": state.has_drawn,
        "announced": state.announced,
        "burnt": state.burnt,
        "discarder": state.discarder,
        "may_claim": state.may_claim,
        "claimed": state.claimed,
        "passed": state.passed,
        "reshuffles": state.reshuffles,
        "voids": state.voids,
        "laid": state.laid,
    }
