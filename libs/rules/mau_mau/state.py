"""A match of Mau Mau between two moves: the facts and nothing computed from them."""

from __future__ import annotations

import msgspec

from libs.rules.mau_mau.cards import Suit
from libs.rules.mau_mau.rule_set import RuleSet

LAST_TURN = 600
"""After so many turns the deal ends (M-02)."""


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows; `turn` is 0 before the deal.

    `hands` are in arrival order by seat. The stock's first card is drawn next, the pile's last one lies on top; `suit`
    is the one that counts on it. `step` is 1 while play goes in the order of the seats, else -1. `penalty` is what the
    seat to play owes. `forgot_seat` played down to one card without a call in the turn before; `accused` are the seats
    accused in this turn (M-08). A match that is over has nobody to play.
    """

    rules: RuleSet
    players: int
    turn: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    suit: Suit = "P"
    step: int = 1
    penalty: int = 0
    to_play: int | None = None
    has_drawn: bool = False
    shuffles: int = 0
    forgot_seat: int | None = None
    accused: tuple[int, ...] = ()
    is_over: bool = False
    winner: int | None = None


def has_cards_to_draw(state: State) -> bool:
    """Whether the stock has a card, or can have one by a shuffle of the pile (M-10)."""
    return bool(state.stock) or len(state.pile) > 1
