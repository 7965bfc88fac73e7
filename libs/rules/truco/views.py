"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of: one's own hand unless it is blind (R-20), the partner's hand while the side at eleven decides
(R-17), open cards on the table, and everything once the match is over.
"""

from __future__ import annotations

from libs.rules.truco.cards import MANILHA_RANK
from libs.rules.truco.events import CardPlayed, HandDealt, TrucoEvent
from libs.rules.truco.legal import held_positions, legal_moves
from libs.rules.truco.raising import raising_sides
from libs.rules.truco.state import Play, State, phase_of
from libs.rules.truco.view import (
    CardPlayedSeen,
    HandDealtSeen,
    HandView,
    PendingRaise,
    PlayedCardView,
    TrickView,
    TrucoSeen,
    TrucoView,
)


def view(state: State, seat: int | None) -> TrucoView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the first deal."""
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
        hands=tuple([_hand(state, owner, seat, is_over) for owner in range(state.players)]),
        legal_moves=() if seat is None else legal_moves(state, seat),
        winner=state.winner,
        seat=seat,
        folding_seats=state.folding,
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


def _hand(state: State, owner: int, viewer: int | None, is_over: bool) -> HandView:
    held = state.hands[owner]
    if is_over:
        faces = held
    elif viewer is None or state.blind:
        faces = ()
    elif viewer == owner or (state.awaits_eleven_answer and owner % 2 == state.eleven_side == viewer % 2):
        faces = held
    else:
        faces = ()
    return HandView(owner, len(held), faces, held_positions(state, owner) if viewer == owner else ())


def observe(event: TrucoEvent) -> TrucoSeen:
    """What anyone is told of an event: all of it but the cards of a deal and the face of a covered card.

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
