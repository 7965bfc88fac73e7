"""A match of Mau Mau as one viewer may know it; mirrors `carteado.games.mau_mau.v1` field by field."""

from __future__ import annotations

import msgspec

from libs.rules.game import LegalMove
from libs.rules.mau_mau.cards import Suit
from libs.rules.mau_mau.events import (
    Accused,
    CardPlayed,
    DrawReason,
    MatchEnded,
    MauMauCalled,
    TurnPassed,
)
from libs.rules.mau_mau.moves import MauMauMove


class HandView(msgspec.Struct, frozen=True, gc=False):
    """What is known of a seat's cards: faces, in arrival order, only where the viewer may see them."""

    seat: int
    count: int
    cards: tuple[str, ...] = ()


class MauMauView(msgspec.Struct, frozen=True, gc=False):
    """The match as one viewer may know it.

    `top` is the card to follow, with `suit` as the suit that counts; `step` is 1 while play goes in the order of the
    seats, else -1; `penalty` is what the seat to play owes. `forgot_seat` has one card left and has not called, and
    `accused_seats` cannot be accused again in this turn (M-08). `winner` is None while the match goes on, and after a draw.
    """

    turn: int
    dealer: int
    top: str
    suit: Suit
    step: int
    penalty: int
    to_play: int | None
    has_drawn: bool
    stock_count: int
    pile_count: int
    hands: tuple[HandView, ...]
    legal_moves: tuple[LegalMove[MauMauMove], ...]
    is_over: bool
    winner: int | None
    seat: int | None
    forgot_seat: int | None = None
    accused_seats: tuple[int, ...] = ()


class CardsDealtSeen(msgspec.Struct, frozen=True, gc=False):
    """A new match, without its cards; the viewer's own stand in the view."""

    dealer: int
    turned: str
    first_seat: int
    step: int
    penalty: int


class CardsDrawnSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat drew so many cards; who drew them is told their faces."""

    turn: int
    seat: int
    count: int
    reason: DrawReason
    cards: tuple[str, ...] = ()


class PenaltyTakenSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat took the penalty; who took it is told the faces."""

    turn: int
    seat: int
    count: int
    next_seat: int | None
    cards: tuple[str, ...] = ()


class PileShuffledSeen(msgspec.Struct, frozen=True, gc=False):
    """The pile was shuffled under the stock, in an order that nobody is told."""

    number: int
    count: int


MauMauSeen = (
    CardsDealtSeen
    | CardPlayed
    | CardsDrawnSeen
    | PenaltyTakenSeen
    | TurnPassed
    | PileShuffledSeen
    | MauMauCalled
    | Accused
    | MatchEnded
)
