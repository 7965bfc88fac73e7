"""What the workers are told to do. Apart from them, so that whoever gives out work need not load what does it."""

from __future__ import annotations

import msgspec


class PlayJob(msgspec.Struct, frozen=True):
    """The play stream at `address`: for how long, how many tables over how many streams, and whether players look on.

    `keys` is the folder of credentials and `table_secret` the file that deals; `watched` and `profiled` as in `Window`. `interval_s` is the
    least time between two moves of a table.
    """

    address: str
    keys: str
    table_secret: str
    seconds: float
    tables: int
    streams: int
    has_viewers: bool
    seed: int
    watched: dict[str, int]
    profiled: int | None
    interval_s: float = 0.0


class GatewayJob(msgspec.Struct, frozen=True):
    """The gateway at `url`, with the table service at `table`: for how long, how many tables, how often one moves.

    `players` are four guests, each an id and a token; the rest is as in `PlayJob`.
    """

    url: str
    table: str
    keys: str
    table_secret: str
    players: list[tuple[str, str]]
    seconds: float
    tables: int
    interval_s: float
    seed: int
    watched: dict[str, int]


class HostileJob(msgspec.Struct, frozen=True):
    """As `GatewayJob`; `stalled` readers that do not read, spread over so many tables."""

    url: str
    table: str
    keys: str
    table_secret: str
    players: list[tuple[str, str]]
    tables: int
    stalled: int
    seed: int


class EchoJob(msgspec.Struct, frozen=True):
    """The echo at `address`: for how long, how many messages in flight over how many streams, and how long one is.

    `watched` as in `Window`.
    """

    address: str
    seconds: float
    in_flight: int
    streams: int
    message_bytes: int
    watched: dict[str, int]


class AppendJob(msgspec.Struct, frozen=True):
    """Which database (it is made if it is not there), for how long, and how many commands a statement has."""

    postgres: str
    database: str
    seconds: float
    group: int
    seed: int


class LogJob(msgspec.Struct, frozen=True):
    """The log alone: which database (it is made if it is not there), for how long, and how many wait at a time.

    `watched` as in `Window`.
    """

    postgres: str
    database: str
    seconds: float
    waiting: int
    seed: int
    watched: dict[str, int] = {}


class BoardgameJob(msgspec.Struct, frozen=True):
    """The peer on Node: which database (it is made if it is not there), for how long, how many tables.

    `watched` as in `Window`.
    """

    postgres: str
    database: str
    seconds: float
    tables: int
    watched: dict[str, int]


class RulesJob(msgspec.Struct, frozen=True):
    """For how long, and which preset's matches where there is a choice."""

    seconds: float
    seed: int
    preset: str = "truco-paulista"
