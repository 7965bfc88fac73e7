"""The facts of a match in plain JSON values, for the state hash. Form 1 is kept as it is: hashes in logs rest on it."""

from __future__ import annotations

from libs.rules.sueca.cards import BITS
from libs.rules.sueca.state import State


def facts_of(state: State) -> dict[str, object]:
    """Cards by place, turn, score; no clocks, no players, no switches (the table's first event has them)."""
    deal, unplayed = state.deal, state.unplayed
    return {
        "score": state.score,
        "carry": state.carry,
        "winner": state.winner,
        "hand": deal.hand,
        "dealer": deal.dealer,
        "trump_card": deal.trump_card,
        "dealt": deal.cards,
        "hands": [[card for card in cards if BITS[card] & unplayed] for cards in deal.cards],
        "leader": state.leader,
        "to_play": state.to_play,
        "plays": state.plays,
        "tricks": [
            {
                "leader": trick.leader,
                "cards": trick.cards,
                "winner_seat": trick.winner_seat,
                "points": trick.points,
            }
            for trick in state.tricks
        ],
    }
