"""The append function fed with ready-made statements of small commands: what the runtime's append could reach at most.

The commands are those that the runtime makes of the same load, with ids, body hashes, deadlines and state hashes.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

from libs.eventlog.migrations import migrate
from libs.eventlog.postgres import _document
from libs.eventlog.streams import parse_stream
from tests.bench.append import WARM_UP_STATEMENTS, Statement, append_statements
from tests.bench.databases import ensure_database
from tests.bench.jobs import LogJob
from tests.bench.machine import cpu_s
from tests.bench.measurement import Measurement, measured
from tests.bench.tricks import appends
from tests.bench.worker import serve

_ENOUGH_COMMANDS_S = 45_000
_ENOUGH_STATEMENTS_S = 8_000
"""For how many a second statements are made; a faster database ends the measurement earlier."""


async def measure(job: LogJob) -> Measurement:
    """Commands a second, and how long each statement took. `waiting` is the number of commands in one."""
    conninfo = f"{job.postgres} dbname={job.database}"
    await ensure_database(job.postgres, job.database)
    await migrate(conninfo)
    commands = min(_ENOUGH_COMMANDS_S, _ENOUGH_STATEMENTS_S * job.waiting) * job.seconds
    statements = list(_statements(job, int(commands / job.waiting) + WARM_UP_STATEMENTS))
    gc.freeze()
    before_s = _spent_s(job)
    times_s, measured_s = append_statements(conninfo, statements, job.seconds)
    executed = (len(times_s) + WARM_UP_STATEMENTS) * job.waiting
    facts = {
        f"{name}_cpu_us": (spent_s - before_s[name]) / executed * 1e6
        for name, spent_s in _spent_s(job).items()
    }
    return measured(len(times_s) * job.waiting, measured_s, times_s, facts)


def _spent_s(job: LogJob) -> dict[str, float]:
    """CPU seconds so far of this process and of those that are watched."""
    return {"load": time.process_time(), **{name: cpu_s(pid) for name, pid in job.watched.items()}}


def _statements(job: LogJob, count: int) -> Iterator[Statement]:
    streams = [appends(f"{job.seed}.{number}") for number in range(job.waiting)]
    for _ in range(count):
        commands = [next(stream) for stream in streams]
        partitions = {parse_stream(command.writes[0].stream).partition for command in commands}
        yield _document(commands), sorted(partitions)


if __name__ == "__main__":
    serve(LogJob, measure)
