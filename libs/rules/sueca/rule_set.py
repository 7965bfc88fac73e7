"""What can differ between tables of Sueca: a value, so that a variant needs no code of its own."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from libs.rules.sueca.scoring import TieCarry

Direction = Literal["cw", "ccw"]


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """The switches of Sueca; the defaults are those of `sueca`. See docs/rulings/sueca.md for each."""

    tie_carry: TieCarry = "cumulative"
    """S-05: whether each 60-60 adds to the carry, or the carry is never more than one."""
    direction: Direction = "cw"
    """G-02: which way a client draws the order of the seats; no rule depends on it."""
    card_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 20
    """G-06: the time for a card, in seconds."""
