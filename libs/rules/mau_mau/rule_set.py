"""What can differ between tables of Mau Mau: every switch is a value of the rule set."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

DrawRule = Literal["one", "until_playable"]
FirstCard = Literal["as_discard", "neutral"]
Direction = Literal["cw", "ccw"]


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """The switches of Mau Mau; the defaults are those of `mau-mau`. See docs/rulings/mau-mau.md for each."""

    draw_rule: DrawRule = "one"
    """M-02: whether a draw is one card, or goes on until a card may be played."""
    call: bool = False
    """M-08: whether one must say "mau-mau" when playing the last card but one."""
    first_card: FirstCard = "as_discard"
    """M-09: whether the turned card has its effect."""
    direction: Direction = "cw"
    """G-02: which way a client draws the order of the seats; no rule depends on it."""
    card_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 20
    """G-06: the time for a card; after a draw it starts anew."""
