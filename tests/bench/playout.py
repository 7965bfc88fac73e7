"""Random matches through the public rules: legal moves, one of them at random, decided, its events folded; one core."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from libs.rules.registry import game
from libs.rules.shuffle import Draws
from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.script import PLAYERS, PRESET
from tests.bench.worker import serve


async def measure(job: RulesJob) -> Measurement:
    """Moves a second. A match that the window's end falls into is played to its end."""
    chance = random.Random(job.seed)
    rules = game(PRESET).rule_set({})
    count = 0
    began_at = time.perf_counter()
    while time.perf_counter() - began_at < job.seconds:
        count += _match(rules, chance)
    return measured(count, time.perf_counter() - began_at)


def _match(rules: object, chance: random.Random) -> int:
    """How many moves a random match has had."""
    truco, draws = game(PRESET), Draws(chance.randbytes(32), "bench", [b""] * len(PLAYERS))
    state = truco.initial(rules, len(PLAYERS))
    for event in truco.start(state, draws):
        state = truco.evolve(state, event)
    count = 0
    while (awaited := truco.awaited(state)) is not None:
        seat = awaited.seats[0]
        move = chance.choice(truco.legal_moves(state, seat)).move
        decision = truco.decide(state, seat, move, draws)
        assert isinstance(decision, Sequence), f"a legal move is refused: {decision}"
        for event in decision:
            state = truco.evolve(state, event)
        count += 1
    return count


if __name__ == "__main__":
    serve(RulesJob, measure)
