"""Random matches of `pytruco` (four players, as its own bench plays them), on one core."""

from __future__ import annotations

import random
import time
from importlib import import_module
from typing import Any

from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.worker import serve

_POINTS = 20
_SIDES = (["Alice", "Ariana"], ["Bob", "Ben"])


async def measure(job: RulesJob) -> Measurement:
    """Actions a second."""
    # The package has no types.
    partida: Any = import_module("pytruco.pdt.partida")
    chi: Any = import_module("pytruco.pdt.chi")
    random.seed(job.seed)
    count = 0
    began_at = time.process_time()
    while time.process_time() - began_at < job.seconds:
        match = partida.Partida(_POINTS, *_SIDES, verbose=False)
        while not match.terminada() and time.process_time() - began_at < job.seconds:
            chi.random_action(match, allow_mazo=False).hacer(match)
            count += 1
    return measured(count, time.process_time() - began_at)


if __name__ == "__main__":
    serve(RulesJob, measure)
