"""A match of Truco between two moves: the facts and nothing computed from them."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from libs.rules.truco.rule_set import RuleSet
from libs.rules.truco.signals import SentSignal

Phase = Literal["play", "answer_raise", "eleven_hand", "over"]


class Play(msgspec.Struct, frozen=True, gc=False):
    """A card on the table."""

    seat: int
    card: str
    covered: bool


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A trick that is over; no winner means a tie."""

    leader: int
    plays: tuple[Play, ...]
    winner_seat: int | None


class CalledRaise(msgspec.Struct, frozen=True, gc=False):
    """A raise as it was called; `on_empty_table` when the trick had no card yet (R-09)."""

    by_seat: int
    value: int
    on_empty_table: bool


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows; `hand` is 0 before the first deal.

    `dealt` are the cards as dealt, `hands` what is left of them, both by seat and in dealt order. `raising_sides` may
    call the next raise. `pending` waits for its answer, `last_raise` is the last accepted one of this hand.
    `folding` are the members of the asked side that want to run when that needs all of them (R-13). `signal_tables` are
    empty where there are no signals; `signals` are those of this hand (R-23).
    """

    rules: RuleSet
    players: int
    score: tuple[int, int] = (0, 0)
    winner: int | None = None
    hand: int = 0
    dealer: int = 0
    vira: str = ""
    dealt: tuple[tuple[str, ...], ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    leader: int = 0
    to_play: int | None = None
    plays: tuple[Play, ...] = ()
    tricks: tuple[Trick, ...] = ()
    value: int = 1
    raising_sides: tuple[int, ...] = ()
    pending: CalledRaise | None = None
    last_raise: CalledRaise | None = None
    eleven_side: int | None = None
    iron_hand: bool = False
    blind: bool = False
    awaits_eleven_answer: bool = False
    folding: tuple[int, ...] = ()
    signal_tables: tuple[str, ...] = ()
    signals: tuple[SentSignal, ...] = ()


def phase_of(state: State) -> Phase:
    """What the match waits for; a match before its first deal waits for play."""
    if state.winner is not None:
        return "over"
    if state.pending is not None:
        return "answer_raise"
    if state.awaits_eleven_answer:
        return "eleven_hand"
    return "play"


def asked_side(state: State) -> int | None:
    """The side that must answer a raise or a mão de onze, if one must."""
    if state.pending is not None:
        return 1 - state.pending.by_seat % 2
    return state.eleven_side if state.awaits_eleven_answer else None


def answering_seats(state: State) -> tuple[int, ...]:
    """The members of the asked side that have not answered, in order of play: after the caller, else from the leader."""
    side = asked_side(state)
    if side is None:
        return ()
    first = state.leader if state.pending is None else state.pending.by_seat + 1
    return _members(side, first, state.players, state.folding)


@lru_cache(maxsize=1024)
def _members(side: int, first: int, players: int, folding: tuple[int, ...]) -> tuple[int, ...]:
    order = [(first + step) % players for step in range(players)]
    return tuple([seat for seat in order if seat % 2 == side and seat not in folding])
