"""What happened in a match of Cacheta. These structs are the storage format: fields are never renamed or removed."""

from __future__ import annotations

import msgspec


class RoundDealt(msgspec.Struct, frozen=True, gc=False):
    """A round was dealt: nine cards to each seat still in the match (none to the others), the vira, and the stock with its
    top card first.
    """

    round: int
    starter: int
    vira: str
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]


class CardDrawn(msgspec.Struct, frozen=True, gc=False):
    """A seat drew the stock's top card."""

    round: int
    turn: int
    seat: int
    card: str


class StockReshuffled(msgspec.Struct, frozen=True, gc=False):
    """The discard pile without its top card became the stock, in this order (C-11)."""

    round: int
    stock: tuple[str, ...]


class DiscardTaken(msgspec.Struct, frozen=True, gc=False):
    """A seat took the top card of the discard pile in its turn."""

    round: int
    turn: int
    seat: int
    card: str


class CardDiscarded(msgspec.Struct, frozen=True, gc=False):
    """A seat discarded and its turn is over; `next_seat` has the next one. While `may_claim` are asked, in turn order from
    the discarder, that one has not begun (C-09).
    """

    round: int
    turn: int
    seat: int
    card: str
    next_seat: int
    may_claim: tuple[int, ...] = ()


class NaBoaAnnounced(msgspec.Struct, frozen=True, gc=False):
    """A seat said that it is na boa (C-08)."""

    round: int
    seat: int


class JumpClaimed(msgspec.Struct, frozen=True, gc=False):
    """A seat claims the card discarded in this turn; the claim is judged when the window closes."""

    round: int
    turn: int
    seat: int


class JumpPassed(msgspec.Struct, frozen=True, gc=False):
    """A seat does not claim the card discarded in this turn."""

    round: int
    turn: int
    seat: int


class JumpFailed(msgspec.Struct, frozen=True, gc=False):
    """A claim could not go out; `burnt` unless it was the next player's (C-09, C-10)."""

    round: int
    turn: int
    seat: int
    burnt: bool


class WindowClosed(msgspec.Struct, frozen=True, gc=False):
    """Nobody goes out with the card discarded in this turn: `next_seat` draws."""

    round: int
    turn: int
    next_seat: int


class WentOut(msgspec.Struct, frozen=True, gc=False):
    """A seat laid its whole hand down: ten cards, or nine and a discard (C-06). `claimed` is the discard that it took when
    it did so from the window (C-09).
    """

    round: int
    turn: int
    seat: int
    melds: tuple[tuple[str, ...], ...]
    discard: str | None = None
    claimed: str | None = None


class RoundEnded(msgspec.Struct, frozen=True, gc=False):
    """A round was won: what each of the others loses, the points after it, and who fell by it (C-12)."""

    round: int
    winner: int
    lost: int
    points: tuple[int, ...]
    fallen: tuple[int, ...]


class RoundVoided(msgspec.Struct, frozen=True, gc=False):
    """Nobody won the round: `reason` is `empty_stock` or `turns`; it is the `running`th such round in a row (C-11)."""

    round: int
    reason: str
    running: int


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """The match is over; no winner means a tie after void rounds (C-11, C-12)."""

    winner: int | None
    points: tuple[int, ...]


CachetaEvent = (
    RoundDealt
    | CardDrawn
    | StockReshuffled
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

EVENT_TYPES: dict[str, type[CachetaEvent]] = {
    "cacheta.round_dealt": RoundDealt,
    "cacheta.card_drawn": CardDrawn,
    "cacheta.stock_reshuffled": StockReshuffled,
    "cacheta.discard_taken": DiscardTaken,
    "cacheta.card_discarded": CardDiscarded,
    "cacheta.na_boa_announced": NaBoaAnnounced,
    "cacheta.jump_claimed": JumpClaimed,
    "cacheta.jump_passed": JumpPassed,
    "cacheta.jump_failed": JumpFailed,
    "cacheta.window_closed": WindowClosed,
    "cacheta.went_out": WentOut,
    "cacheta.round_ended": RoundEnded,
    "cacheta.round_voided": RoundVoided,
    "cacheta.match_ended": MatchEnded,
}
"""The registered names of the event types, as stored."""
