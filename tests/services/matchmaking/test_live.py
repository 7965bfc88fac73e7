"""Matchmaking on a real log and a real NATS: news that comes twice, late or never, erasure, and a rebuild."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from carteado.accounts.v1.events_pb2 import PlayerBanned, PlayerErased
from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.table.v1 import table_service_pb2 as table_pb
from carteado.table.v1.events_pb2 import TableClosed
from libs.eventlog.rebuild import rebuild
from libs.service.credentials import Credentials
from libs.service.grpc_client import Channels
from services.matchmaking.outside import TableService
from services.matchmaking.react import BANNED_SUBJECT, CLOSED_SUBJECT, ERASED_SUBJECT
from services.matchmaking.waiting import WAITING
from tests.services.matchmaking.conftest import GAME, Live, Rows

pytestmark = pytest.mark.integration


def new() -> str:
    return str(uuid4())


async def train(live: Live, player_id: str) -> str:
    place = await live.desk.ask("StartTraining", player_id, preset=GAME, strength="simple")
    assert place.kind == pb.PLACE_KIND_PLAYING
    return place.table_id


async def test_the_end_of_a_match_that_nobody_told_of_frees_its_player(live: Live) -> None:
    ana, bia = new(), new()
    table_id, running = await train(live, ana), await train(live, bia)
    await live.until_rows(matches=2)
    await live.tables.play(table_id)
    await live.desk.until(ana, pb.PLACE_KIND_IDLE)
    await live.until_rows(matches=1)
    # Who is still at the table is left there.
    place = await live.desk.ask("GetPlace", bia)
    assert (place.kind, place.table_id) == (pb.PLACE_KIND_PLAYING, running)


async def test_who_is_out_of_a_match_is_asked_of_the_table(live: Live) -> None:
    ana, bia, stranger = new(), new(), new()
    table_id = await live.tables.create(ana, bia, preset="buraco-aberto")
    channels = Channels({"table": (live.tables.address,)}, Credentials("matchmaking", live.tables.keys))
    tables = TableService(channels)
    assert not await tables.is_out(table_id, ana)
    # In Buraco who leaves is eliminated (ruling G-09).
    leave = table_pb.TableCommand(command_id=new(), table_id=table_id, leave=table_pb.Leave())
    left = await live.tables.submit(table_pb.Viewer(player_id=ana), leave)
    assert left.HasField("accepted")
    assert [await tables.is_out(table_id, one) for one in (ana, bia, stranger)] == [True, False, False]
    assert await tables.is_running(table_id, bia)
    await channels.close()


async def test_a_told_end_frees_the_player_once_also_told_twice_and_of_unknown_tables(live: Live) -> None:
    ana = new()
    table_id = await train(live, ana)
    closed = TableClosed(table_id=table_id)
    for number in range(2):
        await live.tell(CLOSED_SUBJECT, closed, f"table-0-{number}")
    await live.tell(CLOSED_SUBJECT, TableClosed(table_id=new()), "table-0-7")
    freed = await live.desk.until(ana, pb.PLACE_KIND_IDLE)
    second = await train(live, ana)
    await live.tell(CLOSED_SUBJECT, closed, "table-0-9")
    await live.until_rows(matches=1)
    place = await live.desk.ask("GetPlace", ana)
    assert (place.table_id, place.version > freed.version) == (second, True)


@pytest.mark.parametrize(
    ("subject", "told"),
    [(BANNED_SUBJECT, PlayerBanned), (ERASED_SUBJECT, PlayerErased)],
    ids=["banned", "erased"],
)
async def test_a_banned_or_erased_player_waits_nowhere_and_a_match_goes_on(
    live: Live, subject: str, told: type[PlayerBanned | PlayerErased]
) -> None:
    queued, seated, friend, playing = (new() for _ in range(4))
    await live.desk.ask("JoinQueue", queued, preset=GAME)
    table_id = (await live.desk.ask("OpenTable", seated, preset=GAME)).table_id
    await live.desk.ask("SitDown", friend, table_id=table_id, seat=1)
    await train(live, playing)
    await live.until_rows(tickets=1, open_tables=1, matches=1)
    for number, player_id in enumerate((queued, seated, playing, queued, new())):
        await live.tell(subject, told(player_id=player_id), f"accounts-0-{number}")
    for player_id in (queued, seated):
        await live.desk.until(player_id, pb.PLACE_KIND_IDLE)
    await live.until(
        lambda rows: (
            not rows["tickets"]
            and [[str(seat) for seat in table[2] if seat] for table in rows["open_tables"]] == [[friend]]
        )
    )
    assert (await live.desk.ask("GetPlace", playing)).kind == pb.PLACE_KIND_PLAYING


@pytest.mark.parametrize("gone_after", [timedelta(seconds=2)])
async def test_who_waits_and_is_not_asked_for_any_more_leaves_queue_and_open_table(live: Live) -> None:
    queued, seated, there, friend, playing = (new() for _ in range(5))
    for player_id in (queued, there):
        await live.desk.ask("JoinQueue", player_id, preset=GAME)
    table_id = (await live.desk.ask("OpenTable", seated, preset=GAME)).table_id
    await live.desk.ask("SitDown", friend, table_id=table_id, seat=1)
    await train(live, playing)

    async def wait(player_id: str) -> None:
        place = await live.desk.ask("GetPlace", player_id)
        while True:
            place = await live.desk.ask("GetPlace", player_id, known_version=place.version, wait_ms=300)

    waits = [asyncio.create_task(wait(player_id)) for player_id in (there, friend)]

    def are_there(rows: Rows) -> bool:
        tickets = {str(row[0]) for row in rows["tickets"]}
        seats = [str(seat) for table in rows["open_tables"] for seat in table[2] if seat]
        return (tickets, seats) == ({there}, [friend])

    await live.until(are_there)
    # Who is asked for stays, however long it takes.
    await asyncio.sleep(3)
    assert are_there(await asyncio.to_thread(live.rows))
    for player_id in (queued, seated):
        assert (await live.desk.ask("GetPlace", player_id)).kind == pb.PLACE_KIND_IDLE
    assert (await live.desk.ask("GetPlace", playing)).kind == pb.PLACE_KIND_PLAYING
    for task in waits:
        task.cancel()
    await asyncio.gather(*waits, return_exceptions=True)
    # Nobody is there any more; and who comes back may wait again.
    await live.until_rows(tickets=0, open_tables=0)
    assert (await live.desk.ask("JoinQueue", there, preset=GAME)).kind == pb.PLACE_KIND_QUEUE


async def test_a_rebuilt_projection_equals_the_live_one(live: Live) -> None:
    people = [new() for _ in range(12)]
    await asyncio.gather(*(live.desk.ask("JoinQueue", one, preset=GAME) for one in people[:6]))
    first = (await live.desk.ask("OpenTable", people[6], preset=GAME)).table_id
    await live.desk.ask("SitDown", people[7], table_id=first, seat=2)
    deserted = (await live.desk.ask("OpenTable", people[8], preset=GAME)).table_id
    await live.desk.ask("StandUp", people[8], table_id=deserted)
    await asyncio.gather(train(live, people[9]), train(live, people[10]))
    over = await train(live, people[11])
    await live.tables.play(over)
    await live.desk.until(people[11], pb.PLACE_KIND_IDLE)
    before = await live.until(
        lambda rows: (
            (len(rows["tickets"]), len(rows["open_tables"])) == (2, 1)
            and [status for _, status, _ in rows["matches"]] == ["started"] * 3
        )
    )
    await rebuild(live.conninfo, WAITING)
    assert await asyncio.to_thread(live.rows) == before
