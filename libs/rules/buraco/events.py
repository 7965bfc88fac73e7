"""What happened in a match of the family. These structs are the storage format: fields are never renamed or removed."""

from __future__ import annotations

from typing import final

import msgspec

from libs.rules.buraco.melds import Shape


class DealStarted(msgspec.Struct, frozen=True, gc=False):
    """A deal: eleven cards a seat, two mortos, the stock in the order of drawing, and how the lixo starts (B-02, B-03)."""

    deal: int
    starter: int
    turn: int
    hands: tuple[tuple[str, ...], ...]
    mortos: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    lixo: tuple[str, ...] = ()


@final
class StockDrawn(msgspec.Struct, frozen=True, gc=False):
    """A seat drew a card from the stock."""

    turn: int
    seat: int
    card: str


class RedThreeLaid(msgspec.Struct, frozen=True, gc=False):
    """A red three left a hand for the side's area (T-01); `from_morto` if it lay in a morto of an indirect batida (B-48)."""

    seat: int
    card: str
    from_morto: bool = False


class RedThreeReplaced(msgspec.Struct, frozen=True, gc=False):
    """A card of the stock came for a red three (T-02)."""

    seat: int
    card: str


class LixoTaken(msgspec.Struct, frozen=True, gc=False):
    """A seat took the lixo, from bottom to top. The `barred` one of them may not be discarded in this turn (B-32)."""

    turn: int
    seat: int
    cards: tuple[str, ...]
    barred: tuple[str, ...] = ()


class MeldLaid(msgspec.Struct, frozen=True, gc=False):
    """A new meld of this number."""

    turn: int
    seat: int
    number: int
    shape: Shape


class MeldExtended(msgspec.Struct, frozen=True, gc=False):
    """Cards were added to a meld, which now has this shape."""

    turn: int
    seat: int
    number: int
    added: tuple[str, ...]
    shape: Shape


@final
class CardDiscarded(msgspec.Struct, frozen=True, gc=False):
    """A card went onto the lixo."""

    turn: int
    seat: int
    card: str


class MortoTaken(msgspec.Struct, frozen=True, gc=False):
    """A seat emptied its hand and took a morto: direct, and the turn goes on, or with the discard (B-35)."""

    turn: int
    seat: int
    direct: bool
    cards: tuple[str, ...]


class MortoTurned(msgspec.Struct, frozen=True, gc=False):
    """A morto became the stock (B-44)."""

    cards: tuple[str, ...]


@final
class TurnEnded(msgspec.Struct, frozen=True, gc=False):
    """A turn is over; the next one has the next number. `idle_turns` counts those of B-28."""

    turn: int
    seat: int
    next_seat: int
    idle_turns: int = 0


class SideScore(msgspec.Struct, frozen=True, gc=False):
    """The points of a side in a deal, part by part (B-50); what is lost is negative."""

    cards: int
    canastras: int
    batida: int
    red_threes: int
    in_hand: int
    morto: int
    total: int


class DealEnded(msgspec.Struct, frozen=True, gc=False):
    """A deal is over: by the final batida of this seat, or by exhaustion (None). `score` is the match's."""

    deal: int
    out_seat: int | None
    sides: tuple[SideScore, SideScore]
    score: tuple[int, int]


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """The match is over; no winner means a draw (G-05)."""

    winners: tuple[int, ...]
    score: tuple[int, int]


BuracoEvent = (
    DealStarted
    | StockDrawn
    | RedThreeLaid
    | RedThreeReplaced
    | LixoTaken
    | MeldLaid
    | MeldExtended
    | CardDiscarded
    | MortoTaken
    | MortoTurned
    | TurnEnded
    | DealEnded
    | MatchEnded
)

EVENT_TYPES: dict[str, type[BuracoEvent]] = {
    "buraco.deal_started": DealStarted,
    "buraco.stock_drawn": StockDrawn,
    "buraco.red_three_laid": RedThreeLaid,
    "buraco.red_three_replaced": RedThreeReplaced,
    "buraco.lixo_taken": LixoTaken,
    "buraco.meld_laid": MeldLaid,
    "buraco.meld_extended": MeldExtended,
    "buraco.card_discarded": CardDiscarded,
    "buraco.morto_taken": MortoTaken,
    "buraco.morto_turned": MortoTurned,
    "buraco.turn_ended": TurnEnded,
    "buraco.deal_ended": DealEnded,
    "buraco.match_ended": MatchEnded,
}
"""The registered names of the event types, as stored."""
