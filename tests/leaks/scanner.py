"""Finds tokens of a tagged deck in anything that leaves: bytes, texts, values; keys as well as values; in hex, in decimal, as
protobuf varints, and in what is base64 or hex inside."""

import base64
import binascii
import json
import re
from typing import Any

from google.protobuf.message import Message

from tests.leaks.deck import Deck

_HEX = re.compile(rb"[0-9a-f]{16,}", re.IGNORECASE)
_DECIMAL = re.compile(rb"(?<![0-9.])[0-9]{10}(?![0-9])")
_VARINT = re.compile(rb"(?=([\x80-\xff]{4}[\x04-\x07]))")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}={0,2}")
_DEEPEST = 4


def tokens_in(deck: Deck, payload: Any) -> set[str]:
    """The tokens that stand in a payload, in whatever form."""
    return _found(deck, _as_bytes(payload), 0)


def _as_bytes(payload: Any) -> bytes:
    if isinstance(payload, bytes):
        return payload
    if isinstance(payload, str):
        return payload.encode(errors="surrogateescape")
    if isinstance(payload, Message):
        return payload.SerializeToString()
    return json.dumps(payload, default=repr).encode()


def _found(deck: Deck, data: bytes, depth: int) -> set[str]:
    found = set()
    for run in _HEX.findall(data):
        text = run.decode().lower()
        found |= {text[at : at + 16] for at in range(len(text) - 15)} & deck.tokens
    numbers = [int(run) for run in _DECIMAL.findall(data)]
    numbers += [_varint(run) for run in _VARINT.findall(data)]
    found |= {deck.numbers[number] for number in numbers if number in deck.numbers}
    if depth < _DEEPEST:
        for inside in _inside(data):
            found |= _found(deck, inside, depth + 1)
    return found


def _inside(data: bytes) -> list[bytes]:
    """What the base64 and the hex in it hold."""
    inside = []
    for run in _BASE64.findall(data):
        body = run.rstrip(b"=")
        try:
            inside.append(
                base64.b64decode(
                    body + b"=" * (-len(body) % 4), altchars=b"-_" if b"-" in body or b"_" in body else None
                )
            )
        except binascii.Error:
            continue
    return inside + [bytes.fromhex(run[: len(run) // 2 * 2].decode()) for run in _HEX.findall(data)]


def _varint(data: bytes) -> int:
    return sum((byte & 0x7F) << 7 * place for place, byte in enumerate(data))
