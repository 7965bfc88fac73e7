"""Who waits for a change of place is woken by it, wherever it was made, and costs nothing until then."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any
from uuid import uuid4

import nats
import pytest

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.matchmaking.grpc import MatchmakingServicer
from services.matchmaking.hints import Hints
from services.matchmaking.place_changes import PlaceChanges, match_stream, player_stream
from tests.services.matchmaking.memory import GAME, MemoryMatchmaking

LONG_MS = 20_000


class Desk(MemoryMatchmaking):
    """Matchmaking, the face of it that waits, and how often a place was looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0
        reads: Any = self.reads
        self.face = MatchmakingServicer(self.places, reads, self.changes, self.note)
        look_up = self.places.place

        async def counted(player_id: str) -> Any:
            self.looks += 1
            return await look_up(player_id)

        setattr(self.places, "place", counted)  # noqa: B010 - a spy

    async def get(self, player_id: str, known: int = 0, wait_ms: int = 0) -> pb.Place:
        asked = pb.GetPlaceRequest(player_id=player_id, known_version=known, wait_ms=wait_ms)
        return (await self.face.GetPlace(asked, None)).place

    async def wait(self, player_id: str) -> "asyncio.Task[pb.Place]":
        """Begins to wait for a change of where the player is now."""
        place = await self.get(player_id)
        task = asyncio.create_task(self.get(player_id, place.version, LONG_MS))
        streams = {player_stream(player_id)} | ({match_stream(place.table_id)} if place.table_id else set())
        await until(lambda: streams <= set(self.changes.by_stream))
        await asyncio.sleep(0.01)
        return task


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not become so in time")


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def soon(waiting: Awaitable[pb.Place]) -> pb.Place:
    return await asyncio.wait_for(waiting, 30)


async def test_a_change_of_the_player_wakes_who_waits_and_nobody_else(desk: Desk) -> None:
    ana, bia = str(uuid4()), str(uuid4())
    waiting, other = await desk.wait(ana), await desk.wait(bia)
    looks = desk.looks
    await asyncio.sleep(0.5)
    assert desk.looks == looks, "nothing is looked up while nothing happens"
    await desk.places.join_queue(ana, str(uuid4()), GAME, "")
    assert (await soon(waiting)).kind == pb.PLACE_KIND_QUEUE
    assert not other.done()
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    assert desk.changes.by_stream == {}, "a watch ends with its call"


async def test_the_last_seat_taken_by_another_wakes_who_sits_at_the_table(desk: Desk) -> None:
    ana = str(uuid4())
    table_id = (await desk.places.open_table(ana, str(uuid4()), GAME, 0, "")).table_id
    for seat in (1, 2):
        await desk.places.sit_down(str(uuid4()), str(uuid4()), table_id, seat, "")
    waiting = await desk.wait(ana)
    await desk.places.sit_down(str(uuid4()), str(uuid4()), table_id, 3, "")
    place = await soon(waiting)
    while place.kind != pb.PLACE_KIND_PLAYING:
        place = await soon(desk.get(ana, place.version, LONG_MS))
    assert place.table_id == table_id


async def test_a_change_between_the_question_and_the_wait_is_not_missed(desk: Desk) -> None:
    ana = str(uuid4())
    known = (await desk.get(ana)).version
    await desk.places.join_queue(ana, str(uuid4()), GAME, "")
    assert (await soon(desk.get(ana, known, LONG_MS))).kind == pb.PLACE_KIND_QUEUE


async def test_a_wait_ends_with_its_time(desk: Desk) -> None:
    assert (await soon(desk.get(str(uuid4()), 0, 50))).kind == pb.PLACE_KIND_IDLE


async def test_a_service_that_goes_down_lets_nobody_wait(desk: Desk) -> None:
    waiting = await desk.wait(str(uuid4()))
    desk.changes.close()
    assert (await soon(waiting)).kind == pb.PLACE_KIND_IDLE
    assert (await soon(desk.get(str(uuid4()), 0, LONG_MS))).kind == pb.PLACE_KIND_IDLE


class Replica:
    """The watches of one replica, and its hints over a real NATS."""

    def __init__(self, client: Any, heads: dict[str, int]) -> None:
        self.changes = PlaceChanges()

        async def look(streams: Sequence[str]) -> dict[str, int]:
            return {stream: heads[stream] for stream in streams if stream in heads}

        self.hints = Hints(client, look, self.changes, slow_look_s=0.2)
        self.task = asyncio.create_task(self.hints.run())


@pytest.fixture
async def replicas(nats_url: str) -> AsyncIterator[tuple[Replica, Replica, dict[str, int]]]:
    clients = [await nats.connect(nats_url) for _ in range(2)]
    heads: dict[str, int] = {}
    one, other = (Replica(client, heads) for client in clients)
    yield one, other, heads
    for replica in (one, other):
        replica.task.cancel()
    await asyncio.gather(one.task, other.task, return_exceptions=True)
    for client in clients:
        await client.close()


async def test_a_commit_of_another_replica_wakes_who_waits_here(replicas: Any) -> None:
    one, other, _ = replicas
    stream = player_stream(str(uuid4()))
    with one.changes.watch() as here, other.changes.watch() as there:
        assert here.add(stream)
        assert not here.add(stream)
        there.add(stream)
        # The other replica's subscription may still be on its way: what it misses is told again.
        for _ in range(50):
            other.hints.committed(stream)
            assert there.changed.is_set(), "its own commit wakes at once"
            try:
                await asyncio.wait_for(here.changed.wait(), 0.1)
            except TimeoutError:
                continue
            return
        raise AssertionError("no hint came")


async def test_a_lost_hint_is_made_good_by_the_slow_look(replicas: Any) -> None:
    one, _, heads = replicas
    stream, still = player_stream(str(uuid4())), player_stream(str(uuid4()))
    heads.update({stream: 1, still: 1})
    with one.changes.watch() as watch, one.changes.watch() as other:
        watch.add(stream)
        other.add(still)
        await asyncio.wait_for(asyncio.gather(watch.changed.wait(), other.changed.wait()), 30)
        watch.changed.clear()
        other.changed.clear()
        heads[stream] = 2
        await asyncio.wait_for(watch.changed.wait(), 30)
        assert not other.changed.is_set()


async def test_it_is_noted_that_somebody_asks_for_who_waits() -> None:
    desk, ana, bia = Desk(), str(uuid4()), str(uuid4())
    await desk.get(ana)
    assert desk.noted == []
    await desk.places.join_queue(ana, str(uuid4()), GAME, "")
    await desk.places.open_table(bia, str(uuid4()), GAME, 0, "")
    for player_id in (ana, bia, ana):
        await desk.get(player_id)
    assert desk.noted == [ana, bia, ana]
