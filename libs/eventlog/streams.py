"""Stream ids: `<category>-<partition>-<id>`, such as `table-07-6f1c…`.

The partition is part of the id and follows from it, so whoever holds an id knows where its events and its position
counter are without asking anything, and a wrong one is found at once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from libs.eventlog.errors import StreamIdError

PARTITIONS: Final = 16
"""How many partitions a log has. Stored in the database and checked at start: it can never change."""

_STREAM: Final = re.compile(
    r"(?P<category>[a-z][a-z0-9_]{0,39})-(?P<partition>\d\d)-(?P<id>[\x21-\x7e]{1,120})"
)


class StreamId(NamedTuple):
    """The parts of a stream id."""

    category: str
    partition: int
    id: str


def partition_of(id: str) -> int:
    """The partition of an aggregate's id: the first byte of its BLAKE2b modulo `PARTITIONS`."""
    return blake2b(id.encode()).digest()[0] % PARTITIONS


@lru_cache(maxsize=65_536)
def stream_id(category: str, id: str) -> str:
    """The stream of an aggregate.

    The category is lower case letters, digits and `_` (no `-`); the id is 1 to 120 printable ASCII characters.

    >>> stream_id("table", "t1")
    'table-13-t1'

    Raises StreamIdError for any other category or id.
    """
    stream = f"{category}-{partition_of(id):02}-{id}"
    if _STREAM.fullmatch(stream) is None:
        raise StreamIdError(f"category {category!r} and id {id!r} do not make a stream id")
    return stream


@lru_cache(maxsize=65_536)
def parse_stream(stream: str) -> StreamId:
    """The parts of a stream id, checked: its form, and that the partition is the id's.

    Raises StreamIdError.
    """
    match = _STREAM.fullmatch(stream)
    if match is None:
        raise StreamIdError(f"{stream!r} is not <category>-<partition>-<id>")
    parts = StreamId(match["category"], int(match["partition"]), match["id"])
    if parts.partition != partition_of(parts.id):
        raise StreamIdError(
            f"{stream!r} names partition {parts.partition}, its id's is {partition_of(parts.id)}"
        )
    return parts
