"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of one's own hand, of the top of the discard pile, of the vira, of what a hand that goes out lays down, and of
every hand once the match is over. The stock is only counted.
"""

from __future__ import annotations

from libs.rules.cacheta.cards import wild_faces
from libs.rules.cacheta.events import CachetaEvent, CardDrawn, RoundDealt, StockReshuffled
from libs.rules.cacheta.legal import legal_moves
from libs.rules.cacheta.state import State, phase_of
from libs.rules.cacheta.view import (
    CachetaSeen,
    CachetaView,
    CardDrawnSeen,
    HandView,
    RoundDealtSeen,
    StockReshuffledSeen,
    WindowView,
)

_latest: tuple[State, CachetaView] | None = None


def view(state: State, seat: int | None) -> CachetaView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the first deal.

    A seat's view is the public one, and what that seat alone may know in its place. The public one of the state that
    was looked at last is kept: every seat looks at a state in turn.
    """
    global _latest  # noqa: PLW0603 -- the same value whoever asks; read and written whole
    latest = _latest
    if latest is None or latest[0] is not state:
        latest = _latest = (state, _public_view(state))
    public = latest[1]
    return public if seat is None else _seats_view(state, seat, public)


def _public_view(state: State) -> CachetaView:
    if state.round == 0:
        raise ValueError("there is nothing to see before the first deal")
    is_over = state.is_over
    rules = state.rules
    window = None
    if state.discarder is not None:
        window = WindowView(state.discarder, state.may_claim, state.claimed, state.passed)
    return CachetaView(
        phase=phase_of(state),
        points=state.points,
        round=state.round,
        turn=state.turn,
        starter=state.starter,
        to_play=state.to_play,
        vira=state.vira,
        wilds=wild_faces(state.vira),
        stock_count=len(state.stock),
        discard_top=state.discards[-1] if state.discards else None,
        discard_count=len(state.discards),
        hands=tuple(
            [HandView(owner, len(held), held if is_over else ()) for owner, held in enumerate(state.hands)]
        ),
        announced=state.announced,
        burnt=state.burnt,
        window=window,
        voids=state.voids,
        legal_moves=(),
        winner=state.winner,
        seat=None,
        max_wilds=None if rules.cacheta_max_wilds == "none" else int(rules.cacheta_max_wilds),
        four_suit_set=rules.four_suit_set,
        laid=state.laid if is_over else (),
    )


def _seats_view(state: State, seat: int, public: CachetaView) -> CachetaView:
    hands = list(public.hands)
    held = state.hands[seat]
    hands[seat] = HandView(seat, len(held), held)
    return CachetaView(
        public.phase,
        public.points,
        public.round,
        public.turn,
        public.starter,
        public.to_play,
        public.vira,
        public.wilds,
        public.stock_count,
        public.discard_top,
        public.discard_count,
        tuple(hands),
        public.announced,
        public.burnt,
        public.window,
        public.voids,
        legal_moves(state, seat),
        public.winner,
        seat,
        public.max_wilds,
        public.four_suit_set,
        public.laid,
    )


def observe(event: CachetaEvent, seat: int | None) -> CachetaSeen:
    """What this viewer is told of an event: all of it but the cards of a deal, the order of a new stock, and the face of a
    card that another seat drew. What a deal gave to a seat stands in that seat's view.
    """
    match event:
        case RoundDealt():
            return RoundDealtSeen(event.round, event.starter, event.vira)
        case CardDrawn():
            card = event.card if event.seat == seat else None
            return CardDrawnSeen(event.round, event.turn, event.seat, card)
        case StockReshuffled():
            return StockReshuffledSeen(event.round, len(event.stock))
        case _:
            return event
