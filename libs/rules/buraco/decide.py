"""What a move brings about, or why it is refused: the rules of the family, one short function a move.

Each refuses in the same order: what has passed, whose turn it is, what is not asked now, what is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from libs.rules.buraco.course import Course
from libs.rules.buraco.events import BuracoEvent, CardDiscarded, LixoTaken, MeldExtended, MeldLaid
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

_DRAWS = (DrawStock, TakeLixo)


def decide(state: State, seat: int, move: BuracoMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    if state.phase == "over":
        return refused(Code.MATCH_OVER)
    if state.deal == 0:
        return refused(Code.NOT_STARTED)
    if not 0 <= seat < state.players:
        return refused(Code.NO_SUCH_SEAT)
    if move.turn != state.turn:
        return refused(Code.STALE if move.turn < state.turn else Code.NOT_YET, turn=state.turn)
    if seat != state.to_play:
        return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
    is_draw = isinstance(move, _DRAWS)
    if is_draw != (state.phase == "draw"):
        return refused(Code.ALREADY_DREW if is_draw else Code.DRAW_FIRST)
    course = Course(state, draws)
    rejection = _played(course, seat, move)
    return course.events if rejection is None else rejection


def _played(course: Course, seat: int, move: BuracoMove) -> Rejection | None:
    match move:
        case DrawStock():
            course.draws_from_stock(seat)
            return None
        case Discard():
            return _discard(course, seat, move)
        case TakeLixo():
            return _take_lixo(course, seat, move)
        case LayMeld():
            shape = new_meld(course.state, seat, move.cards)
            if isinstance(shape, Rejection):
                return shape
            course.happens(MeldLaid(move.turn, seat, len(course.state.melds), shape))
            _laid(course, seat)
            return None
        case ExtendMeld():
            shape = extended_meld(course.state, seat, move.meld, move.cards)
            if isinstance(shape, Rejection):
                return shape
            course.happens(MeldExtended(move.turn, seat, move.meld, move.cards, shape))
            _laid(course, seat)
            return None
        case EndTurn():
            if discardable(course.state, seat):
                return refused(Code.MUST_DISCARD)
            course.ends_turn()
            return None
        case _:
            assert_never(move)


def _laid(course: Course, seat: int) -> None:
    """After cards were laid: an empty hand is a direct batida or the final one (B-35, B-40)."""
    if not course.state.hands[seat]:
        course.hand_is_empty(seat, direct=True)


def _take_lixo(course: Course, seat: int, move: TakeLixo) -> Rejection | None:
    state = course.state
    rejection = lixo_refusal(state)
    if rejection is not None:
        return rejection
    if not state.rules.justify_top:
        if move.cards or move.meld is not None:
            return refused(Code.NO_JUSTIFICATION_ASKED)
        is_barred = state.rules.one_card_lixo and len(state.lixo) == 1
        course.happens(LixoTaken(move.turn, seat, state.lixo, state.lixo if is_barred else ()))
        return None
    placed = justified(state, seat, move.cards, move.meld)
    if isinstance(placed, Rejection):
        return placed
    added = (*move.cards, state.lixo[-1])
    course.happens(LixoTaken(move.turn, seat, state.lixo))
    if move.meld is None:
        course.happens(MeldLaid(move.turn, seat, placed.number, placed.shape))
    else:
        course.happens(MeldExtended(move.turn, seat, placed.number, added, placed.shape))
    _laid(course, seat)
    return None


def _discard(course: Course, seat: int, move: Discard) -> Rejection | None:
    rejection = discard_refusal(course.state, seat, move.card)
    if rejection is not None:
        return rejection
    course.happens(CardDiscarded(move.turn, seat, move.card))
    if not course.state.hands[seat]:
        course.hand_is_empty(seat, direct=False)
    if course.turn_goes_on:
        course.ends_turn()
    return None
