"""The `eventsourcing` library's save: so many threads, each with an aggregate in hand, an event and a save at a time.

The library has no asynchronous face; the number of threads is that at which it is fastest, not that of those who wait.
It does not load the aggregate anew for each command, which is to its advantage.
"""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import UTC, datetime, timedelta

from tests.bench.databases import ensure_database
from tests.bench.jobs import LogJob
from tests.bench.measurement import Measurement, measured
from tests.bench.peers.tricks import PeerTrick, PeerTricks, open_application
from tests.bench.tricks import EVENTS_A_STREAM, play
from tests.bench.worker import serve

_WARM_UP_S = 0.5


class _Counting:
    """When what is done counts."""

    def __init__(self, seconds: float) -> None:
        self.begins_at = time.perf_counter() + _WARM_UP_S
        self.ends_at = self.begins_at + seconds


def _save(application: PeerTricks, counting: _Counting, times_s: list[float]) -> None:
    while True:
        trick = PeerTrick()
        application.save(trick)
        for number in range(EVENTS_A_STREAM):
            began_at = time.perf_counter()
            if began_at > counting.ends_at:
                return
            body = play(number)
            trick.play(seat=body.seat, card=body.card, due_at=datetime.now(UTC) + timedelta(seconds=20))
            application.save(trick)
            ended_at = time.perf_counter()
            if counting.begins_at <= began_at and ended_at <= counting.ends_at:
                times_s.append(ended_at - began_at)


def _run(job: LogJob) -> Measurement:
    application = open_application(job.postgres, job.database)
    counting, times_s = _Counting(job.seconds), list[float]()
    threads = [
        threading.Thread(target=_save, args=(application, counting, times_s)) for _ in range(job.waiting)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    application.close()
    return measured(len(times_s), job.seconds, times_s)


async def measure(job: LogJob) -> Measurement:
    """Saves a second, and how long each took. `waiting` is the number of threads."""
    await ensure_database(job.postgres, job.database)
    return await asyncio.to_thread(_run, job)


if __name__ == "__main__":
    serve(LogJob, measure)
