"""The append function alone: ready-made statements from a bare loop, as fast as one connection takes them.

The events are those of real matches, the statements those of the log's own encoder, each with as many commands as the
table service's group commits had. No runtime, no rules and no waiting: what the play stream's durability costs at least.
"""

from __future__ import annotations

import gc
import random
import time
import uuid
from collections.abc import Iterator, Sequence

import msgspec
import psycopg

from libs.eventlog.memory import MemoryStore
from libs.eventlog.migrations import migrate
from libs.eventlog.postgres import _APPEND, _document
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand, AppendOutcome
from libs.eventlog.streams import parse_stream, stream_id
from services.table.commands import MakeMove, OpenTable, TableCommand, player_actor
from services.table.decider import TABLE
from services.table.events import SeatTaken, TableEvent
from services.table.registry import REGISTRY
from services.table.secrets import match_secret
from services.table.state import TableState
from tests.bench.databases import ensure_database
from tests.bench.jobs import AppendJob
from tests.bench.measurement import Measurement, measured
from tests.bench.script import PLAYERS, PRESET, Script, write_scripts
from tests.bench.worker import serve

ENOUGH_COMMANDS_S = 20_000
"""Commands a second for which statements are made; a faster database ends the measurement earlier."""

_TEMPLATES = 32
WARM_UP_STATEMENTS = 20
_STATEMENT_TIMEOUT_S = 10

Statement = tuple[str, list[int]]


class _Recorder(MemoryStore):
    """A log in memory that keeps what it was told to append."""

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[AppendCommand] = []

    async def append(self, command: AppendCommand) -> AppendOutcome:
        self.commands.append(command)
        return await super().append(command)


async def measure(job: AppendJob) -> Measurement:
    """Commands a second, and how long each statement took."""
    chance = random.Random(job.seed)
    conninfo = f"{job.postgres} dbname={job.database}"
    await ensure_database(job.postgres, job.database)
    await migrate(conninfo)
    key = chance.randbytes(32)
    recorded = [await _record(key, script) for script in write_scripts(key, chance, 1, tables=_TEMPLATES)]
    wanted = int(ENOUGH_COMMANDS_S * job.seconds / job.group) + WARM_UP_STATEMENTS
    statements = list(_statements(recorded, job.group, wanted, chance))
    gc.freeze()
    times_s, measured_s = append_statements(conninfo, statements, job.seconds)
    events = sum(len(command.writes[0].events) for commands in recorded for command in commands)
    facts = {
        "commands_a_statement": float(job.group),
        "events_a_command": events / sum(map(len, recorded)),
    }
    return measured(len(times_s) * job.group, measured_s, times_s, facts)


async def _record(key: bytes, script: Script) -> Sequence[AppendCommand]:
    """What the runtime appends in a whole match."""
    store = _Recorder()
    runtime: Runtime[TableState, TableCommand, TableEvent] = Runtime(
        TABLE, REGISTRY, store, secret_for=lambda table_id: match_secret(key, table_id)
    )
    seats = tuple(SeatTaken(player_id=player) for player in PLAYERS)
    opening = OpenTable(script.table_id, PRESET, {}, seats, ("",) * len(PLAYERS))
    await runtime.handle(
        script.table_id, opening, command_id=str(uuid.UUID(script.table_id)), actor="service:gateway"
    )
    for step in script.steps:
        await runtime.handle(
            script.table_id,
            MakeMove(step.move),
            command_id=step.command_id,
            actor=player_actor(PLAYERS[step.seat]),
        )
    return store.commands


def _statements(
    recorded: Sequence[Sequence[AppendCommand]], group: int, count: int, chance: random.Random
) -> Iterator[Statement]:
    """So many statements: `group` tables side by side, each with its next command."""
    tables = [_copies(recorded, chance) for _ in range(group)]
    for _ in range(count):
        commands = [next(table) for table in tables]
        partitions = {parse_stream(command.writes[0].stream).partition for command in commands}
        yield _document(commands), sorted(partitions)


def _copies(recorded: Sequence[Sequence[AppendCommand]], chance: random.Random) -> Iterator[AppendCommand]:
    """The commands of one match after another, each match a table of its own. The first begins somewhere within."""
    while True:
        stream = stream_id(TABLE.category, str(uuid.UUID(int=chance.getrandbits(128), version=4)))
        for command in chance.choice(recorded):
            (write,) = command.writes
            yield msgspec.structs.replace(
                command,
                id=str(uuid.UUID(int=chance.getrandbits(128), version=4)),
                writes=(msgspec.structs.replace(write, stream=stream),),
            )


def append_statements(
    conninfo: str, statements: Sequence[Statement], seconds: float
) -> tuple[Sequence[float], float]:
    """The seconds that each statement took, and those of all; RuntimeError if one is not appended."""
    options = f"-c timezone=UTC -c jit=off -c statement_timeout={_STATEMENT_TIMEOUT_S}s"
    times_s: list[float] = []
    with psycopg.connect(conninfo, autocommit=True, prepare_threshold=0, options=options) as connection:
        cursor = connection.cursor(binary=True)
        for statement in statements[:WARM_UP_STATEMENTS]:
            cursor.execute(_APPEND, statement)
        began_at = ended_at = time.perf_counter()
        for statement in statements[WARM_UP_STATEMENTS:]:
            cursor.execute(_APPEND, statement)
            if any(row[1] != "appended" for row in cursor.fetchall()):
                raise RuntimeError("a command was not appended")
            now = time.perf_counter()
            times_s.append(now - ended_at)
            ended_at = now
            if now - began_at >= seconds:
                break
    return times_s, ended_at - began_at


if __name__ == "__main__":
    serve(AppendJob, measure)
