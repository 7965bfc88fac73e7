"""The runtime's whole append, on Postgres: idempotency, deadlines, state hashes, JSONB, metrics, group commit.

So many callers wait at a time, each with a stream of its own and its next command when the one before is in the log.
"""

from __future__ import annotations

import asyncio
import gc
import time

from prometheus_client import CollectorRegistry

from libs.eventlog.clock import DatabaseClock
from libs.eventlog.committed import Committed
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Runtime
from libs.service.log_metrics import LogMetrics
from tests.bench.databases import ensure_database
from tests.bench.jobs import LogJob
from tests.bench.measurement import Measurement
from tests.bench.tricks import EVENTS_A_STREAM, REGISTRY, TRICK, CardPlayed, PlayCard, Trick, play
from tests.bench.window import Window
from tests.bench.worker import serve

_GROUPS = ("carteado_append_group_commands_sum", "carteado_append_group_commands_count")


async def measure(job: LogJob) -> Measurement:
    """Commands a second, and how long each waited for its answer."""
    await ensure_database(job.postgres, job.database)
    metrics = CollectorRegistry()
    observations = LogMetrics(metrics)
    store = await PostgresStore.open(f"{job.postgres} dbname={job.database}", observations=observations)
    clock = DatabaseClock(store.now)
    await clock.start()
    runtime = Runtime(TRICK, REGISTRY, store, now=clock.now, observations=observations)
    window = Window(job.seconds, job.watched)
    gc.freeze()
    window.open()
    async with asyncio.TaskGroup() as callers:
        for number in range(job.waiting):
            callers.create_task(_call(runtime, f"{job.seed}.{number}", window))
    await runtime.close()
    await clock.stop()
    await store.close()
    commands, groups = (metrics.get_sample_value(name) or 0.0 for name in _GROUPS)
    result = window.result()
    result.facts["commands_a_statement"] = commands / groups
    return result


async def _call(runtime: Runtime[Trick, PlayCard, CardPlayed], name: str, window: Window) -> None:
    generation = 0
    while not window.is_over():
        for number in range(EVENTS_A_STREAM):
            if window.is_over():
                return
            began_at = time.perf_counter()
            answer = await runtime.handle(
                f"{name}.{generation}",
                play(number),
                command_id=f"{name}.{generation}.{number}".ljust(36, "-"),
                actor="player:ana",
            )
            assert isinstance(answer, Committed), f"a legal command was refused: {answer}"
            window.note(began_at)
        generation += 1


if __name__ == "__main__":
    serve(LogJob, measure)
