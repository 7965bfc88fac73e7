"""What makes two display names the same name: how they look to a reader, not which code points they have.

A name's key is its *skeleton* (Unicode's UTS 39): characters that look alike are replaced by one of them, whatever their
case. What is alike must stay so through both: a capital i looks like a small L, and is the same letter as a small i, so
these three are one. Accents, spaces and punctuation make no other name: beside João there is no Joao, beside Ana Maria no
ana_maria. That refuses a few innocent names (Ila beside Lia); who is refused is offered a free one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib import resources
from string import ascii_uppercase

KEYS_VERSION = 2
"""Goes up with every change of the rules below or of the table: stored keys are then made anew when a service starts."""

_KEY_BYTES = 16
_PASSES = 2
"""Folding the case of a prototype may give a character with a prototype of its own (1 → l, 0 → O → o, M → m → rn)."""
_DRESSES = (
    "LATIN LETTER SMALL CAPITAL",
    "NEGATIVE CIRCLED LATIN CAPITAL LETTER",
    "NEGATIVE SQUARED LATIN CAPITAL LETTER",
)
"""Forms of letters, as Unicode names them, that neither NFKC nor the table brings back to the letter."""
_LEFT_OUT = frozenset({"Mn", "Me", "Cf", "Zs", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"})


def name_key(name: str) -> bytes:
    """The key of an accepted display name (`names.display_name`), hashed: it outlives an erased name for a while."""
    return blake2b(visible_form(name).encode(), digest_size=_KEY_BYTES, person=b"display name").digest()


def visible_form(name: str) -> str:
    """What the key is made of.

    >>> visible_form("José") == visible_form("JOSE\\u0301") == visible_form("jo-se")
    True
    >>> visible_form("J\\u043esé") == visible_form("José")  # a Cyrillic o
    True
    >>> visible_form("MARIA") == visible_form("MARlA") == visible_form("maria")
    True
    """
    form = unicodedata.normalize("NFKC", name)
    for _ in range(_PASSES):
        form = _skeleton(form).casefold()
    return _skeleton(form).replace("i", "l")


def _skeleton(text: str) -> str:
    alike = _look_alikes()
    return _bare("".join(alike.get(char, char) for char in _bare(text)))


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(char for char in decomposed if unicodedata.category(char) not in _LEFT_OUT)


@cache
def _look_alikes() -> Mapping[str, str]:
    """Each character's prototype, from the table that lies beside this file; a letter in another dress is the letter."""
    dressed = _dressed_letters()
    table = resources.files("services.accounts").joinpath("confusables.txt").read_text(encoding="utf-8")
    alike: dict[str, str] = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            source, _, prototype = line.partition(";")
            shown = "".join(chr(int(point, 16)) for point in prototype.split())
            alike[chr(int(source, 16))] = "".join(dressed.get(char, char) for char in shown)
    return alike | dressed


def _dressed_letters() -> dict[str, str]:
    dressed: dict[str, str] = {}
    for letter in ascii_uppercase:
        for dress in _DRESSES:
            with suppress(KeyError):  # Not every letter has each.
                dressed[unicodedata.lookup(f"{dress} {letter}")] = letter
    return dressed
