"""What a Cacheta player does. Each move names the round, and where it answers a turn, the turn."""

from __future__ import annotations

import msgspec


class DrawStock(msgspec.Struct, frozen=True, gc=False, tag="draw_stock"):
    """Draws the top card of the stock."""

    round: int
    turn: int


class TakeDiscard(msgspec.Struct, frozen=True, gc=False, tag="take_discard"):
    """Takes the top card of the discard pile (C-07)."""

    round: int
    turn: int


class Discard(msgspec.Struct, frozen=True, gc=False, tag="discard"):
    """Ends one's turn by a discard; it may be the card just taken (C-07)."""

    round: int
    turn: int
    card: str


class GoOut(msgspec.Struct, frozen=True, gc=False, tag="go_out"):
    """Goes out in one's own turn: with ten cards, or with nine and this discard (C-06)."""

    round: int
    turn: int
    discard: str | None = None


class AnnounceNaBoa(msgspec.Struct, frozen=True, gc=False, tag="announce_na_boa"):
    """Says that one card is missing, in turn or not; whether it is true is nobody's business (C-08)."""

    round: int


class JumpQueue(msgspec.Struct, frozen=True, gc=False, tag="jump_queue"):
    """Claims the card discarded in this turn, to go out with it; a claim that cannot burns (C-09, C-10)."""

    round: int
    turn: int


class PassJump(msgspec.Struct, frozen=True, gc=False, tag="pass_jump"):
    """Does not claim the card discarded in this turn (C-09)."""

    round: int
    turn: int


CachetaMove = DrawStock | TakeDiscard | Discard | GoOut | AnnounceNaBoa | JumpQueue | PassJump
