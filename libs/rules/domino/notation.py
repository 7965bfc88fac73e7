"""A match of Dominó as a column prints it; docs/notation.md describes it.

Rodada 1  sai c  6-6
  a 3-5 0-0 …                                 each seat
  c 6-6  d 3-6>  a passa  b <2-6              a tile goes to the left or the right end
  = c bate  restam 5 0 3 8  ac +16  16 x 0    how it ends, what each hand counts, the score
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import assert_never

from libs.rules.domino import events as ev
from libs.rules.domino.deal import TILES_PER_SEAT
from libs.rules.domino.moves import DominoMove, End, PlayTile
from libs.rules.domino.state import SEATS, State
from libs.rules.notation.cards import score_text, seat_name
from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.language import Notation
from libs.rules.notation.page import Page
from libs.rules.notation.words import Word, Words

_ENDINGS: Mapping[ev.Ending, str] = {
    "went_out": "bate",
    "blocked": "tranca",
    "blocked_tied": "tranca e empata",
}
_PLAYED = re.compile(r"(<?)([0-6]-[0-6])(>?)")
_TILE = re.compile(r"[0-6]-[0-6]")


def write(page: Page, event: ev.DominoEvent, _state: State) -> None:
    """Adds an event to the page."""
    match event:
        case ev.RoundDealt():
            page.blank()
            page.begin(f"Rodada {event.round}")
            page.add(f"sai {seat_name(event.starter)}")
            if event.opening is not None:
                page.add(event.opening)
            for seat, tiles in enumerate(event.tiles):
                page.begin(f"{seat_name(seat)} {' '.join(tiles)}", indent=1)
            page.close()
        case ev.TilePlayed():
            left, right = "<" * (event.end == "left"), ">" * (event.end == "right")
            page.add(f"{seat_name(event.seat)} {left}{event.tile}{right}")
        case ev.SeatPassed():
            page.add(f"{seat_name(event.seat)} passa")
        case ev.RoundEnded():
            page.begin(f"= {seat_name(event.seat)} {_ENDINGS[event.ending]}", indent=1)
            page.add(f"restam {' '.join(map(str, event.pips))}")
            page.add(f"{page.side(event.winner_side)} +{event.points}")
            page.add(score_text(event.score))
            page.close()
        case ev.MatchEnded():
            page.close()
        case _:
            assert_never(event)


def read_draw(_kind: str, words: Words, draws: RecordedDraws, _state: State) -> None:
    """Reads a deal: who begins, with which tile if that is named, and the tiles of each seat."""
    here = words.next
    number = words.number()
    words.exactly("sai")
    words.seat()
    if not words.is_seat(words.next):
        _tile(words)
    tiles: list[Word] = []
    for seat in range(SEATS):
        words.exactly(seat_name(seat))
        tiles += [_tile(words) for _ in range(TILES_PER_SEAT)]
    draws.write_order(f"round-{number}", tiles, here)


def _tile(words: Words) -> Word:
    word = words.take()
    if not _TILE.fullmatch(word.text):
        raise word.wrong("a tile, such as 3-5")
    return word


def read_move(words: Words, state: State, _seat: int) -> DominoMove:
    """Reads a tile and its end after its seat."""
    word = words.take()
    found = _PLAYED.fullmatch(word.text)
    if found is None or (found[1] and found[3]):
        raise word.wrong("a tile, such as 3-5, with its end: <3-5 or 3-5>")
    end: End | None = "left" if found[1] else "right" if found[3] else None
    return PlayTile(state.deal.round, state.turn, found[2], end)


DOMINO_NOTATION = Notation(("Rodada",), write, read_draw, read_move)
