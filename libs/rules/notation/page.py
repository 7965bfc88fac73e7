"""The page that a match is written on, and the words of it that were written last."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.notation.cards import seat_name

WIDTH = 100
"""A longer line is broken between words."""

_STEP = "  "
_HANGING = "      "


class Page:
    """Lines to which a game adds what happened, group by group.

    A closed line gets no more groups: what comes next begins another. `previous` is the event that was written last.
    """

    def __init__(self, sides: Sequence[tuple[int, ...]]) -> None:
        """`sides` are the seats of each side."""
        self._sides = ["".join(map(seat_name, seats)) for seats in sides]
        self._lines: list[str] = []
        self._fresh: list[str] = []
        self._number: int | None = None
        self.is_closed = True
        self.previous: object = None

    def side(self, side: int) -> str:
        """A side by the letters of its seats."""
        return self._sides[side]

    def begin(self, text: str, *, indent: int = 0) -> None:
        """A new line that begins with this group, so many steps in."""
        self._lines.append(_STEP * indent)
        self._number = None
        self._put(text)

    def add(self, text: str) -> None:
        """One more group on the line; on a new one if the last is closed."""
        if self.is_closed:
            self.begin(text, indent=1)
        else:
            self._put(text)

    def add_to(self, number: int, text: str) -> None:
        """One more group of the trick, the turn or the round of this number, which begins its line."""
        if self.is_closed or number != self._number:
            self.begin(f"{number}.", indent=1)
            self._put(text, " ")
            self._number = number
        else:
            self._put(text)

    def close(self) -> None:
        """The line is full."""
        self.is_closed = True

    def blank(self) -> None:
        """An empty line, and the one before it closed."""
        if self._lines:
            self._lines.append("")
        self.close()

    def fresh_words(self) -> list[str]:
        """The words written since this was asked last."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def text(self) -> str:
        """All lines."""
        return "".join(f"{line.rstrip()}\n" for line in self._lines)

    def _put(self, text: str, gap: str = "  ") -> None:
        self.is_closed = False
        words = text.split(" ")
        self._fresh += words
        if self._fits(text):
            self._append(text, gap)
        elif len(_HANGING) + len(text) <= WIDTH:
            self._lines.append(_HANGING + text)
        else:
            for place, word in enumerate(words):
                if not self._fits(word):
                    self._lines.append(_HANGING)
                self._append(word, " " if place else gap)

    def _fits(self, text: str) -> bool:
        return len(self._lines[-1]) + 2 + len(text) <= WIDTH

    def _append(self, text: str, gap: str) -> None:
        line = self._lines[-1]
        self._lines[-1] = line + text if not line.strip() else line + gap + text
