"""What operators see: how long a queue takes, who waits in it, by game."""

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from services.matchmaking.metrics import RANKED
from services.matchmaking.queue import Ticket
from tests.services.matchmaking.memory import GAME, MemoryMatchmaking

OPERATORS = Path(__file__).parents[3] / "docs" / "operators.md"


@pytest.fixture
def matchmaking() -> MemoryMatchmaking:
    return MemoryMatchmaking()


async def queue(matchmaking: MemoryMatchmaking, count: int) -> None:
    for _ in range(count):
        player_id = str(uuid4())
        await matchmaking.places.join_queue(player_id, str(uuid4()), GAME, "")
        state = (await matchmaking.players.load(player_id)).state
        matchmaking.reads.waiting.append(Ticket(state.ticket_id, player_id, GAME, state.queued_at))


def value(matchmaking: MemoryMatchmaking, name: str, **labels: str) -> float:
    found = matchmaking.registry.get_sample_value(f"carteado_matchmaking_{name}", labels)
    assert found is not None, name
    return found


async def test_the_time_to_a_match_is_observed_once_a_player(matchmaking):
    await queue(matchmaking, 5)
    matchmaking.late = timedelta(seconds=42)
    assert await matchmaking.matcher.tick() == 1
    # The projection is behind: the same match again is no other one.
    assert await matchmaking.matcher.tick() == 1
    assert value(matchmaking, "seconds_to_match_count", preset=GAME) == 4
    assert 4 * 42 <= value(matchmaking, "seconds_to_match_sum", preset=GAME) < 4 * 44
    assert value(matchmaking, "seconds_to_match_bucket", preset=GAME, le="30.0") == 0
    assert value(matchmaking, "seconds_to_match_bucket", preset=GAME, le="60.0") == 4


async def test_who_waits_is_counted_by_queue_and_an_empty_queue_is_zero(matchmaking):
    await queue(matchmaking, 3)
    matchmaking.late = timedelta(minutes=2)
    await matchmaking.metrics.count()
    assert value(matchmaking, "tickets", preset=GAME) == value(matchmaking, "waiting", what="tickets") == 3
    assert 120 <= value(matchmaking, "longest_wait_seconds", preset=GAME) < 122
    matchmaking.reads.waiting.clear()
    await matchmaking.metrics.count()
    for preset in RANKED:
        assert value(matchmaking, "tickets", preset=preset) == 0
        assert value(matchmaking, "longest_wait_seconds", preset=preset) == 0


async def test_every_metric_of_matchmaking_is_described_for_operators(matchmaking):
    await matchmaking.metrics.count()
    text = OPERATORS.read_text()
    for metric in matchmaking.registry.collect():
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        labels = sorted({label for sample in metric.samples for label in sample.labels} - {"le"})
        shown = "".join(f"`{label}`" for label in labels)
        assert f"| `{name}` | {shown}{' ' if shown else ''}|" in text, name
