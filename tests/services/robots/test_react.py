"""Turns against a real table service: played once however they come, and harmless when they have passed."""

from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from carteado.table.v1 import events_pb2
from carteado.table.v1 import table_service_pb2 as pb
from libs.eventlog.errors import LogUnavailableError
from libs.service.credentials import Credentials
from libs.service.errors import ServiceError
from libs.service.grpc_client import Channels
from services.robots.react import RobotMetrics, RobotTurns, TableAwayError
from tests.services.table.conftest import Serving, serving

__all__ = ["serving"]

SPECTATOR = pb.Viewer(spectator=pb.Spectator())


class Robots:
    def __init__(self, serving: Serving) -> None:
        self.registry = CollectorRegistry()
        credentials = Credentials("robots", serving.keys)
        self.channels = Channels({"table": (serving.address,)}, credentials)
        self.turns = RobotTurns(self.channels, b"key", 0.0, RobotMetrics(self.registry))

    def count(self, outcome: str) -> float:
        return self.registry.get_sample_value("carteado_robot_turns_total", {"outcome": outcome}) or 0.0


@pytest.fixture
async def robots(serving: Serving, tmp_path: Path):
    made = Robots(serving)
    yield made
    await made.channels.close()


async def next_turn(serving: Serving, table_id: str, strength: str = "simple") -> bytes:
    view = await serving.view(table_id, SPECTATOR)
    turn = events_pb2.RobotTurn(
        table_id=table_id,
        seat=view.clock.seats[0],
        turn=view.clock.turn,
        strength=strength,
        preset="truco-paulista",
    )
    return turn.SerializeToString()


async def test_robots_play_a_whole_match_by_their_turns(serving: Serving, robots: Robots) -> None:
    table_id = await serving.create()
    moves = 0
    while not (await serving.view(table_id, SPECTATOR)).HasField("result"):
        await robots.turns.play(await next_turn(serving, table_id))
        moves += 1
    assert robots.count("played") == moves


async def test_b091_a_turn_delivered_twice_is_played_once(serving: Serving, robots: Robots) -> None:
    table_id = await serving.create()
    turn = await next_turn(serving, table_id)
    await robots.turns.play(turn)
    version = (await serving.runtime.load(table_id)).version
    await robots.turns.play(turn)
    assert (await serving.runtime.load(table_id)).version == version
    assert (robots.count("played"), robots.count("passed")) == (1, 1)


async def test_a_robot_that_signals_plays_its_card_in_the_same_turn(serving: Serving, robots: Robots) -> None:
    """The random robot signals often: four seats of it come to the end of a match by their turns alone."""
    table_id = await serving.create(strength="random")
    while not (view := await serving.view(table_id, SPECTATOR)).HasField("result"):
        await robots.turns.play(await next_turn(serving, table_id, "random"))
        assert (await serving.view(table_id, SPECTATOR)).clock.turn != view.clock.turn
    events = await serving.store.read(serving.runtime.stream(table_id))
    assert "truco.signal_sent" in {event.name for event in events}


async def test_turns_of_matches_that_are_over_or_never_were_have_passed(
    serving: Serving, robots: Robots
) -> None:
    table_id = await serving.create()
    turn = await next_turn(serving, table_id)
    await serving.play(table_id)
    await robots.turns.play(turn)
    await robots.turns.play(
        events_pb2.RobotTurn(
            table_id="11111111-1111-4111-8111-111111111111",
            seat=1,
            turn=1,
            strength="simple",
            preset="truco-paulista",
        ).SerializeToString()
    )
    assert robots.count("passed") == 2


async def test_a_table_service_that_is_away_is_an_error_so_that_the_turn_comes_again(
    serving: Serving, robots: Robots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.robots.react.CALL_TIMEOUT_S", 0.3)
    table_id = await serving.create()
    turn = await next_turn(serving, table_id)
    await serving.stop_serving()
    with pytest.raises(ServiceError, match="UNAVAILABLE"):
        await robots.turns.play(turn)


async def test_a_table_that_cannot_decide_now_is_no_refusal(
    serving: Serving, robots: Robots, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await next_turn(serving, await serving.create())

    async def full_disk(*_: object, **__: object) -> None:
        raise LogUnavailableError("nothing was appended: no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(serving.store, "append", full_disk)
        with pytest.raises(TableAwayError, match="UNAVAILABLE"):
            await robots.turns.play(turn)
    await robots.turns.play(turn)
    assert (robots.count("refused"), robots.count("played")) == (0, 1)
