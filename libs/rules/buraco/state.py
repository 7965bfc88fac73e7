"""A match of the family between two moves: the facts and nothing computed from them."""

from __future__ import annotations

from typing import Literal

import msgspec

from libs.rules.buraco.events import SideScore
from libs.rules.buraco.melds import Shape
from libs.rules.buraco.rule_set import RuleSet

Phase = Literal["draw", "play", "over"]


class Meld(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A meld on the table. Numbers are given in the order of laying, over both sides."""

    number: int
    side: int
    shape: Shape


class UnplayedMorto(msgspec.Struct, frozen=True, gc=False):
    """A morto taken by an indirect batida whose taker has had no turn since, and the red threes that lay in it (B-48)."""

    seat: int
    red_threes: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows; `deal` is 0 before the first one.

    `hands` are in order of arrival, `lixo` from bottom to top, `stock` in the order in which it is drawn. `takers` are the
    seats that took a morto, by side (None: none did); `mortos_turned` became stock. `barred` may not be discarded in this
    turn (B-32); `idle_turns` passed without a card from the stock or laid (B-28); `laid` is whether this turn laid one.
    `took_lixo` is whether this turn began with the lixo. `scored` is what the last deal that ended gave to each side.
    """

    rules: RuleSet
    players: int
    score: tuple[int, int] = (0, 0)
    deal: int = 0
    starter: int = 0
    turn: int = 0
    to_play: int = 0
    phase: Phase = "draw"
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    mortos: tuple[tuple[str, ...], ...] = ()
    lixo: tuple[str, ...] = ()
    melds: tuple[Meld, ...] = ()
    red_threes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    takers: tuple[int | None, int | None] = (None, None)
    mortos_turned: int = 0
    unplayed: tuple[UnplayedMorto, ...] = ()
    barred: tuple[str, ...] = ()
    took_lixo: bool = False
    laid: bool = False
    idle_turns: int = 0
    scored: tuple[SideScore, SideScore] | None = None
    winners: tuple[int, ...] = ()


def own_meld(state: State, seat: int, number: int) -> Meld | None:
    """The meld of this number, if it is the seat's side's (B-26)."""
    if not 0 <= number < len(state.melds):
        return None
    meld = state.melds[number]
    return meld if meld.side == seat % 2 else None


def own_shapes(state: State, seat: int, without: int | None) -> tuple[Shape, ...]:
    """The melds of the seat's side, but for one number."""
    side = seat % 2
    return tuple([meld.shape for meld in state.melds if meld.side == side and meld.number != without])
