"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up.

A claim that would burn is listed with its consequence (C-10): it is accepted, but nobody offers it.
"""

from __future__ import annotations

from functools import lru_cache

from libs.rules.cacheta.layout import layout
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    CachetaMove,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.cacheta.state import State, asked_seats
from libs.rules.cacheta.window import claim_of
from libs.rules.game import LegalMove

Listed = LegalMove[CachetaMove]

BURNS = "burns"
"""The claim cannot go out, so who makes it may not jump the queue any more in this round (C-10)."""


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat: draws, discards in the hand's order, ways to go out; claims; at last the announcement, which
    is in time whoever is awaited.
    """
    if state.is_over or state.round == 0 or not 0 <= seat < state.players or not state.points[seat]:
        return ()
    moves = _awaited_moves(state, seat)
    return moves if seat in state.announced else (*moves, _announcement(state.round))


@lru_cache(maxsize=512)
def _announcement(number: int) -> Listed:
    return LegalMove(AnnounceNaBoa(number))


def _awaited_moves(state: State, seat: int) -> tuple[Listed, ...]:
    if state.may_claim:
        return _answers(state, seat) if seat in asked_seats(state) else ()
    if seat != state.to_play:
        return ()
    number, turn = state.round, state.turn
    if not state.has_drawn:
        draw = LegalMove[CachetaMove](DrawStock(number, turn))
        return (draw, LegalMove(TakeDiscard(number, turn))) if state.discards else (draw,)
    cards = state.hands[seat]
    moves: list[Listed] = [LegalMove(Discard(number, turn, card)) for card in cards]
    moves += [LegalMove(GoOut(number, turn, card)) for card in _ways_out(state, cards)]
    return tuple(moves)


def _ways_out(state: State, cards: tuple[str, ...]) -> tuple[str | None, ...]:
    """The discards that a command to go out may name: none or any where all ten fit, else those that leave nine (C-06)."""
    able = layout(state.rules, state.vira, cards)
    return able.discards if able.melds is None else (None, *cards)


def _answers(state: State, seat: int) -> tuple[Listed, ...]:
    burns = seat != state.to_play and not claim_of(state, seat).goes_out
    claim = LegalMove[CachetaMove](JumpQueue(state.round, state.turn), BURNS if burns else "")
    return (claim, LegalMove(PassJump(state.round, state.turn)))


def automatic_move(state: State, seat: int) -> CachetaMove:
    """What the server plays for an awaited seat: it draws from the stock; it goes out if ten or nine fit, and else discards
    the card just drawn; it claims nothing (G-08). Raises ValueError when the seat is not awaited.
    """
    if seat in asked_seats(state):
        return PassJump(state.round, state.turn)
    if seat != state.to_play or state.may_claim or state.is_over:
        raise ValueError(f"seat {seat} is not awaited")
    if not state.has_drawn:
        return DrawStock(state.round, state.turn)
    cards = state.hands[seat]
    able = layout(state.rules, state.vira, cards)
    if able.goes_out:
        return GoOut(state.round, state.turn, None if able.melds is not None else able.discards[-1])
    return Discard(state.round, state.turn, cards[-1])
