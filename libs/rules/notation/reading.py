"""Reads a match by playing it again: the written moves, with the written cards, under today's rules.

What the rules say happens is then written, word by word, beside the text: so nothing in it is believed unchecked, be it
who took a trick, the score, or whose turn it was, and a slip is found at its place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from libs.rules.game import Rejection, Seat
from libs.rules.notation.draws import MissingDrawError, RecordedDraws
from libs.rules.notation.errors import RefusedMoveError
from libs.rules.notation.header import Header, read_header
from libs.rules.notation.language import Notation
from libs.rules.notation.languages import notation_of
from libs.rules.notation.match import UNFINISHED, Match, result_text, sides_of
from libs.rules.notation.page import Page
from libs.rules.notation.words import Words, words_of
from libs.rules.notation.writing import write_result


def read_match(text: str) -> Match:
    """The match that a text tells, with its moves; raises NotationError, and RefusedMoveError for one against the rules."""
    lines = unicodedata.normalize("NFC", text).replace("\t", " ").splitlines()
    header = read_header(lines)
    words = Words(words_of(lines[header.lines :], header.lines + 1), header.match.players)
    return _Reading(header, words).match()


class _Reading:
    """A match between two of its moves."""

    def __init__(self, header: Header, words: Words) -> None:
        self._header, self._words = header, words
        match = header.match
        self._game = match.game
        self._notation: Notation = notation_of(match.game)
        self._page = Page(sides_of(match.game, match.players))
        self._state: Any = match.game.initial(match.rules, match.players)
        self._events: list[Any] = []
        self._moves: list[tuple[Seat, Any]] = []
        self._draws = RecordedDraws()

    def match(self) -> Match:
        """Everything, from the first deal to the last line."""
        self._read_draws()
        if self._words.next.text != UNFINISHED:
            self._start()
            while not self._is_over():
                self._move()
        self._end()
        return replace(self._header.match, events=tuple(self._events), moves=tuple(self._moves))

    def _read_draws(self) -> None:
        """Every draw of the text, since a move may bring one about that is written after it."""
        words = self._words
        for place in words.places(self._notation.draw_words):
            words.at = place
            kind = words.take().text
            self._notation.read_draw(kind, words, self._draws, self._state)
            words.pass_over[place] = words.at
        words.at = 0

    def _start(self) -> None:
        try:
            events = self._game.start(self._state, self._draws)
        except MissingDrawError as missing:
            raise self._words.next.wrong(self._drawn(missing)) from missing
        self._happen(events)

    def _is_over(self) -> bool:
        return self._words.next.text == UNFINISHED or self._game.result(self._state) is not None

    def _move(self) -> None:
        words = self._words
        begin = words.at
        words.pass_to_act()
        first = words.next
        seat = words.seat()
        move = self._notation.read_move(words, self._state, seat)
        try:
            decision = self._game.decide(self._state, Seat(seat), move, self._draws)
        except MissingDrawError as missing:
            raise words.next.wrong(self._drawn(missing)) from missing
        if isinstance(decision, Rejection):
            written = words.since(first)
            raise RefusedMoveError(first.line, first.column, written, decision)
        self._moves.append((Seat(seat), move))
        words.at = begin
        self._happen(decision)

    def _drawn(self, missing: MissingDrawError) -> str:
        """What a text lacks in which the rules draw something."""
        return (
            f"{' or '.join(map(repr, self._notation.draw_words))} with what is drawn here ({missing.label})"
        )

    def _happen(self, events: Sequence[Any]) -> None:
        """These events, which stand in the text in these words."""
        for event in events:
            self._notation.write(self._page, event, self._state)
            self._page.previous = event
            self._state = self._game.evolve(self._state, event)
            self._events.append(event)
        self._compare()

    def _compare(self) -> None:
        for text in self._page.fresh_words():
            self._words.exactly(text)

    def _end(self) -> None:
        game, written = self._game, self._header.result
        result = result_text(game, self._header.match.players, game.result(self._state))
        write_result(self._page, result)
        self._compare()
        last = self._words.next
        if last.text:
            raise last.wrong("the end of the text")
        if written.text != result:
            raise written.wrong(repr(result))
