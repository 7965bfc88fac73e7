"""What a game says of its notation; the header, the moves' order and the checks are the same for all.

No rule stands in a notation: reading plays the moves with the written cards, and writes what happens again to compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.page import Page
from libs.rules.notation.words import Words


class Notation(msgspec.Struct, frozen=True):
    """How a game's match is written and read.

    `write(page, event, state)` adds an event to a page; `state` is the one before it. `draw_words` begin what was drawn:
    `read_draw(words, draws, state)` reads on after one, into the draws (the word itself is the one before); `state` is the match
    before its first deal, for its players and rules. `read_move(words, state, seat)` reads a move after the letter of its
    seat. Both raise NotationError.
    """

    draw_words: tuple[str, ...]
    write: Callable[[Page, Any, Any], None]
    read_draw: Callable[[str, Words, RecordedDraws, Any], None]
    read_move: Callable[[Words, Any, int], Any]
