"""What can differ between houses of Cacheta: a value, so that a variant needs no code of its own."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

MaxWilds = Literal["none", "1", "2"]
EmptyStock = Literal["reshuffle", "void"]
Direction = Literal["ccw", "cw"]


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """The switches of Cacheta; the defaults are those of `cacheta`. See docs/rulings/cacheta.md for each."""

    cacheta_max_wilds: MaxWilds = "none"
    """C-03: how many wild cards a meld may have; one that stands as itself counts too."""
    four_suit_set: bool = False
    """C-04: whether a set may have all four suits."""
    jump_window_seconds: Annotated[int, msgspec.Meta(ge=2, le=60)] = 5
    """C-09: how long a discard may be claimed by those who jump the queue."""
    empty_stock: EmptyStock = "reshuffle"
    """C-11: whether the discard pile becomes the new stock, or a draw from an empty stock voids the round."""
    direction: Direction = "cw"
    """G-02: which way a client draws the order of the seats; no rule depends on it."""
    draw_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 30
    """G-06: the time to draw or take."""
    play_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 60
    """G-06: the time to discard or go out."""
