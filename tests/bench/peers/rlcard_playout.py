"""Random matches of a game of rlcard, through its environment as its documentation plays it, on one core.

The environment observes the table for who is to play after each step; a view is not made on the side that it is compared with.
"""

from __future__ import annotations

import random
import time
from importlib import import_module
from typing import Any

from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.worker import serve


async def measure(job: RulesJob) -> Measurement:
    """Actions a second."""
    # The package has no types.
    rlcard: Any = import_module("rlcard")
    played = rlcard.make(job.preset, config={"seed": job.seed % 2**32})
    chance = random.Random(job.seed)
    count = 0
    began_at = time.process_time()
    while time.process_time() - began_at < job.seconds:
        state, _ = played.reset()
        while not played.is_over():
            actions = list(state["legal_actions"])
            state, _ = played.step(actions[int(chance.random() * len(actions))])
            count += 1
    return measured(count, time.process_time() - began_at)


if __name__ == "__main__":
    serve(RulesJob, measure)
