"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of: one's own hand unless it is blind (R-20), the partner's hand while the side at eleven decides
(R-17), open cards on the table, and everything once the match is over. What signals mean is shown to the own side (R-23).
"""

from __future__ import annotations

from functools import lru_cache

from libs.rules.truco.cards import MANILHA_RANK
from libs.rules.truco.events import CardPlayed, HandDealt, TrucoEvent
from libs.rules.truco.legal import held_positions, legal_moves
from libs.rules.truco.raising import raising_sides
from libs.rules.truco.signals import GESTURES
from libs.rules.truco.state import Play, State, phase_of
from libs.rules.truco.view import (
    CardPlayedSeen,
    HandDealtSeen,
    HandView,
    PendingRaise,
    PlayedCardView,
    SignalMeaning,
    SignalTable,
    TrickView,
    TrucoSeen,
    TrucoView,
)

_latest: tuple[State, TrucoView] | None = None


def view(state: State, seat: int | None) -> TrucoView:
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


def _public_view(state: State) -> TrucoView:
    if state.hand == 0:
        raise ValueError("there is nothing to see before the first deal")
    is_over = state.winner is not None
    pending = state.pending
    return TrucoView(
        phase=phase_of(state),
        score=state.score,
        hand=state.hand,
        dealer=state.dealer,
        vira=state.vira,
        manilha=MANILHA_RANK[state.vira[0]],
        value=state.value,
        may_raise_sides=raising_sides(state),
        pending_raise=None if pending is None else PendingRaise(pending.by_seat, pending.value),
        eleven_side=state.eleven_side,
        iron_hand=state.iron_hand,
        blind=state.blind,
        trick=len(state.tricks) + (0 if is_over and not state.plays else 1),
        tricks=_tricks(state, is_over),
        hands=tuple(
            [HandView(owner, len(held), held if is_over else ()) for owner, held in enumerate(state.hands)]
        ),
        legal_moves=(),
        winner=state.winner,
        seat=None,
        folding_seats=state.folding,
        signal_tables=_signal_tables(state.signal_tables) if is_over else (),
        signals=state.signals,
    )


def _seats_view(state: State, seat: int, public: TrucoView) -> TrucoView:
    is_over = state.winner is not None
    side = seat % 2
    hands = list(public.hands)
    if state.awaits_eleven_answer and side == state.eleven_side and not state.blind:
        for partner in range(side, state.players, 2):
            held = state.hands[partner]
            hands[partner] = HandView(partner, len(held), held)
    held = state.hands[seat]
    faces = held if is_over or not state.blind else ()
    hands[seat] = HandView(seat, len(held), faces, held_positions(state, seat))
    tables = public.signal_tables
    if state.signal_tables and not is_over:
        tables = _signal_tables(state.signal_tables)[side : side + 1]
    return TrucoView(
        public.phase,
        public.score,
        public.hand,
        public.dealer,
        public.vira,
        public.manilha,
        public.value,
        public.may_raise_sides,
        public.pending_raise,
        public.eleven_side,
        public.iron_hand,
        public.blind,
        public.trick,
        public.tricks,
        tuple(hands),
        legal_moves(state, seat),
        public.winner,
        seat,
        public.folding_seats,
        tables,
        public.signals,
    )


@lru_cache(maxsize=4096)
def _signal_tables(tables: tuple[str, ...]) -> tuple[SignalTable, ...]:
    """What the gestures of each side mean in a hand."""
    return tuple(
        [
            SignalTable(
                side, tuple([SignalMeaning(*meaning) for meaning in zip(GESTURES, suits, strict=True)])
            )
            for side, suits in enumerate(tables)
        ]
    )


def _tricks(state: State, is_over: bool) -> tuple[TrickView, ...]:
    ended = [
        TrickView(trick.leader, _plays(trick.plays, is_over), True, trick.winner_seat)
        for trick in state.tricks
    ]
    if state.plays or not is_over:
        ended.append(TrickView(state.leader, _plays(state.plays, is_over), False, None))
    return tuple(ended)


def _plays(plays: tuple[Play, ...], is_over: bool) -> tuple[PlayedCardView, ...]:
    return tuple(
        [
            PlayedCardView(play.seat, play.card if is_over or not play.covered else None, play.covered)
            for play in plays
        ]
    )


def observe(event: TrucoEvent) -> TrucoSeen:
    """What anyone is told of an event: all of it but the cards and signal tables of a deal and the face of a covered card.

    It is the same for every viewer; what a deal gave to a seat stands in that seat's view.
    """
    match event:
        case HandDealt():
            return HandDealtSeen(event.hand, event.dealer, event.vira, event.value, event.blind)
        case CardPlayed():
            shown = None if event.covered else event.card
            return CardPlayedSeen(event.hand, event.trick, event.seat, shown, event.covered)
        case _:
            return event
