"""A match of Truco as one viewer may know it; mirrors `carteado.games.truco.v1` field by field."""

from __future__ import annotations

import msgspec

from libs.rules.game import LegalMove
from libs.rules.truco.events import (
    ElevenHandDeclined,
    ElevenHandPlayed,
    FoldProposed,
    HandEnded,
    IllegalRaisePunished,
    MatchEnded,
    RaiseAccepted,
    RaiseCalled,
    RaiseRefused,
    SignalSent,
    TrickEnded,
)
from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.signals import SentSignal


class PendingRaise(msgspec.Struct, frozen=True, gc=False):
    """A raise that waits for its answer."""

    by_seat: int
    value: int


class PlayedCardView(msgspec.Struct, frozen=True, gc=False):
    """A card on the table; `card` is None while it is covered."""

    seat: int
    card: str | None
    covered: bool


class TrickView(msgspec.Struct, frozen=True, gc=False):
    """One trick of the hand; `winner_seat` is None while it goes on and when it is tied."""

    leader: int
    cards: tuple[PlayedCardView, ...]
    is_over: bool
    winner_seat: int | None


class HandView(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What is known of a seat's cards: faces only where the viewer may see them, in dealt order.

    `positions` are the places, as dealt, of the cards still held: always given to the owner, so that a blind hand can
    be played; empty to everybody else.
    """

    seat: int
    count: int
    cards: tuple[str, ...] = ()
    positions: tuple[int, ...] = ()


class SignalMeaning(msgspec.Struct, frozen=True, gc=False):
    """A gesture means the manilha of this suit."""

    gesture: str
    suit: str


class SignalTable(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What a side's gestures mean in this hand (R-23)."""

    side: int
    meanings: tuple[SignalMeaning, ...]


class TrucoView(msgspec.Struct, frozen=True, gc=False):
    """The match as one viewer may know it.

    `phase` is `play`, `answer_raise`, `eleven_hand` or `over`; `may_raise_sides` have the right
    to the next raise. `folding_seats` want to run where that needs every member of the side (R-13). `signals` are those
    of this hand; `signal_tables` are the viewer's own side's, and both sides' once the match is over (R-23).
    """

    phase: str
    score: tuple[int, int]
    hand: int
    dealer: int
    vira: str
    manilha: str
    value: int
    may_raise_sides: tuple[int, ...]
    pending_raise: PendingRaise | None
    eleven_side: int | None
    iron_hand: bool
    blind: bool
    trick: int
    tricks: tuple[TrickView, ...]
    hands: tuple[HandView, ...]
    legal_moves: tuple[LegalMove[TrucoMove], ...]
    winner: int | None
    seat: int | None
    folding_seats: tuple[int, ...] = ()
    signal_tables: tuple[SignalTable, ...] = ()
    signals: tuple[SentSignal, ...] = ()


class HandDealtSeen(msgspec.Struct, frozen=True, gc=False):
    """A new hand, without its cards."""

    hand: int
    dealer: int
    vira: str
    value: int
    blind: bool


class CardPlayedSeen(msgspec.Struct, frozen=True, gc=False):
    """A card was played; `card` is None if it is covered."""

    hand: int
    trick: int
    seat: int
    card: str | None
    covered: bool


TrucoSeen = (
    HandDealtSeen
    | CardPlayedSeen
    | TrickEnded
    | RaiseCalled
    | RaiseAccepted
    | FoldProposed
    | RaiseRefused
    | ElevenHandPlayed
    | ElevenHandDeclined
    | IllegalRaisePunished
    | SignalSent
    | HandEnded
    | MatchEnded
)
