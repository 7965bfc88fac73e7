"""Names like one that is taken: what a person is offered instead of being asked to think again."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from services.accounts.names import display_name, fits

_DIGITS = "23456789"
"""Without those that look like letters."""
_LENGTHS = (2, 2, 2, 3, 3, 3, 4, 4, 5)


def similar_names(name: str) -> Iterator[str]:
    """Accepted names that begin as this one does and end in a number, shorter numbers first; few and random."""
    for length in _LENGTHS:
        number = "".join(secrets.choice(_DIGITS) for _ in range(length))
        stem = name
        while stem and not fits(f"{stem} {number}"):
            stem = stem[:-1]
        candidate = display_name(f"{stem.rstrip()} {number}")
        if isinstance(candidate, str):
            yield candidate
