"""Messages joined from parts that are serialised already, so that what many are told is written once.

A message's fields may follow one another in any order, so the bytes of two messages of one kind, one after the other,
are a message with the fields of both. What is nested must stand in one piece: its length comes first, and not every
client's library merges a field that comes twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import Message

_LENGTH_DELIMITED = 2


def tag(message: type[Message], field: str) -> bytes:
    """What stands before the length of a field that holds a message, bytes or text."""
    return _varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | _LENGTH_DELIMITED)


def nested(tag: bytes, parts: Iterable[bytes]) -> bytes:
    """A field whose value is these parts one after the other."""
    value = b"".join(parts)
    length = len(value)
    return tag + (_SHORT[length] if length < len(_SHORT) else _varint(length)) + value


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


_SHORT = [_varint(length) for length in range(4096)]
