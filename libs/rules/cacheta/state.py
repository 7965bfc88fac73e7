"""A match of Cacheta between two moves: the facts and nothing computed from them."""

from __future__ import annotations

from typing import Literal

import msgspec

from libs.rules.cacheta.rule_set import RuleSet

Phase = Literal["draw", "play", "window", "over"]

STARTING_POINTS = 10
"""C-12: what everybody begins with."""


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows; `round` is 0 before the first deal.

    `stock` has its top card first, `discards` its top card last, `hands` are by seat and in arrival order; a seat that has
    fallen holds nothing. `to_play` has the turn, or the next one while `may_claim` are asked for the discard of this turn
    (C-09): `claimed` and `passed` have answered. `announced` and `burnt` last to the end of the round; `voids` are the void
    rounds in a row. `laid` are the winner's melds when the match is over.
    """

    rules: RuleSet
    players: int
    points: tuple[int, ...]
    is_over: bool = False
    winner: int | None = None
    round: int = 0
    turn: int = 0
    starter: int = 0
    vira: str = ""
    stock: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    to_play: int = 0
    has_drawn: bool = False
    announced: tuple[int, ...] = ()
    burnt: tuple[int, ...] = ()
    discarder: int | None = None
    may_claim: tuple[int, ...] = ()
    claimed: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    reshuffles: int = 0
    voids: int = 0
    laid: tuple[tuple[str, ...], ...] = ()


def phase_of(state: State) -> Phase:
    """What the match waits for; a match before its first deal waits for a draw."""
    if state.is_over:
        return "over"
    if state.may_claim:
        return "window"
    return "play" if state.has_drawn else "draw"


def asked_seats(state: State) -> tuple[int, ...]:
    """Who may still claim the discard, in turn order from the discarder (C-09)."""
    return tuple([seat for seat in state.may_claim if seat not in state.claimed and seat not in state.passed])


def seat_after(points: tuple[int, ...], seat: int) -> int:
    """The next seat clockwise that is still in the match (C-13)."""
    players = len(points)
    following = (seat + 1) % players
    while not points[following]:
        following = (following + 1) % players
    return following
