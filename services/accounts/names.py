"""Display names: which ones are accepted, and in which form they are kept.

A name is what other people read, so it must not be able to look empty, to reverse or cover what stands beside it, or
to pass for somebody else's by invisible means. Emoji and the letters of every language are welcome.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from libs.eventlog.text import is_storable
from libs.service.errors import ErrorCode
from services.accounts.errors import (
    NAME_CHARACTER_REFUSED,
    NAME_MIXES_SCRIPTS,
    NAME_RESERVED,
    NAME_TOO_LONG,
    NAME_TOO_SHORT,
)
from services.accounts.name_keys import visible_form

MIN_CHARACTERS = 2
MAX_CHARACTERS = 20
"""Characters as a person counts them: a letter with its accents is one, an emoji of several parts is one."""
MAX_BYTES = 80
_MAX_RAW_BYTES = 400
_MAX_MARKS_IN_A_ROW = 2

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_REGIONAL = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
# Letters, marks and symbols that show nothing: Unicode's Default_Ignorable_Code_Point, the empty Braille cell and the
# place of an object.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0)))
)
_LETTERS_AND_DIGITS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "No"})
_MARKS = frozenset({"Mn", "Mc"})
_PUNCTUATION_AND_SYMBOLS = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So"})
_LOOK_ALIKE_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
_RESERVED = frozenset(
    visible_form(name)
    for name in (
        "Admin", "Administrador", "Administração", "Administrator", "Bot", "Carteado", "Equipe", "Equipe Carteado",
        "Mod", "Moderação", "Moderador", "Moderadora", "Moderator", "Oficial", "Operador", "Operadora", "Robô", "Robot",
        "Sistema", "Staff", "Suporte", "Support", "System",
    )
)  # fmt: skip
"""Names that speak for the platform, in the form in which look-alikes are the same."""


def display_name(raw: str) -> str | ErrorCode:
    """The name in the form in which it is kept (NFC, trimmed, single spaces), or why it is refused.

    >>> display_name("  Jose\\u0301  da   Silva ")
    'José da Silva'
    >>> display_name("J\\u200bosé").code
    'NAME_CHARACTER_REFUSED'
    """
    if not is_storable(raw):
        return NAME_CHARACTER_REFUSED
    if len(raw.encode()) > _MAX_RAW_BYTES:
        return NAME_TOO_LONG
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in raw)
    name = " ".join(part for part in unicodedata.normalize("NFC", spaced).split(" ") if part)
    if not name:
        return NAME_TOO_SHORT
    if not _is_readable(name):
        return NAME_CHARACTER_REFUSED
    if len(_scripts(name) & _LOOK_ALIKE_SCRIPTS) > 1:
        return NAME_MIXES_SCRIPTS
    if _count_characters(name) < MIN_CHARACTERS:
        return NAME_TOO_SHORT
    if not fits(name):
        return NAME_TOO_LONG
    form = visible_form(name)
    if not form:
        return NAME_CHARACTER_REFUSED  # Letters that look like punctuation, and nothing else.
    return NAME_RESERVED if form in _RESERVED else name


def fits(name: str) -> bool:
    """Whether a name is no longer than names may be."""
    return _count_characters(name) <= MAX_CHARACTERS and len(name.encode()) <= MAX_BYTES


def _is_readable(name: str) -> bool:
    """Whether there is something to read and every character is one that shows, in its place."""
    marks = 0
    before = " "  # the last character that is not part of the one before it
    for index, char in enumerate(name):
        category = unicodedata.category(char)
        marks = marks + 1 if category in _MARKS and char != _EMOJI_STYLE else 0
        if char in _BLANK or marks > _MAX_MARKS_IN_A_ROW:
            return False
        if char == _JOINER:
            if not (_is_emoji(before) and _is_emoji(name[index + 1 : index + 2])):
                return False
        elif char == _EMOJI_STYLE or char in _SKIN_TONES:
            if not _is_emoji(before):
                return False
        elif category in _MARKS:
            if unicodedata.category(before) not in _LETTERS_AND_DIGITS:
                return False
        elif char == " " or category in _LETTERS_AND_DIGITS or category in _PUNCTUATION_AND_SYMBOLS:
            before = char
        else:
            return False
    return any(_is_emoji(char) or unicodedata.category(char) in _LETTERS_AND_DIGITS for char in name)


def _is_emoji(char: str) -> bool:
    return char != "" and unicodedata.category(char) == "So"


def _scripts(name: str) -> frozenset[str]:
    """The scripts of the letters, by the first word of each letter's Unicode name."""
    return frozenset(unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha())


def _count_characters(name: str) -> int:
    count = 0
    is_half_flag = False
    for before, char in pairwise(" " + name):
        if is_half_flag and char in _REGIONAL:
            is_half_flag = False
            continue
        is_half_flag = char in _REGIONAL
        is_part = char in _SKIN_TONES or char == _JOINER or unicodedata.category(char) in _MARKS
        if not is_part and before != _JOINER:
            count += 1
    return count
