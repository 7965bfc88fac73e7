"""A text in words that know their place. Where lines end means nothing to a reader, except in the header.

A word that begins with `;` begins a remark, which goes to the end of its line and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from libs.rules.notation.cards import SEATS, code, is_card, printed
from libs.rules.notation.errors import NotationError

REMARK = ";"

_NUMBER = re.compile(r"[0-9]+\.")


class Word(msgspec.Struct, frozen=True, gc=False):
    """A word of a text and where it begins; the end of a text is an empty one."""

    text: str
    line: int
    column: int

    def wrong(self, expected: str) -> NotationError:
        """That something else should stand here."""
        return NotationError(self.line, self.column, expected, self.text)


def words_of(lines: Sequence[str], first_line: int) -> list[Word]:
    """The words of these lines, of which the first has this number, and the end."""
    words: list[Word] = []
    line, text = first_line, ""
    for line, text in enumerate(lines, start=first_line):
        column = 1
        for part in text.split(" "):
            if part.startswith(REMARK):
                break
            if part:
                words.append(Word(printed(part), line, column))
            column += len(part) + 1
    words.append(Word("", line, len(text) + 1))
    return words


class Words:
    """Words that are read one after the other."""

    def __init__(self, words: Sequence[Word], players: int) -> None:
        """`words` end with the empty one; `players` is how many seats may be named.

        `pass_over` are the places where what was drawn begins, with those after it.
        """
        self._words = words
        self._players = players
        self.at = 0
        self.pass_over: dict[int, int] = {}

    @property
    def next(self) -> Word:
        """The word that is read next."""
        return self._words[self.at]

    def take(self) -> Word:
        """The next word, and on; at the end it stays."""
        word = self.next
        if word.text:
            self.at += 1
        return word

    def is_next(self, text: str) -> bool:
        """Takes the next word if it is this one."""
        if self.next.text != text:
            return False
        self.at += 1
        return True

    def exactly(self, text: str) -> Word:
        """The next word, which must be this one."""
        word = self.take()
        if word.text != text:
            raise word.wrong(repr(text))
        return word

    def card(self) -> Word:
        """The next word, which must be a card with a suit."""
        word = self.take()
        if not is_card(word.text):
            raise word.wrong("a card, such as 7♣ or 7P")
        return word

    def cards(self, count: int) -> list[Word]:
        """So many cards."""
        return [self.card() for _ in range(count)]

    def card_code(self) -> str:
        """The code of the next word, a card."""
        return code(self.card().text)

    def all_cards(self) -> list[Word]:
        """The cards that come next, down to none."""
        cards = []
        while is_card(self.next.text):
            cards.append(self.take())
        return cards

    def number(self) -> int:
        """The next word, which must be a whole number from 0 to 999,999."""
        word = self.take()
        if not (word.text.isascii() and word.text.isdigit() and len(word.text) <= 6):
            raise word.wrong("a number")
        return int(word.text)

    def seat(self) -> int:
        """The next word, which must be the letter of a seat."""
        word = self.take()
        if not self.is_seat(word):
            raise word.wrong(f"a seat, {SEATS[0]} to {SEATS[self._players - 1]}")
        return SEATS.index(word.text)

    def is_seat(self, word: Word) -> bool:
        """Whether this is the letter of a seat."""
        return len(word.text) == 1 and word.text in SEATS[: self._players]

    def places(self, texts: Sequence[str]) -> list[int]:
        """Where words stand that are one of these."""
        return [place for place, word in enumerate(self._words) if word.text in texts]

    def pass_to_act(self) -> None:
        """On to what a seat does: past what was drawn, and past the number of a line."""
        while self.at in self.pass_over or _NUMBER.fullmatch(self.next.text):
            self.at = self.pass_over.get(self.at, self.at + 1)

    def since(self, first: Word) -> str:
        """The words from this one up to the next."""
        begin = self._words.index(first)
        return " ".join(word.text for word in self._words[begin : self.at])
