"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it."""

from __future__ import annotations

from libs.rules.buraco.melds import Shape
from libs.rules.buraco.state import State


def facts_of(state: State) -> dict[str, object]:
    """Cards by place, turn, score; no clocks, no players, no switches (the table's first event has them)."""
    return {
        "score": state.score,
        "deal": state.deal,
        "starter": state.starter,
        "turn": state.turn,
        "to_play": state.to_play,
        "phase": state.phase,
        "hands": state.hands,
        "stock": state.stock,
        "mortos": state.mortos,
        "lixo": state.lixo,
        "melds": [{"number": meld.number, "side": meld.side, **_shape(meld.shape)} for meld in state.melds],
        "red_threes": state.red_threes,
        "takers": state.takers,
        "mortos_turned": state.mortos_turned,
        "unplayed": [{"seat": morto.seat, "red_threes": morto.red_threes} for morto in state.unplayed],
        "barred": state.barred,
        "took_lixo": state.took_lixo,
        "laid": state.laid,
        "idle_turns": state.idle_turns,
        "scored": None if state.scored is None else [side.total for side in state.scored],
        "winners": state.winners,
    }


def _shape(shape: Shape) -> dict[str, object]:
    return {
        "kind": shape.kind,
        "cards": shape.cards,
        "low": shape.low,
        "wilds": shape.wilds,
        "bound": shape.bound,
    }
