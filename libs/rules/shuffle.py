"""Draws that anyone can verify: an unbiased Fisher–Yates over HMAC-SHA-256.

The n-th block of the stream for a label is HMAC-SHA-256(secret, message) with

    message = match_id ‖ 0x00 ‖ SHA-256(entropy₀ ‖ entropy₁ ‖ …, each preceded by its length as one byte)
              ‖ label ‖ 0x00 ‖ n as 8 bytes, big-endian          (texts in UTF-8, n counted from 0)

read as eight unsigned 32-bit big-endian words. A draw below k takes the next word w; words at or above the
largest multiple of k below 2³² are thrown away (rejection sampling), and the draw is w mod k. A shuffle of n items
takes i = n−1 … 1, draws j below i+1 and swaps items i and j.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, count, islice
from operator import mod
from typing import TypeVar

T = TypeVar("T")

_WORD = 1 << 32
_EIGHT_WORDS = struct.Struct(">8I")
_NUMBER = struct.Struct(">Q")
_BLOCK = 64
"""What SHA-256 takes in at a time, in bytes."""
_DIGEST = 32
"""What it gives, in bytes."""
_FEW = 256
_ONES = b"\xff\xff\xff"
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Draws:
    """All the chance of one match, as a pure function of its secret, its id and the players' entropy.

    Each label is a stream of its own, so the same call always gives the same outcome. One label must serve one
    draw only: a second use of it repeats the first.
    """

    def __init__(self, secret: bytes, match_id: str, entropy: Sequence[bytes] = ()) -> None:
        """`secret` has 32 bytes, each of `entropy` at most 255; raises ValueError for longer entropy."""
        if any(len(item) > 255 for item in entropy):
            raise ValueError("an entropy item has more than 255 bytes")
        self._secret = secret
        self._match_id = match_id
        self._entropy = entropy

    # All three are made when a draw needs them: most moves draw nothing. HMAC is written out (RFC 2104), because a copy of a
    # plain hash that has taken in the key costs a third of a copy of the standard library's HMAC.
    @cached_property
    def _inner(self) -> hashlib._Hash:
        return hashlib.sha256(self._key.translate(_INNER))

    @cached_property
    def _outer(self) -> hashlib._Hash:
        return hashlib.sha256(self._key.translate(_OUTER))

    @property
    def _key(self) -> bytes:
        secret = self._secret
        return (hashlib.sha256(secret).digest() if len(secret) > _BLOCK else secret).ljust(_BLOCK, b"\x00")

    @cached_property
    def _prefix(self) -> bytes:
        listed = b"".join(bytes([len(item)]) + item for item in self._entropy)
        return self._match_id.encode() + b"\x00" + hashlib.sha256(listed).digest()

    def below(self, label: str, bound: int) -> int:
        """A number from 0 to bound − 1, each equally likely; raises ValueError for a bound out of 1 … 2³²."""
        return _below(self._words(label), bound)

    def shuffled(self, label: str, items: Sequence[T]) -> list[T]:
        """The items in an order of which each is equally likely."""
        order = list(items)
        places, bounds, form = _steps(len(order))
        stream = b"".join(islice(self._blocks(label), form.size // _DIGEST))
        # A word that a step throws away is at least 2³² − 256 for so few items, and so begins with three bytes of ones.
        if len(order) <= _FEW and _ONES not in stream:
            drawn: Iterator[int] = map(mod, form.unpack(stream), bounds)
        else:
            words = self._words(label)
            drawn = (_below(words, bound) for bound in bounds)
        for i, j in zip(places, drawn, strict=False):
            order[i], order[j] = order[j], order[i]
        return order

    def _words(self, label: str) -> Iterator[int]:
        return chain.from_iterable(map(_EIGHT_WORDS.unpack, self._blocks(label)))

    def _blocks(self, label: str) -> Iterator[bytes]:
        """The stream for a label, eight words at a time."""
        of_label, keyed = self._inner.copy(), self._outer.copy
        of_label.update(self._prefix + label.encode() + b"\x00")
        begun = of_label.copy
        for number in map(_NUMBER.pack, count()):
            inner, outer = begun(), keyed()
            inner.update(number)
            outer.update(inner.digest())
            yield outer.digest()


@lru_cache(maxsize=256)
def _steps(items: int) -> tuple[tuple[int, ...], tuple[int, ...], struct.Struct]:
    """The steps of a shuffle of so many items: the places, the bounds of their draws, and the form of the blocks for them."""
    places = tuple(range(items - 1, 0, -1))
    return places, tuple([i + 1 for i in places]), struct.Struct(f">{-(-len(places) // 8) * 8}I")


def _below(words: Iterator[int], bound: int) -> int:
    if not 1 <= bound <= _WORD:
        raise ValueError(f"a draw below {bound} is not possible")
    limit = _WORD - _WORD % bound
    while True:
        word = next(words)
        if word < limit:
            return word % bound


def commitment(secret: bytes) -> bytes:
    """What is published before the first card, to be compared with the secret at the end: its SHA-256."""
    return hashlib.sha256(secret).digest()
