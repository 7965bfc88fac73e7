"""A match of Sueca as one viewer may know it; mirrors `carteado.games.sueca.v1` field by field."""

from __future__ import annotations

import msgspec

from libs.rules.game import LegalMove
from libs.rules.sueca.events import CardPlayed, HandEnded, MatchEnded, TrickEnded
from libs.rules.sueca.moves import SuecaMove


class PlayedCardView(msgspec.Struct, frozen=True, gc=False):
    """A card on the table."""

    seat: int
    card: str


class TrickView(msgspec.Struct, frozen=True, gc=False):
    """One trick of the hand; `winner_seat` is None and `points` 0 while it goes on."""

    leader: int
    cards: tuple[PlayedCardView, ...]
    winner_seat: int | None = None
    points: int = 0


class HandView(msgspec.Struct, frozen=True, gc=False):
    """What is known of a seat's cards, in dealt order: all of one's own; of the dealer's, to everybody, the trump card
    while it is held (S-02).
    """

    seat: int
    count: int
    cards: tuple[str, ...] = ()


class SuecaView(msgspec.Struct, frozen=True, gc=False):
    """The match as one viewer may know it.

    `phase` is `play` or `over`. `trump_card` is the dealer's, and still held if `is_trump_held` (S-02). `card_points` are
    those of the tricks that each side has won in this hand, `carry` what its winner scores on top (S-05).
    """

    phase: str
    score: tuple[int, int]
    carry: int
    hand: int
    dealer: int
    trump_card: str
    is_trump_held: bool
    card_points: tuple[int, int]
    trick: int
    tricks: tuple[TrickView, ...]
    hands: tuple[HandView, ...]
    legal_moves: tuple[LegalMove[SuecaMove], ...]
    winner: int | None
    seat: int | None


class HandDealtSeen(msgspec.Struct, frozen=True, gc=False):
    """A new hand, with the trump card alone of its cards."""

    hand: int
    dealer: int
    leader: int
    trump_card: str


SuecaSeen = HandDealtSeen | CardPlayed | TrickEnded | HandEnded | MatchEnded
