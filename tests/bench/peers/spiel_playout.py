"""Random matches of a game of open-spiel, written in C++ and played from Python, on one core."""

from __future__ import annotations

import random
import time
from importlib import import_module
from typing import Any

from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.worker import serve


async def measure(job: RulesJob) -> Measurement:
    """Actions a second; those of chance, such as a card that is dealt, are not counted."""
    # The package has no types.
    pyspiel: Any = import_module("pyspiel")
    played = pyspiel.load_game(job.preset)
    chance = random.Random(job.seed)
    count = 0
    began_at = time.process_time()
    while time.process_time() - began_at < job.seconds:
        state = played.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                count += 1
    return measured(count, time.process_time() - began_at)


if __name__ == "__main__":
    serve(RulesJob, measure)
