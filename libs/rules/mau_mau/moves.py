"""What a Mau Mau player does. Each move names the turn that it is made in, so that a repeated one is known as stale."""

from __future__ import annotations

import msgspec

from libs.rules.mau_mau.cards import Suit


class PlayCard(msgspec.Struct, frozen=True, gc=False, tag="play_card"):
    """Plays a card by its face. `suit` is named with a Jack, unless it is the last card (M-03, M-07); `call` says
    "mau-mau" before it (M-08)."""

    turn: int
    card: str
    suit: Suit | None = None
    call: bool = False


class DrawCard(msgspec.Struct, frozen=True, gc=False, tag="draw_card"):
    """Draws from the stock; the turn goes on (M-02)."""

    turn: int


class DrawAndGo(msgspec.Struct, frozen=True, gc=False, tag="draw_and_go"):
    """Draws, and ends the turn with it: plays the card drawn if that is legal (a Jack names its own suit), else passes.

    A whole turn in one move: what the server plays for who has no legal card when the time is up (G-08).
    """

    turn: int


class TakePenalty(msgspec.Struct, frozen=True, gc=False, tag="take_penalty"):
    """Takes all the cards of the pending sevens, which ends the turn (M-04)."""

    turn: int


class Pass(msgspec.Struct, frozen=True, gc=False, tag="pass"):
    """Ends the turn without a card, after a draw (M-02)."""

    turn: int


class Accuse(msgspec.Struct, frozen=True, gc=False, tag="accuse"):
    """Says that a seat has forgotten its call; in turn or not (M-08)."""

    turn: int
    seat: int


MauMauMove = PlayCard | DrawCard | DrawAndGo | TakePenalty | Pass | Accuse
