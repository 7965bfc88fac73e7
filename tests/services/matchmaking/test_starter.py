"""A match on its way to a table, while billing and table answer in every possible way."""

from uuid import uuid4

import pytest

from services.matchmaking.player import JoinQueue
from services.matchmaking.queue import match_id_of
from services.matchmaking.seating import Pair, members_of
from services.matchmaking.starter import IN_DOUBT, PATIENCE
from tests.services.matchmaking.memory import GAME, MemoryMatchmaking


class Scene(MemoryMatchmaking):
    """Four people whose ranked match is formed."""

    def __init__(self) -> None:
        super().__init__()
        self.people = tuple(str(uuid4()) for _ in range(4))

    async def form(self) -> str:
        tickets = tuple(str(uuid4()) for _ in self.people)
        for player_id, ticket in zip(self.people, tickets, strict=True):
            await self.players.handle(player_id, JoinQueue(player_id, GAME, ""), command_id=ticket, actor="x")
        pair = Pair(match_id_of(tickets), GAME, self.people, tickets)
        await self.seating.handle(members_of(pair), pair, command_id=str(uuid4()), actor="x")
        return pair.table_id

    async def kinds(self) -> list[str]:
        return [(await self.players.load(player_id)).state.kind for player_id in self.people]

    async def status(self, match_id: str) -> str:
        return (await self.matches.load(match_id)).state.status


@pytest.fixture
def scene() -> Scene:
    return Scene()


async def test_a_match_is_reserved_then_opened_and_its_end_frees_everybody(scene):
    match_id = await scene.form()
    await scene.starter.settle(match_id)
    assert scene.others.asked == ["reserve", "create"]
    assert await scene.status(match_id) == "started"
    for _ in range(2):
        await scene.starter.end(match_id)
        assert await scene.kinds() == ["idle"] * 4
    assert await scene.status(match_id) == "over"


async def test_b123_one_without_access_is_told_so_and_the_others_wait_on(scene):
    match_id = await scene.form()
    scene.others.refused = (scene.people[1],)
    before = [(await scene.players.load(player_id)).state.queued_at for player_id in scene.people]
    await scene.starter.settle(match_id)
    assert await scene.kinds() == ["queue", "idle", "queue", "queue"]
    refused, waiting = [(await scene.players.load(scene.people[seat])).state for seat in (1, 2)]
    assert refused.last_refusal == "ACCESS_REFUSED"
    assert (waiting.since, waiting.last_refusal) == (before[2], "")
    assert scene.others.asked == ["reserve"], "nothing was taken, so nothing is given back"


@pytest.mark.parametrize("away", ["reserve", "create"])
async def test_a_match_waits_for_a_service_that_is_away(scene, away):
    match_id = await scene.form()
    scene.others.away = {away}
    await scene.starter.settle(match_id)
    assert await scene.status(match_id) == "formed"
    scene.others.away = set()
    await scene.starter.settle(match_id)
    assert await scene.status(match_id) == "started"


async def test_after_a_minute_it_comes_to_nothing_and_nobody_is_held_while_billing_is_away(scene):
    match_id = await scene.form()
    scene.others.away = {"create"}
    await scene.starter.settle(match_id)
    # The table is there again by then; its players need not be.
    scene.others.away = {"release"}
    scene.late = PATIENCE
    await scene.starter.settle(match_id)
    assert await scene.status(match_id) == "formed", "what was asked last may yet be done"
    scene.late += IN_DOUBT
    await scene.starter.settle(match_id)
    assert await scene.kinds() == ["idle"] * 4
    assert await scene.status(match_id) == "voided"
    scene.others.away = set()
    await scene.starter.settle(match_id)
    assert await scene.status(match_id) == "over"
    assert scene.others.asked[-1] == "release"
    assert scene.others.asked.count("create") == 1


async def test_a_table_that_stood_in_time_is_played_though_nobody_heard_of_it(scene):
    match_id = await scene.form()
    scene.others.running.add(match_id)
    scene.late = PATIENCE + IN_DOUBT
    scene.others.away = {"is_running"}
    await scene.starter.settle(match_id)
    assert await scene.status(match_id) == "formed"
    scene.others.away = set()
    await scene.starter.settle(match_id)
    assert await scene.status(match_id) == "started"
    assert "create" not in scene.others.asked


async def test_what_the_table_refuses_for_good_is_not_asked_again(scene):
    match_id = await scene.form()
    scene.others.code = "INVALID_RULE_SET"
    await scene.starter.settle(match_id)
    state = (await scene.players.load(scene.people[0])).state
    assert (state.kind, state.last_refusal) == ("idle", "INVALID_RULE_SET")
