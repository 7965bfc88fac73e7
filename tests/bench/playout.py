"""Random matches through the public rules: legal moves, one of them at random, decided, its events folded.

One process that waits for nothing: its own CPU time is what counts, here and for its peers, whoever else works on the core.
"""

from __future__ import annotations

import random
import time

from libs.rules.family import AnyGame
from libs.rules.game import Rejection
from libs.rules.registry import game
from libs.rules.shuffle import Draws
from tests.bench.jobs import RulesJob
from tests.bench.measurement import Measurement, measured
from tests.bench.worker import serve


async def measure(job: RulesJob) -> Measurement:
    """Moves a second. A match that the window's end falls into is played to its end."""
    chance = random.Random(job.seed)
    played = game(job.preset)
    rules, players = played.rule_set({}), played.player_counts[0]
    count = 0
    began_at = time.process_time()
    while time.process_time() - began_at < job.seconds:
        count += _match(played, rules, players, chance)
    return measured(count, time.process_time() - began_at)


def _match(played: AnyGame, rules: object, players: int, chance: random.Random) -> int:
    """How many moves a random match has had."""
    draws = Draws(chance.randbytes(32), "bench", [b""] * players)
    state = played.initial(rules, players)
    for event in played.start(state, draws):
        state = played.evolve(state, event)
    count = 0
    while (awaited := played.awaited(state)) is not None:
        seat = awaited.seats[0]
        moves = played.legal_moves(state, seat)
        move = moves[int(chance.random() * len(moves))].move
        decision = played.decide(state, seat, move, draws)
        assert not isinstance(decision, Rejection), f"a legal move is refused: {decision}"
        for event in decision:
            state = played.evolve(state, event)
        count += 1
    return count


if __name__ == "__main__":
    serve(RulesJob, measure)
