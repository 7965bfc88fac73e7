"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of one's own hand and of the card on top, and of every hand once the match is over. What one draws is told
to its owner alone; the order of the stock is told to nobody.
"""

from __future__ import annotations

from libs.rules.mau_mau.events import CardsDealt, CardsDrawn, MauMauEvent, PenaltyTaken, PileShuffled
from libs.rules.mau_mau.legal import legal_moves
from libs.rules.mau_mau.state import State
from libs.rules.mau_mau.view import (
    CardsDealtSeen,
    CardsDrawnSeen,
    HandView,
    MauMauSeen,
    MauMauView,
    PenaltyTakenSeen,
    PileShuffledSeen,
)


def view(state: State, seat: int | None) -> MauMauView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the deal."""
    if state.turn == 0:
        raise ValueError("there is nothing to see before the first deal")
    is_over = state.is_over
    return MauMauView(
        state.turn,
        state.dealer,
        state.pile[-1],
        state.suit,
        state.step,
        state.penalty,
        state.to_play,
        state.has_drawn,
        len(state.stock),
        len(state.pile),
        tuple(
            [
                HandView(owner, len(held), held if is_over or owner == seat else ())
                for owner, held in enumerate(state.hands)
            ]
        ),
        () if seat is None else legal_moves(state, seat),
        is_over,
        state.winner,
        seat,
        state.forgot_seat,
        state.accused,
    )


def observe(event: MauMauEvent, seat: int | None) -> MauMauSeen:
    """What this viewer is told of an event: all of it but cards that are hidden from it."""
    match event:
        case CardsDealt():
            return CardsDealtSeen(event.dealer, event.turned, event.first_seat, event.step, event.penalty)
        case CardsDrawn():
            shown = event.cards if event.seat == seat else ()
            return CardsDrawnSeen(event.turn, event.seat, len(event.cards), event.reason, shown)
        case PenaltyTaken():
            shown = event.cards if event.seat == seat else ()
            return PenaltyTakenSeen(event.turn, event.seat, len(event.cards), event.next_seat, shown)
        case PileShuffled():
            return PileShuffledSeen(event.number, len(event.order))
        case _:
            return event
