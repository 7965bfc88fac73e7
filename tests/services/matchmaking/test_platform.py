"""Matchmaking among the real services: rooms, queue, training, races, and death between a match and its table."""

import asyncio
import os
import signal
from uuid import uuid4

import pytest

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from deploy.local import discover
from libs.client.http_api import GatewayApi
from tests.deploy.stack import Stack
from tests.services.matchmaking.conftest import GAME, Desk

pytestmark = [pytest.mark.e2e, pytest.mark.fault]


async def guests(stack: Stack, count: int) -> list[str]:
    url = f"http://{discover(stack.data).services['gateway']['http']}"
    async with GatewayApi(url) as api:
        return [(await api.register_guest(f"Jogador {uuid4().hex[:8]}")).player_id for _ in range(count)]


async def all_rooms(stack: Stack, desk: Desk) -> None:
    async with desk:
        people = await guests(stack, 14)
        await training(desk, people[0])
        await open_tables(desk, people[1:6])
        await queue(desk, people[6:14])


async def training(desk: Desk, ana: str) -> None:
    command_id = str(uuid4())
    asked = {"preset": GAME, "strength": "simple", "command_id": command_id}
    place = await desk.ask("StartTraining", ana, **asked)
    assert (place.kind, place.room) == (pb.PLACE_KIND_PLAYING, pb.ROOM_TREINO)
    again = await desk.ask("StartTraining", ana, **asked)
    assert again.table_id == place.table_id, "the same request has the same table"
    for method, fields in {
        "QuickPlay": {"preset": GAME},
        "JoinQueue": {"preset": GAME},
        "OpenTable": {"preset": GAME},
        "StartTraining": {"preset": GAME},
    }.items():
        assert await desk.code(method, ana, **fields) == "ALREADY_AT_TABLE"


async def open_tables(desk: Desk, people: list[str]) -> None:
    bia, caio, davi, eva, late = people
    table_id = (await desk.ask("OpenTable", bia, preset=GAME)).table_id
    assert await desk.code("JoinQueue", bia, preset=GAME) == "ALREADY_WAITING"
    # Two who want one seat: one sits, the other is told.
    sits = {"table_id": table_id, "seat": 2}
    told = await asyncio.gather(desk.code("SitDown", caio, **sits), desk.code("SitDown", davi, **sits))
    assert sorted(code.startswith("accepted") for code in told) == [False, True]
    assert "SEAT_TAKEN" in told
    seated, other = (caio, davi) if told[0].startswith("accepted") else (davi, caio)
    await desk.ask("StandUp", seated, table_id=table_id)
    assert (await desk.ask("GetPlace", seated)).kind == pb.PLACE_KIND_IDLE
    for player_id in (seated, other):
        await quick_play_at(desk, player_id, table_id)
    # The last seat, wanted by two: the match begins with one of them.
    sits = {"table_id": table_id, "seat": await free_seat(desk, table_id)}
    told = await asyncio.gather(desk.code("SitDown", eva, **sits), desk.code("SitDown", late, **sits))
    assert sorted(code.startswith("accepted") for code in told) == [False, True]
    for player_id in (bia, seated, other, eva if told[0].startswith("accepted") else late):
        place = await desk.until(player_id, pb.PLACE_KIND_PLAYING)
        assert place.table_id == table_id
    assert await desk.code("StandUp", bia, table_id=table_id) == "MATCH_ALREADY_FORMED"


async def quick_play_at(desk: Desk, player_id: str, table_id: str) -> None:
    """The list is a moment behind: whoever opened a table by that stands up and asks again."""
    for _ in range(20):
        place = await desk.ask("QuickPlay", player_id, preset=GAME)
        if place.table_id == table_id:
            return
        await desk.ask("StandUp", player_id, table_id=place.table_id)
    raise AssertionError("quick play does not find the open table")


async def free_seat(desk: Desk, table_id: str) -> int:
    for _ in range(40):
        listed = await desk.channels.call(
            "matchmaking",
            table_id,
            lambda channel: MatchmakingServiceStub(channel).ListOpenTables,
            pb.ListOpenTablesRequest(preset=GAME),
        )
        tables = {table.table_id: list(table.player_ids) for table in listed.tables}
        if tables.get(table_id, []).count("") == 1:
            return tables[table_id].index("")
        await asyncio.sleep(0.05)
    raise AssertionError("the list does not show who sits where")


async def queue(desk: Desk, people: list[str]) -> None:
    assert await desk.code("JoinQueue", people[0], preset="truco@003") == "NOT_RANKED"
    await asyncio.gather(*(desk.ask("JoinQueue", player_id, preset=GAME) for player_id in people[:3]))
    assert (await desk.ask("LeaveQueue", people[2])).kind == pb.PLACE_KIND_IDLE
    await asyncio.gather(*(desk.ask("JoinQueue", player_id, preset=GAME) for player_id in people[2:7]))
    # A cancel that races with the match: out of the queue, or told of the match, and never both.
    cancelled, _ = await asyncio.gather(
        desk.code("LeaveQueue", people[6]), desk.ask("JoinQueue", people[7], preset=GAME)
    )
    if cancelled.startswith("accepted"):
        await desk.ask("JoinQueue", people[6], preset=GAME)
    else:
        assert cancelled == "MATCH_ALREADY_FORMED"
    places = [await desk.until(player_id, pb.PLACE_KIND_PLAYING) for player_id in people]
    tables = [place.table_id for place in places]
    assert sorted(tables.count(table_id) for table_id in set(tables)) == [4, 4]


def test_every_room_seats_people_once(stack: Stack, desk: Desk) -> None:
    asyncio.run(all_rooms(stack, desk))


async def killed(stack: Stack, desk: Desk) -> None:
    async with desk:
        people = await guests(stack, 12)
        for number, player_id in enumerate(people):
            await desk.ask("JoinQueue", player_id, preset=GAME)
            if number % 4 != 3:
                continue
            # Four wait: the match is formed, or its table made, in this moment.
            await asyncio.sleep(0.05 * number / 4)
            os.kill(stack.pid_of("services.matchmaking"), signal.SIGKILL)
        places = [await desk.until(player_id, pb.PLACE_KIND_PLAYING) for player_id in people]
        tables = [place.table_id for place in places]
        assert sorted(tables.count(table_id) for table_id in set(tables)) == [4, 4, 4]


def test_killed_again_and_again_nobody_is_lost_and_nobody_sits_twice(stack: Stack, desk: Desk) -> None:
    asyncio.run(killed(stack, desk))
