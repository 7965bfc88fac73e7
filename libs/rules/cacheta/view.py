"""A match of Cacheta as one viewer may know it; mirrors `carteado.games.cacheta.v1` field by field."""

from __future__ import annotations

import msgspec

from libs.rules.cacheta.events import (
    CardDiscarded,
    DiscardTaken,
    JumpClaimed,
    JumpFailed,
    JumpPassed,
    MatchEnded,
    NaBoaAnnounced,
    RoundEnded,
    RoundVoided,
    WentOut,
    WindowClosed,
)
from libs.rules.cacheta.moves import CachetaMove
from libs.rules.game import LegalMove


class HandView(msgspec.Struct, frozen=True, gc=False):
    """What is known of a seat's cards: faces only where the viewer may see them, in arrival order."""

    seat: int
    count: int
    cards: tuple[str, ...] = ()


class WindowView(msgspec.Struct, frozen=True, gc=False):
    """A discard that may be claimed: by whom it was, who is asked in turn order, and who has answered what (C-09)."""

    discarder: int
    may_claim: tuple[int, ...]
    claimed: tuple[int, ...]
    passed: tuple[int, ...]


class CachetaView(msgspec.Struct, frozen=True, gc=False):
    """The match as one viewer may know it.

    `phase` is `draw`, `play`, `window` or `over`. `points` are by seat; who has none has fallen. `to_play` has the turn, in
    the window the next one. `wilds` are faces such as "9P". Of the discard pile only the top card is visible. `max_wilds`
    (None: no limit) and `four_suit_set` are what melds are judged by (C-03, C-04). `laid` are the melds of who went out
    last, once the match is over.
    """

    phase: str
    points: tuple[int, ...]
    round: int
    turn: int
    starter: int
    to_play: int
    vira: str
    wilds: tuple[str, ...]
    stock_count: int
    discard_top: str | None
    discard_count: int
    hands: tuple[HandView, ...]
    announced: tuple[int, ...]
    burnt: tuple[int, ...]
    window: WindowView | None
    voids: int
    legal_moves: tuple[LegalMove[CachetaMove], ...]
    winner: int | None
    seat: int | None
    max_wilds: int | None = None
    four_suit_set: bool = False
    laid: tuple[tuple[str, ...], ...] = ()


class RoundDealtSeen(msgspec.Struct, frozen=True, gc=False):
    """A new round, without its cards."""

    round: int
    starter: int
    vira: str


class CardDrawnSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat drew from the stock; `card` is None to everybody else."""

    round: int
    turn: int
    seat: int
    card: str | None


class StockReshuffledSeen(msgspec.Struct, frozen=True, gc=False):
    """The discard pile became the stock, which has so many cards (C-11)."""

    round: int
    stock_count: int


CachetaSeen = (
    RoundDealtSeen
    | CardDrawnSeen
    | StockReshuffledSeen
    | DiscardTaken
    | CardDiscarded
    | NaBoaAnnounced
    | JumpClaimed
    | JumpPassed
    | JumpFailed
    | WindowClosed
    | WentOut
    | RoundEnded
    | RoundVoided
    | MatchEnded
)
