"""Writes a match: the header, deals and moves hand by hand, and the result."""

from __future__ import annotations

from libs.rules.notation.header import header_lines
from libs.rules.notation.languages import notation_of
from libs.rules.notation.match import Match, result_text, sides_of
from libs.rules.notation.page import Page


def write_match(match: Match) -> str:
    """The notation of a match, which `read_match` reads; one that has not ended is written as far as it goes.

    Raises ValueError for a name that does not fit on a line.
    """
    game, notation = match.game, notation_of(match.game)
    page = Page(sides_of(game, match.players))
    state = game.initial(match.rules, match.players)
    for event in match.events:
        notation.write(page, event, state)
        page.previous = event
        state = game.evolve(state, event)
    result = result_text(game, match.players, game.result(state))
    write_result(page, result)
    header = "".join(f"{line}\n" for line in header_lines(match, result))
    return f"{header}\n{page.text()}"


def write_result(page: Page, result: str) -> None:
    """The last line."""
    page.blank()
    page.begin(result)
