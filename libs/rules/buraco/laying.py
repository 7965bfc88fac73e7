"""What would come of laying, adding, taking the lixo or discarding: the judgement that deciding and describing share.

Each function gives what would lie on the table, or why it may not.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from libs.rules.buraco.cards import BLACK_THREES, IS_WILD, SUIT
from libs.rules.buraco.going_out import barred_cards, leaves_enough, may_go_out, may_take_morto
from libs.rules.buraco.melds import Shape, enlarged, judge
from libs.rules.buraco.rejections import Code, refused
from libs.rules.buraco.state import State, own_meld, own_shapes
from libs.rules.game import Rejection

IDLE_TURNS = 40
"""B-28: after so many turns running without a card from the stock or a card laid the lixo may not be taken."""


class Justified(msgspec.Struct, frozen=True, gc=False):
    """Where the top card of the lixo goes: into a meld of this number, which then has this shape."""

    number: int
    shape: Shape


def names_held_cards(hand: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether these are different cards of the hand."""
    if len(cards) > len(hand):
        return False
    named = set(cards)
    return len(named) == len(cards) and named.issubset(hand)


def new_meld(state: State, seat: int, cards: Sequence[str]) -> Shape | Rejection:
    """The meld that cards of the hand make (B-04)."""
    hand = state.hands[seat]
    if not names_held_cards(hand, cards):
        return refused(Code.CARD_NOT_IN_HAND)
    shape = _new_shape(state, seat, cards)
    if isinstance(shape, Rejection):
        return shape
    return shape if _may_leave(state, seat, cards, shape, None) else refused(Code.KEEP_A_CARD)


def extended_meld(state: State, seat: int, number: int, cards: Sequence[str]) -> Shape | Rejection:
    """A meld of one's own side with cards of the hand added (B-11, B-26)."""
    meld = own_meld(state, seat, number)
    if meld is None:
        return refused(Code.NO_SUCH_MELD)
    if not names_held_cards(state.hands[seat], cards):
        return refused(Code.CARD_NOT_IN_HAND)
    shape = enlarged(state.rules, meld.shape, cards) if cards else None
    if shape is None:
        return refused(Code.NOT_A_MELD)
    return shape if _may_leave(state, seat, cards, shape, number) else refused(Code.KEEP_A_CARD)


def _may_leave(state: State, seat: int, cards: Sequence[str], shape: Shape, number: int | None) -> bool:
    hand = state.hands[seat]
    if len(hand) - len(cards) >= 2 and not state.barred:
        return True
    left = [card for card in hand if card not in cards]
    return leaves_enough(state, seat % 2, left, lambda: (*own_shapes(state, seat, number), shape))


def _new_shape(state: State, seat: int, cards: Sequence[str]) -> Shape | Rejection:
    shape = judge(state.rules, cards)
    if shape is None:
        return refused(Code.NOT_A_MELD)
    return refused(Code.DUPLICATE_MELD) if _is_duplicate(state, seat, shape) else shape


def _is_duplicate(state: State, seat: int, shape: Shape) -> bool:
    """A second set of a rank or run of a suit of the side, where there may be one only (B-24)."""
    if state.rules.duplicate_melds:
        return False
    return any(_is_same_kind(shape, own) for own in own_shapes(state, seat, None))


def _is_same_kind(shape: Shape, own: Shape) -> bool:
    if shape.kind != own.kind:
        return False
    return suit_of(shape) == suit_of(own) if shape.kind == "run" else shape.low == own.low


def suit_of(shape: Shape) -> int:
    """The suit of a run."""
    return SUIT[next(card for card in shape.cards if card not in shape.wilds)]


def lixo_refusal(state: State) -> Rejection | None:
    """Why nobody could take the lixo now, if so (B-03, B-28, B-31, T-07)."""
    if not state.lixo:
        return refused(Code.LIXO_EMPTY)
    top = state.lixo[-1]
    if state.rules.special_threes and top in BLACK_THREES:
        return refused(Code.LIXO_LOCKED)
    if state.idle_turns >= IDLE_TURNS:
        return refused(Code.LIXO_EXHAUSTED)
    if state.rules.justify_top and not state.rules.wild_top_takeable and IS_WILD[top]:
        return refused(Code.TOP_NOT_JUSTIFIED)
    return None


def justified(state: State, seat: int, cards: Sequence[str], number: int | None) -> Justified | Rejection:
    """What the top card of a lixo that one may take would become with these cards of the hand (B-29, B-30)."""
    hand, top = state.hands[seat], state.lixo[-1]
    if not names_held_cards(hand, cards):
        return refused(Code.CARD_NOT_IN_HAND)
    if number is None:
        shape = judge(state.rules, (*cards, top)) if len(cards) >= 2 else None
        if shape is not None and _is_duplicate(state, seat, shape):
            return refused(Code.DUPLICATE_MELD)
    else:
        meld = own_meld(state, seat, number)
        if meld is None:
            return refused(Code.NO_SUCH_MELD)
        shape = enlarged(state.rules, meld.shape, (*cards, top))
    if shape is None:
        return refused(Code.TOP_NOT_JUSTIFIED)
    if state.rules.justify_naturals_only and any(card in shape.wilds for card in cards):
        return refused(Code.TOP_NOT_JUSTIFIED)
    left = [*(card for card in hand if card not in cards), *state.lixo[:-1]]
    if not leaves_enough(state, seat % 2, left, lambda: (*own_shapes(state, seat, number), shape)):
        return refused(Code.KEEP_A_CARD)
    return Justified(len(state.melds) if number is None else number, shape)


def discard_refusal(state: State, seat: int, card: str) -> Rejection | None:
    """Why this card may not be discarded, if so (B-32, B-39)."""
    hand = state.hands[seat]
    if card not in hand:
        return refused(Code.CARD_NOT_IN_HAND)
    if state.barred and card in barred_cards(state):
        return refused(Code.CARD_BARRED)
    if len(hand) == 1 and not may_empty(state, seat):
        return refused(Code.KEEP_A_CARD)
    return None


def may_empty(state: State, seat: int) -> bool:
    """Whether the hand may be emptied with the melds as they lie (B-39)."""
    side = seat % 2
    return may_take_morto(state, side) or may_go_out(state, side, own_shapes(state, seat, None))


def discardable(state: State, seat: int) -> tuple[str, ...]:
    """The cards that may be discarded, in order of arrival."""
    hand = state.hands[seat]
    if len(hand) == 1:
        return hand if discard_refusal(state, seat, hand[0]) is None else ()
    if not state.barred:
        return hand
    barred = barred_cards(state)
    return tuple([card for card in hand if card not in barred])
