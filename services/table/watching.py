"""Who may look at a table without a seat at it.

Anyone may watch a table of the Livre or of a tournament, at most fifty at once; nobody a ranked one before it has ended.
"""

from __future__ import annotations

from services.table.state import TableState

MAX_SPECTATORS = 50
"""Spectators of one table; counted by the replica that serves them."""


def refusal(state: TableState, spectators: int) -> str:
    """The code for which one more spectator is refused, beside so many others; empty when it may watch."""
    if state.ended is None and state.room == "ranqueada":
        return "NOT_WATCHABLE"
    return "TOO_MANY_SPECTATORS" if spectators >= MAX_SPECTATORS else ""
