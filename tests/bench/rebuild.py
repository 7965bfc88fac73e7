"""Cold streams of 300 events read from Postgres and folded to their state, one after another."""

from __future__ import annotations

import gc
import time

from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Runtime
from tests.bench.databases import ensure_database
from tests.bench.jobs import LogJob
from tests.bench.measurement import Measurement, measured
from tests.bench.tricks import EVENTS_A_STREAM, REGISTRY, TRICK, CardPlayed, PlayCard, Trick, play
from tests.bench.worker import serve

STREAMS = 20
"""How many streams are made and then rebuilt in turn, by the peers too."""

Tricks = Runtime[Trick, PlayCard, CardPlayed]


async def measure(job: LogJob) -> Measurement:
    """Events a second, and how long each stream took."""
    await ensure_database(job.postgres, job.database)
    store = await PostgresStore.open(f"{job.postgres} dbname={job.database}")
    names = [f"rebuild.{job.seed}.{number}" for number in range(STREAMS)]
    runtime: Tricks = Runtime(TRICK, REGISTRY, store)
    for name in names:
        await _fill(runtime, name)
    gc.freeze()
    times_s: list[float] = []
    began_at = ended_at = time.perf_counter()
    while ended_at < began_at + job.seconds:
        # A runtime that was just made knows no state.
        cold: Tricks = Runtime(TRICK, REGISTRY, store)
        for name in names:
            loaded = await cold.load(name)
            now = time.perf_counter()
            times_s.append(now - ended_at)
            ended_at = now
            assert loaded.state.played == EVENTS_A_STREAM
    await store.close()
    return measured(len(times_s) * EVENTS_A_STREAM, ended_at - began_at, times_s)


async def _fill(runtime: Tricks, name: str) -> None:
    for number in range(EVENTS_A_STREAM):
        await runtime.handle(name, play(number), command_id=f"{name}.{number}", actor="player:ana")


if __name__ == "__main__":
    serve(LogJob, measure)
