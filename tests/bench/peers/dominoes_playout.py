"""Random rounds of `dominoes` (four seats in pairs, all tiles dealt; it passes by itself, as this platform does), on one core."""

from __future__ import annotations

import random
import time
from importlib import import_module
from typing import Any

from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.worker import serve


async def measure(job: RulesJob) -> Measurement:
    """Tiles a second; a pass is not counted."""
    # The package has no types.
    dominoes: Any = import_module("dominoes")
    random.seed(job.seed)
    chance = random.Random(job.seed)
    count = 0
    began_at = time.process_time()
    while time.process_time() - began_at < job.seconds:
        game = dominoes.Game.new()
        while game.result is None:
            moves = game.valid_moves
            game.make_move(*moves[int(chance.random() * len(moves))])
            count += 1
    return measured(count, time.process_time() - began_at)


if __name__ == "__main__":
    serve(RulesJob, measure)
