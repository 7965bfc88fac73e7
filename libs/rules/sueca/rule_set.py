"""What can differ between tables of Sueca."""

from __future__ import annotations

from typing import Annotated

import msgspec

from libs.rules.sueca.scoring import TieCarry


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """The switches of Sueca; the defaults are those of `sueca`."""

    tie_carry: TieCarry = "cumulative"
    """S-05: whether each 60-60 adds to the carry, or the carry is never more than one."""
    card_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 20
    """G-06: the time for a card."""
