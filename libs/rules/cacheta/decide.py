"""What a move brings about, or why it is refused: the rules of Cacheta, one short function a move.

Each function refuses in the same order: what has passed, what is not asked now, whose turn it is, what is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from libs.rules.cacheta.deal import reshuffled
from libs.rules.cacheta.events import (
    CachetaEvent,
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    JumpClaimed,
    JumpPassed,
    NaBoaAnnounced,
    WentOut,
)
from libs.rules.cacheta.layout import layout, melds_without
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
from libs.rules.cacheta.rejections import Code, refused
from libs.rules.cacheta.rounds import MOST_TURNS, round_void, round_won
from libs.rules.cacheta.state import State, asked_seats, phase_of, seat_after
from libs.rules.cacheta.window import closed, may_claim
from libs.rules.game import Rejection
from libs.rules.shuffle import Draws

Decision = Sequence[CachetaEvent] | Rejection


def decide(state: State, seat: int, move: CachetaMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    if state.is_over:
        return refused(Code.MATCH_OVER)
    if state.round == 0:
        return refused(Code.NOT_STARTED)
    if not 0 <= seat < state.players:
        return refused(Code.NO_SUCH_SEAT)
    if not state.points[seat]:
        return refused(Code.OUT_OF_THE_MATCH)
    if move.round != state.round:
        return refused(Code.STALE if move.round < state.round else Code.NOT_YET, round=state.round)
    if isinstance(move, AnnounceNaBoa):
        return _announce(state, seat)
    if move.turn != state.turn:
        return refused(Code.STALE if move.turn < state.turn else Code.NOT_YET, turn=state.turn)
    match move:
        case DrawStock() | TakeDiscard():
            return _wrong_time(state, seat, "draw") or _draw(state, seat, move, draws)
        case Discard():
            return _wrong_time(state, seat, "play") or _discard(state, seat, move, draws)
        case GoOut():
            return _wrong_time(state, seat, "play") or _go_out(state, seat, move, draws)
        case JumpQueue() | PassJump():
            return _answer(state, seat, move, draws)
        case _:
            assert_never(move)


def _wrong_time(state: State, seat: int, phase: str) -> Rejection | None:
    """Why this seat cannot act in its own turn now, if it cannot."""
    now = phase_of(state)
    acts = state.discarder if now == "window" else state.to_play
    if seat == acts and (now == "window" or (now, phase) == ("play", "draw")):
        # Its own doing of this turn, a second time.
        return refused(Code.STALE, turn=state.turn)
    if now == "window":
        return refused(Code.WRONG_PHASE, phase=now)
    if seat != state.to_play:
        return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
    return refused(Code.WRONG_PHASE, phase=now) if now != phase else None


def _draw(state: State, seat: int, move: DrawStock | TakeDiscard, draws: Draws) -> Decision:
    """One card, from the stock or from the discard pile (C-07); an empty stock is made anew, or voids the round (C-11)."""
    if isinstance(move, TakeDiscard):
        if not state.discards:
            return refused(Code.LIXO_EMPTY)
        return (DiscardTaken(state.round, state.turn, seat, state.discards[-1]),)
    if state.stock:
        return (CardDrawn(state.round, state.turn, seat, state.stock[0]),)
    if state.rules.empty_stock == "void" or len(state.discards) < 2:
        return round_void(state, "empty_stock", draws)
    anew = reshuffled(state, draws)
    return (anew, CardDrawn(state.round, state.turn, seat, anew.stock[0]))


def _discard(state: State, seat: int, move: Discard, draws: Draws) -> Decision:
    if move.card not in state.hands[seat]:
        return refused(Code.CARD_NOT_IN_HAND)
    following = seat_after(state.points, seat)
    asked = may_claim(state, seat, following)
    discarded = CardDiscarded(state.round, state.turn, seat, move.card, following, asked)
    if asked or state.turn < MOST_TURNS:
        return (discarded,)
    return (discarded, *round_void(state, "turns", draws))


def _go_out(state: State, seat: int, move: GoOut, draws: Draws) -> Decision:
    """All ten cards if they fit, whatever discard is named; else nine and a named discard (C-06)."""
    cards = state.hands[seat]
    if move.discard is not None and move.discard not in cards:
        return refused(Code.CARD_NOT_IN_HAND)
    able = layout(state.rules, state.vira, cards)
    if able.melds is not None:
        out = WentOut(state.round, state.turn, seat, able.melds)
    elif move.discard in able.discards and move.discard is not None:
        melds = melds_without(state.rules, state.vira, cards, move.discard)
        out = WentOut(state.round, state.turn, seat, melds, move.discard)
    elif able.discards and move.discard is None:
        return refused(Code.DISCARD_REQUIRED)
    else:
        return refused(Code.HAND_DOES_NOT_FIT)
    return (out, *round_won(state, out, draws))


def _announce(state: State, seat: int) -> Decision:
    """In time as long as the round goes on, whoever is awaited; nobody checks it (C-08)."""
    if seat in state.announced:
        return refused(Code.ALREADY_ANNOUNCED)
    return (NaBoaAnnounced(state.round, seat),)


def _answer(state: State, seat: int, move: JumpQueue | PassJump, draws: Draws) -> Decision:
    """A claim, or none; with the last answer the window closes (C-09)."""
    if not state.may_claim:
        return refused(Code.WRONG_PHASE, phase=phase_of(state))
    if seat == state.discarder:
        return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
    if seat not in state.may_claim:
        return refused(Code.BURNT if seat in state.burnt else Code.NOT_NA_BOA)
    asked = asked_seats(state)
    if seat not in asked:
        return refused(Code.STALE, turn=state.turn)
    answered: JumpClaimed | JumpPassed
    if isinstance(move, JumpQueue):
        answered, claimed = JumpClaimed(state.round, state.turn, seat), (*state.claimed, seat)
    else:
        answered, claimed = JumpPassed(state.round, state.turn, seat), state.claimed
    if len(asked) > 1:
        return (answered,)
    return (answered, *closed(state, claimed, draws))
