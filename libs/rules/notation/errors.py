"""What is wrong with a text that is not a match: where, and what would be right."""

from __future__ import annotations

from libs.rules.game import Rejection
from libs.rules.switches import quoted


class NotationError(ValueError):
    """A text that cannot be read as a match: the place (line and column, both from 1), what should stand there, and what
    does (empty at the end of the text).
    """

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
        what = quoted(found) if found else "the end of the text"
        super().__init__(f"line {line}, column {column}: expected {expected}, found {what}")


class RefusedMoveError(NotationError):
    """A move that is well written and that the rules refuse; `rejection` is their answer."""

    def __init__(self, line: int, column: int, found: str, rejection: Rejection) -> None:
        self.rejection = rejection
        facts = "".join(f", {name} {value}" for name, value in rejection.facts.items())
        super().__init__(line, column, f"a move that the rules accept ({rejection.code}{facts})", found)
