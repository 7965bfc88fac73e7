"""Which text the log can store (fault B100).

Valid JSON is not always valid JSONB: Postgres refuses U+0000 in text and in JSONB, and a lone surrogate is no text at
all. One such value must be refused at the edge, before it can poison a group commit.
"""

from __future__ import annotations

import re
from typing import Final

from libs.eventlog.errors import UnstorableError

# An escaped U+0000 or surrogate in JSON is an odd number of backslashes before `u`; an even number is a literal one.
_ESCAPED_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def is_storable(text: str) -> bool:
    """Whether Postgres can store this text: no U+0000 and no lone surrogate. Edges ask this of every free text."""
    if "\0" in text:
        return False
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def check_storable(text: str, what: str) -> None:
    """Refuse text that the log cannot store.

    Raises UnstorableError that names `what` it is, never the text itself.
    """
    if not is_storable(text):
        raise UnstorableError(f"{what} has a character that cannot be stored (U+0000 or a lone surrogate)")


def check_storable_json(payload: bytes, what: str) -> None:
    """Refuse JSON bytes with an escaped U+0000, which is valid JSON and not valid JSONB.

    Raises UnstorableError.
    """
    if b"\\u0000" in payload and _ESCAPED_NUL.search(payload) is not None:
        raise UnstorableError(f"{what} has a text with U+0000, which cannot be stored")
