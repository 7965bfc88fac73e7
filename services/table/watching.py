"""Who may look at a table without a seat at it.

Anyone may watch a table of the Livre or of a tournament, at most fifty at once, so nobody from many windows; nobody a
ranked one before it has ended.
"""

from __future__ import annotations

from services.table.state import TableState

MAX_SPECTATORS = 50
"""Spectators of one table; counted by the replica that serves them."""

MAX_WINDOWS = 4
"""Of these, one person's."""


def refusal(state: TableState, spectators: int, windows: int = 0) -> str:
    """The code for which one more spectator is refused, beside so many others; empty when it may watch.

    `windows` is how many of the others are the same person's.
    """
    if state.ended is None and state.room == "ranqueada":
        return "NOT_WATCHABLE"
    if windows >= MAX_WINDOWS:
        return "WATCHING_ALREADY"
    return "TOO_MANY_SPECTATORS" if spectators >= MAX_SPECTATORS else ""
