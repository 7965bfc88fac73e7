"""What a player of the family does. Each move names the turn that it belongs to; turns are counted through the match."""

from __future__ import annotations

from typing import final

import msgspec


@final
class DrawStock(msgspec.Struct, frozen=True, gc=False, tag="draw_stock"):
    """Draws a card from the stock."""

    turn: int


@final
class TakeLixo(msgspec.Struct, frozen=True, gc=False, tag="take_lixo"):
    """Takes the whole lixo. Where its top must be justified (B-29), `cards` of the hand go to the table with it: in a new
    meld, or onto the meld of this number of one's own side.
    """

    turn: int
    cards: tuple[str, ...] = ()
    meld: int | None = None


@final
class LayMeld(msgspec.Struct, frozen=True, gc=False, tag="lay_meld"):
    """Lays cards of the hand as a new meld, in any order."""

    turn: int
    cards: tuple[str, ...]


@final
class ExtendMeld(msgspec.Struct, frozen=True, gc=False, tag="extend_meld"):
    """Adds cards of the hand to the meld of this number of one's own side."""

    turn: int
    meld: int
    cards: tuple[str, ...]


@final
class Discard(msgspec.Struct, frozen=True, gc=False, tag="discard"):
    """Discards a card, which ends the turn."""

    turn: int
    card: str


@final
class EndTurn(msgspec.Struct, frozen=True, gc=False, tag="end_turn"):
    """Ends the turn without a discard, where none is possible (T-05)."""

    turn: int


BuracoMove = DrawStock | TakeLixo | LayMeld | ExtendMeld | Discard | EndTurn
