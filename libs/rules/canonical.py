"""The canonical form of a game's facts, and its hash: what makes two states comparable across machines and years.

Form 1 is the JSON text of `{"facts": F, "form": 1}` in UTF-8, where every object's keys are in the order of their
code points, nothing is written between tokens, whole numbers are in decimal, and texts are escaped only where JSON
demands it. `F` holds objects, arrays, texts, whole numbers, booleans and null; no fractions. The state hash is the
BLAKE2b of that text with a digest of 32 bytes and no key. A form that was ever written stays here.
"""

from __future__ import annotations

import hashlib

import msgspec

FORM = 1
"""The form that is written now; it stands inside the hashed text."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def canonical(facts: object) -> bytes:
    """The facts in form 1. That they hold no fractions is for each game's tests to show.

    >>> canonical({"b": (1, None), "a": "é"}).decode()
    '{"facts":{"a":"é","b":[1,null]},"form":1}'
    """
    return _encode({"facts": facts, "form": FORM})


def state_hash(facts: object) -> bytes:
    """BLAKE2b-256 of the canonical form: 32 bytes."""
    return hashlib.blake2b(canonical(facts), digest_size=32).digest()
