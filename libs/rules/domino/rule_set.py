"""What can differ between tables of Dominó: a value, so that a variant needs no code of its own."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Direction = Literal["cw", "ccw"]


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """The switches of Dominó; the defaults are those of `domino`. See docs/rulings/domino.md for each."""

    direction: Direction = "cw"
    """G-02: which way a client draws the order of the seats; no rule depends on it."""
    card_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 20
    """G-06: the time for a tile, in seconds."""
