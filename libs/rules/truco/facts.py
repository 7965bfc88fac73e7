"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it.

A hand without signals has the facts that it had before there were signals, so that older logs keep their hashes.
"""

from __future__ import annotations

from libs.rules.truco.state import CalledRaise, Play, State


def facts_of(state: State) -> dict[str, object]:
    """Cards by place, turn, stake, score; no clocks, no players, no switches (the table's first event has them)."""
    facts: dict[str, object] = {
        "score": state.score,
        "winner": state.winner,
        "hand": state.hand,
        "dealer": state.dealer,
        "vira": state.vira,
        "dealt": state.dealt,
        "hands": state.hands,
        "leader": state.leader,
        "to_play": state.to_play,
        "plays": _plays(state.plays),
        "tricks": [
            {"leader": trick.leader, "plays": _plays(trick.plays), "winner_seat": trick.winner_seat}
            for trick in state.tricks
        ],
        "value": state.value,
        "raising_sides": state.raising_sides,
        "pending": _raise(state.pending),
        "last_raise": _raise(state.last_raise),
        "eleven_side": state.eleven_side,
        "iron_hand": state.iron_hand,
        "blind": state.blind,
        "awaits_eleven_answer": state.awaits_eleven_answer,
        "folding": state.folding,
    }
    if state.signal_tables:
        facts["signal_tables"] = state.signal_tables
        facts["signals"] = [{"seat": signal.seat, "gesture": signal.gesture} for signal in state.signals]
    return facts


def _plays(plays: tuple[Play, ...]) -> list[dict[str, object]]:
    return [{"seat": play.seat, "card": play.card, "covered": play.covered} for play in plays]


def _raise(called: CalledRaise | None) -> dict[str, object] | None:
    if called is None:
        return None
    return {"by_seat": called.by_seat, "value": called.value, "on_empty_table": called.on_empty_table}
