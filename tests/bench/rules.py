"""The rules alone: the moves of ready-made matches through `decide` and `evolve`, in one process, without a log."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from libs.rules.registry import game
from libs.rules.shuffle import Draws
from services.table.secrets import match_secret
from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.script import PLAYERS, PRESET, Script, write_scripts
from tests.bench.worker import serve

_MATCHES = 50


async def measure(job: RulesJob) -> Measurement:
    """Moves a second, each decided and its events folded."""
    chance = random.Random(job.seed)
    key = chance.randbytes(32)
    scripts = write_scripts(key, chance, 1, tables=_MATCHES)
    count = 0
    began_at = time.process_time()
    while time.process_time() - began_at < job.seconds:
        count += _replay(scripts, key)
    return measured(count, time.process_time() - began_at)


def _replay(scripts: Sequence[Script], key: bytes) -> int:
    truco = game(PRESET)
    count = 0
    for script in scripts:
        draws = Draws(match_secret(key, script.table_id), script.table_id, [b""] * len(PLAYERS))
        state = truco.initial(truco.rule_set({}), len(PLAYERS))
        for event in truco.start(state, draws):
            state = truco.evolve(state, event)
        for step in script.steps:
            decision = truco.decide(state, step.seat, step.move, draws)
            assert isinstance(decision, Sequence), f"the script's move is refused: {decision}"
            for event in decision:
                state = truco.evolve(state, event)
        assert truco.result(state) is not None, "the script is a whole match"
        count += len(script.steps)
    return count


if __name__ == "__main__":
    serve(RulesJob, measure)
