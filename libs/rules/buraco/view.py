"""A match of the family as one viewer may know it; mirrors `carteado.games.buraco.v1` field by field."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from libs.rules.buraco.events import (
    CardDiscarded,
    DealEnded,
    MatchEnded,
    MeldExtended,
    MeldLaid,
    RedThreeLaid,
    SideScore,
    TurnEnded,
)
from libs.rules.buraco.legal import Legal
from libs.rules.buraco.listed import moves_of
from libs.rules.buraco.melds import Kind
from libs.rules.buraco.moves import BuracoMove
from libs.rules.game import LegalMove


class HandView(msgspec.Struct, frozen=True, gc=False):
    """What is known of a seat's cards: how many, and which only where the viewer may see them, in order of arrival."""

    seat: int
    count: int
    cards: tuple[str, ...] = ()


class MeldView(msgspec.Struct, frozen=True, gc=False):
    """A meld on the table. `points` are the bonus of its canastra, 0 for none; `cards` are in the order of showing."""

    number: int
    side: int
    kind: Kind
    cards: tuple[str, ...]
    wilds: tuple[str, ...]
    is_clean: bool
    is_canastra: bool
    points: int


class SideView(msgspec.Struct, frozen=True, gc=False):
    """What a side has so far: its red threes, who took a morto, the points of its cards and canastras on the table."""

    side: int
    red_threes: tuple[str, ...]
    morto_taker: int | None
    card_points: int
    canastra_points: int


class House(msgspec.Struct, frozen=True, gc=False):
    """What is played at the table, as far as it changes what one should do (see `rule_set`)."""

    jokers: int
    sets: bool
    special_threes: bool
    is_lixo_open: bool
    justify_top: bool
    needs_clean_canastra: bool


class BuracoView(msgspec.Struct, frozen=True, gc=False):
    """The match as one viewer may know it.

    `lixo` are the cards that are seen, from bottom to top: all, or the top one (B-27). `barred` are the cards that may not
    be discarded in this turn (B-32). `scored` is what the last deal that ended gave to each side. `stock` and `mortos` are
    shown once the match is over. `legal` describes what the viewer may do.
    """

    house: House
    phase: str
    score: tuple[int, int]
    deal: int
    starter: int
    turn: int
    to_play: int | None
    hands: tuple[HandView, ...]
    stock_count: int
    mortos_left: int
    mortos_turned: int
    lixo_count: int
    lixo: tuple[str, ...]
    melds: tuple[MeldView, ...]
    sides: tuple[SideView, ...]
    barred: tuple[str, ...]
    took_lixo: bool
    scored: tuple[SideScore, SideScore] | None
    winners: tuple[int, ...]
    seat: int | None
    legal: Legal | None = None
    stock: tuple[str, ...] = ()
    mortos: tuple[tuple[str, ...], ...] = ()

    @property
    def legal_moves(self) -> Sequence[LegalMove[BuracoMove]]:
        """The moves that `legal` names, each of them accepted."""
        return moves_of(self.legal)


class DealStartedSeen(msgspec.Struct, frozen=True, gc=False):
    """A new deal, without its cards but for a turned one."""

    deal: int
    starter: int
    turn: int
    stock_count: int
    lixo: tuple[str, ...]


class StockDrawnSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat drew from the stock; `card` is told to that seat alone."""

    turn: int
    seat: int
    card: str | None


class RedThreeReplacedSeen(msgspec.Struct, frozen=True, gc=False):
    """A card of the stock came for a red three; `card` is told to that seat alone."""

    seat: int
    card: str | None


class LixoTakenSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat took the lixo of so many cards; `cards` are those that the viewer may know, from bottom to top."""

    turn: int
    seat: int
    count: int
    cards: tuple[str, ...]
    barred: tuple[str, ...]


class MortoTakenSeen(msgspec.Struct, frozen=True, gc=False):
    """A seat took a morto of so many cards; they are told to that seat alone."""

    turn: int
    seat: int
    direct: bool
    count: int
    cards: tuple[str, ...] = ()


class MortoTurnedSeen(msgspec.Struct, frozen=True, gc=False):
    """A morto of so many cards became the stock."""

    count: int


BuracoSeen = (
    DealStartedSeen
    | StockDrawnSeen
    | RedThreeLaid
    | RedThreeReplacedSeen
    | LixoTakenSeen
    | MeldLaid
    | MeldExtended
    | CardDiscarded
    | MortoTakenSeen
    | MortoTurnedSeen
    | TurnEnded
    | DealEnded
    | MatchEnded
)
