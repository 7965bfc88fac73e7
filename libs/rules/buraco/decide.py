"""What a move brings about, or why it is refused: the rules of the family, one short function a move.

Each refuses in the same order: what has passed, whose turn it is, what is not asked now, what is not legal. Where nothing can
follow upon a move but what stands in it, its events are given without folding them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from libs.rules.buraco.course import Course, turn_ended
from libs.rules.buraco.events import (
    BuracoEvent,
    CardDiscarded,
    LixoTaken,
    MeldExtended,
    MeldLaid,
    StockDrawn,
)
from libs.rules.buraco.laying import (
    discard_refusal,
    discardable,
    extended_meld,
    justified,
    lixo_refusal,
    new_meld,
)
from libs.rules.buraco.moves import (
    BuracoMove,
    Discard,
    DrawStock,
    EndTurn,
    ExtendMeld,
    LayMeld,
    TakeLixo,
)
from libs.rules.buraco.rejections import Code, refused
from libs.rules.buraco.state import State
from libs.rules.game import Rejection
from libs.rules.shuffle import Draws

Decision = Sequence[BuracoEvent] | Rejection


def decide(state: State, seat: int, move: BuracoMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    phase = state.phase
    if phase == "over":
        return refused(Code.MATCH_OVER)
    if state.deal == 0:
        return refused(Code.NOT_STARTED)
    if not 0 <= seat < state.players:
        return refused(Code.NO_SUCH_SEAT)
    if move.turn != state.turn:
        return refused(Code.STALE if move.turn < state.turn else Code.NOT_YET, turn=state.turn)
    if seat != state.to_play:
        return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
    # By type and not by `match`, which takes twice as long: this is asked at every move.
    if type(move) is DrawStock:
        return _draw_stock(state, seat, draws) if phase == "draw" else refused(Code.ALREADY_DREW)
    if type(move) is TakeLixo:
        return _take_lixo(state, seat, move, draws) if phase == "draw" else refused(Code.ALREADY_DREW)
    if phase == "draw":
        return refused(Code.DRAW_FIRST)
    if type(move) is Discard:
        return _discard(state, seat, move, draws)
    if type(move) is LayMeld:
        return _lay_meld(state, seat, move, draws)
    if type(move) is ExtendMeld:
        return _extend_meld(state, seat, move, draws)
    if type(move) is EndTurn:
        return _end_turn(state, seat, draws)
    assert_never(move)


def _draw_stock(state: State, seat: int, draws: Draws) -> Decision:
    stock = state.stock
    if not state.rules.special_threes and (len(stock) > 1 or state.mortos):
        return [StockDrawn(state.turn, seat, stock[0])]
    course = Course(state, draws)
    course.draws_from_stock(seat)
    return course.events


def _lay_meld(state: State, seat: int, move: LayMeld, draws: Draws) -> Decision:
    shape = new_meld(state, seat, move.cards)
    if isinstance(shape, Rejection):
        return shape
    return _laid(state, seat, MeldLaid(move.turn, seat, len(state.melds), shape), len(move.cards), draws)


def _extend_meld(state: State, seat: int, move: ExtendMeld, draws: Draws) -> Decision:
    shape = extended_meld(state, seat, move.meld, move.cards)
    if isinstance(shape, Rejection):
        return shape
    event = MeldExtended(move.turn, seat, move.meld, move.cards, shape)
    return _laid(state, seat, event, len(move.cards), draws)


def _laid(state: State, seat: int, event: MeldLaid | MeldExtended, count: int, draws: Draws) -> Decision:
    """So many cards are laid: an empty hand is a direct batida or the final one (B-35, B-40)."""
    if count < len(state.hands[seat]):
        return [event]
    course = Course(state, draws)
    course.happens(event)
    course.hand_is_empty(seat, direct=True)
    return course.events


def _end_turn(state: State, seat: int, draws: Draws) -> Decision:
    if discardable(state, seat):
        return refused(Code.MUST_DISCARD)
    course = Course(state, draws)
    course.ends_turn()
    return course.events


def _take_lixo(state: State, seat: int, move: TakeLixo, draws: Draws) -> Decision:
    lixo = state.lixo
    rejection = lixo_refusal(state)
    if rejection is not None:
        return rejection
    if not state.rules.justify_top:
        if move.cards or move.meld is not None:
            return refused(Code.NO_JUSTIFICATION_ASKED)
        is_barred = state.rules.one_card_lixo and len(lixo) == 1
        return [LixoTaken(move.turn, seat, lixo, lixo if is_barred else ())]
    placed = justified(state, seat, move.cards, move.meld)
    if isinstance(placed, Rejection):
        return placed
    course = Course(state, draws)
    course.happens(LixoTaken(move.turn, seat, lixo))
    if move.meld is None:
        course.happens(MeldLaid(move.turn, seat, placed.number, placed.shape))
    else:
        added = (*move.cards, lixo[-1])
        course.happens(MeldExtended(move.turn, seat, placed.number, added, placed.shape))
    if not course.state.hands[seat]:
        course.hand_is_empty(seat, direct=True)
    return course.events


def _discard(state: State, seat: int, move: Discard, draws: Draws) -> Decision:
    rejection = discard_refusal(state, seat, move.card)
    if rejection is not None:
        return rejection
    event = CardDiscarded(move.turn, seat, move.card)
    if len(state.hands[seat]) > 1 and state.stock:
        return [event, turn_ended(state)]
    course = Course(state, draws)
    course.happens(event)
    if not course.state.hands[seat]:
        course.hand_is_empty(seat, direct=False)
    if course.turn_goes_on:
        course.ends_turn()
    return course.events
