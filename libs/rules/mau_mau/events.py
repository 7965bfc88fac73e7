"""What happened in a match of Mau Mau. These structs are the storage format: fields are never renamed or removed."""

from __future__ import annotations

from typing import Literal

import msgspec

from libs.rules.mau_mau.cards import Suit

DrawReason = Literal["turn", "nine", "false_call", "forgotten_call", "false_accusation"]


class CardsDealt(msgspec.Struct, frozen=True, gc=False):
    """Five cards a seat, in dealt order, the turned card, and the stock from its top; who plays first and what the turned
    card has brought about: `step` is 1 for the order of the seats and -1 for the other way, `penalty` what the first
    player owes (M-09)."""

    dealer: int
    cards: tuple[tuple[str, ...], ...]
    turned: str
    stock: tuple[str, ...]
    first_seat: int
    step: int
    penalty: int


class CardPlayed(msgspec.Struct, frozen=True, gc=False):
    """A seat played a card; `suit` counts from now on, `step` is the direction and `penalty` what is pending.

    `next_seat` is None when the match ends with this card. `forgot_call` tells that it leaves one card and nothing was
    said (M-08).
    """

    turn: int
    seat: int
    card: str
    suit: Suit
    step: int
    penalty: int
    next_seat: int | None
    forgot_call: bool = False


class CardsDrawn(msgspec.Struct, frozen=True, gc=False):
    """A seat drew these cards, from the stock's top; `turn` is the reason of who plays, the others are punishments."""

    turn: int
    seat: int
    cards: tuple[str, ...]
    reason: DrawReason


class PenaltyTaken(msgspec.Struct, frozen=True, gc=False):
    """A seat drew the cards of the pending sevens, which ends its turn (M-04)."""

    turn: int
    seat: int
    cards: tuple[str, ...]
    next_seat: int | None


class TurnPassed(msgspec.Struct, frozen=True, gc=False):
    """A seat ended its turn without a card."""

    turn: int
    seat: int
    next_seat: int | None


class PileShuffled(msgspec.Struct, frozen=True, gc=False):
    """The pile but its top card was shuffled and lies under what is left of the stock, in this order (M-10).

    `number` counts the shuffles of the match from 1.
    """

    number: int
    order: tuple[str, ...]


class MauMauCalled(msgspec.Struct, frozen=True, gc=False):
    """A seat said "mau-mau" before it plays (M-08)."""

    turn: int
    seat: int
    is_false: bool


class Accused(msgspec.Struct, frozen=True, gc=False):
    """A seat said of another that it has forgotten its call (M-08)."""

    turn: int
    seat: int
    accused_seat: int
    is_false: bool


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """The match is over: its winner (None: a draw after the last turn), and how many cards each seat has left."""

    winner_seat: int | None
    cards_left: tuple[int, ...]


MauMauEvent = (
    CardsDealt
    | CardPlayed
    | CardsDrawn
    | PenaltyTaken
    | TurnPassed
    | PileShuffled
    | MauMauCalled
    | Accused
    | MatchEnded
)

EVENT_TYPES: dict[str, type[MauMauEvent]] = {
    "mau_mau.cards_dealt": CardsDealt,
    "mau_mau.card_played": CardPlayed,
    "mau_mau.cards_drawn": CardsDrawn,
    "mau_mau.penalty_taken": PenaltyTaken,
    "mau_mau.turn_passed": TurnPassed,
    "mau_mau.pile_shuffled": PileShuffled,
    "mau_mau.mau_mau_called": MauMauCalled,
    "mau_mau.accused": Accused,
    "mau_mau.match_ended": MatchEnded,
}
"""The registered names of the event types, as stored."""
