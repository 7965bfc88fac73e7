"""Everything that can be measured, by name, and what is compared with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

PLAY, PLAY_ALONE, ECHO, APPEND, RULES = "play", "play_alone", "echo", "append", "rules"
REBUILD, PEER_REBUILD, PEER_APPEND = "rebuild", "peer_rebuild", "peer_append"
PLAY_HALF, UNARY, GATEWAY, GATEWAY_HALF = "play_half", "unary", "gateway", "gateway_half"
CALM, HOSTILE, MEMORY = "calm", "hostile", "memory"
BOARDGAME = "boardgame"
PLAYOUT, PYTRUCO, SPADES = "playout", "pytruco", "spades"
SUECA = "sueca"
DOMINO, DOMINOES = "domino", "dominoes"
MAU_MAU, UNO = "mau_mau", "uno"
BURACO, SPIEL_GIN, RLCARD_GIN = "buraco", "spiel_gin", "rlcard_gin"
WAITING: Final = (1, 16, 64, 256)
"""How many callers wait at a time."""


def runtime(waiting: int) -> str:
    """The row of the runtime's append with so many waiting."""
    return f"runtime_{waiting}"


def bare(waiting: int) -> str:
    """The row of the bare loop with so many commands in a statement."""
    return f"bare_{waiting}"


class Row(msgspec.Struct, frozen=True):
    """What a row is, for a person to read, and in what it is counted."""

    title: str
    unit: str


class Comparison(msgspec.Struct, frozen=True):
    """One row over another, by their rates or their 99th percentiles; `reach` is the least (or `at most`) wanted."""

    over: str
    under: str
    by: Literal["rate", "p99_ms"] = "rate"
    reach: float | None = None
    is_most: bool = False

    @property
    def name(self) -> str:
        """As it stands in the report."""
        return f"{self.over}/{self.under}"


ROWS: Mapping[str, Row] = {
    PLAY: Row("play stream, four viewers a move", "moves/s"),
    PLAY_ALONE: Row("play stream, nobody looks on", "moves/s"),
    ECHO: Row("bare bidirectional gRPC echo", "echoes/s"),
    APPEND: Row("append function alone", "commands/s"),
    RULES: Row("rules alone, one process", "moves/s"),
    PLAY_HALF: Row("play stream at half load, four viewers", "moves/s"),
    UNARY: Row("unary calls, nobody looks on", "moves/s"),
    GATEWAY: Row("gateway's WebSocket, four seats updated", "moves/s"),
    GATEWAY_HALF: Row("gateway's WebSocket at half load", "moves/s"),
    PLAYOUT: Row("random Truco, legal moves to events", "moves/s"),
    PYTRUCO: Row("pytruco's random matches", "moves/s"),
    SPADES: Row("open-spiel's random spades", "moves/s"),
    SUECA: Row("random Sueca, legal moves to events", "moves/s"),
    DOMINO: Row("random Dominó, legal moves to events", "tiles/s"),
    DOMINOES: Row("dominoes' random rounds", "tiles/s"),
    MAU_MAU: Row("random Mau Mau, legal moves to events", "moves/s"),
    UNO: Row("rlcard's random uno", "moves/s"),
    BURACO: Row("random Buraco for two, legal moves to events", "moves/s"),
    SPIEL_GIN: Row("open-spiel's random gin rummy", "moves/s"),
    RLCARD_GIN: Row("rlcard's random gin rummy", "moves/s"),
    BOARDGAME: Row("boardgame.io, four seats updated", "moves/s"),
    **{runtime(count): Row(f"runtime's append, {count} waiting", "commands/s") for count in WAITING},
    **{bare(count): Row(f"bare loop, {count} a statement", "commands/s") for count in WAITING},
    PEER_APPEND: Row("eventsourcing's save, 8 threads", "commands/s"),
    REBUILD: Row("rebuild of 300 events", "events/s"),
    PEER_REBUILD: Row("eventsourcing's rebuild", "events/s"),
    CALM: Row("gateway, fixed pace", "moves/s"),
    HOSTILE: Row("gateway, fixed pace, beside hostile clients", "moves/s"),
    MEMORY: Row("tables opened for the memory's sake", "tables/s"),
}

COMPARISONS: Sequence[Comparison] = (
    Comparison(PLAY, ECHO, reach=0.3),
    Comparison(PLAY, APPEND),
    Comparison(PLAY_ALONE, ECHO),
    Comparison(PLAY_ALONE, APPEND),
    Comparison(PLAY_ALONE, UNARY),
    Comparison(GATEWAY, PLAY),
    Comparison(GATEWAY, BOARDGAME, reach=8),
    Comparison(PLAYOUT, PYTRUCO, reach=60),
    Comparison(PLAYOUT, SPADES, reach=1.5),
    Comparison(SUECA, SPADES, reach=1),
    Comparison(DOMINO, DOMINOES, reach=1.5),
    Comparison(MAU_MAU, UNO, reach=1),
    Comparison(BURACO, SPIEL_GIN, reach=1),
    Comparison(BURACO, RLCARD_GIN, reach=3),
    Comparison(HOSTILE, CALM, by="p99_ms", reach=1.5, is_most=True),
    Comparison(runtime(1), bare(1)),
    Comparison(runtime(16), bare(16)),
    Comparison(runtime(64), bare(64), reach=0.6),
    Comparison(runtime(256), bare(256), reach=0.6),
    Comparison(runtime(64), PEER_APPEND, reach=10),
    Comparison(REBUILD, PEER_REBUILD, reach=6),
)
