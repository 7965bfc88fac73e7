"""The `eventsourcing` library's repository: aggregates of 300 events read from Postgres, one after another."""

from __future__ import annotations

import asyncio
import gc
import time
from datetime import UTC, datetime

from tests.bench.databases import ensure_database
from tests.bench.jobs import LogJob
from tests.bench.measurement import Measurement, measured
from tests.bench.peers.tricks import PeerTrick, open_application
from tests.bench.rebuild import STREAMS
from tests.bench.tricks import EVENTS_A_STREAM, play
from tests.bench.worker import serve


def _run(job: LogJob) -> Measurement:
    application = open_application(job.postgres, job.database)
    ids = []
    for _ in range(STREAMS):
        trick = PeerTrick()
        # Its first event is that it was made.
        for number in range(EVENTS_A_STREAM - 1):
            body = play(number)
            trick.play(seat=body.seat, card=body.card, due_at=datetime.now(UTC))
        application.save(trick)
        ids.append(trick.id)
    gc.freeze()
    times_s: list[float] = []
    began_at = ended_at = time.perf_counter()
    while ended_at < began_at + job.seconds:
        for trick_id in ids:
            loaded: PeerTrick = application.repository.get(trick_id)
            now = time.perf_counter()
            times_s.append(now - ended_at)
            ended_at = now
            assert loaded.played == EVENTS_A_STREAM - 1
    application.close()
    return measured(len(times_s) * EVENTS_A_STREAM, ended_at - began_at, times_s)


async def measure(job: LogJob) -> Measurement:
    """Events a second, and how long each aggregate took."""
    await ensure_database(job.postgres, job.database)
    return await asyncio.to_thread(_run, job)


if __name__ == "__main__":
    serve(LogJob, measure)
