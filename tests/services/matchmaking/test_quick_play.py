"""Quick play in the Livre: who comes while the list of open tables is behind still finds the others."""

import asyncio
from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest

from tests.services.matchmaking.memory import GAME, MemoryMatchmaking


class Clocked(MemoryMatchmaking):
    """Its time stands at the beginning of a moment, but for `late`."""

    def __init__(self, beside: "Clocked | None" = None) -> None:
        super().__init__(beside=beside)
        self.began_at = beside.began_at if beside else super().now().replace(second=0, microsecond=0)

    def now(self):
        return self.began_at + self.late

    async def quick_play(self):
        return await self.places.quick_play(str(uuid4()), str(uuid4()), GAME, "")


@pytest.fixture
def replicas() -> tuple[Clocked, Clocked]:
    first = Clocked()
    return first, Clocked(first)


async def test_who_comes_at_the_same_moment_sits_at_the_same_tables(replicas):
    found = await asyncio.gather(*(replicas[number % 2].quick_play() for number in range(10)))
    assert sorted(Counter(place.table_id for place in found).values()) == [2, 4, 4]
    assert len(replicas[0].others.running) == 2


async def test_who_comes_in_the_next_moment_finds_the_table_of_the_last_one(replicas):
    places = []
    for replica, late in ((replicas[0], 1.9), (replicas[1], 2.1), (replicas[0], 2.2)):
        replica.late = timedelta(seconds=late)
        places.append(await replica.quick_play())
    assert len({place.table_id for place in places}) == 1
    # Long after, only the list tells of a table.
    replicas[0].late = timedelta(seconds=60)
    assert (await replicas[0].quick_play()).table_id != places[0].table_id


async def test_more_than_a_moments_tables_hold_open_one_each(replicas):
    found = [await replicas[0].quick_play() for _ in range(34)]
    assert sorted(Counter(place.table_id for place in found).values()) == [1, 1, *[4] * 8]


@pytest.mark.parametrize("late", [0, 2, 30])
async def test_a_wish_that_is_told_twice_at_once_is_one_seat(replicas, late):
    await replicas[0].quick_play()
    replicas[1].late = timedelta(seconds=late)
    for _ in range(20):
        ana, wish = str(uuid4()), str(uuid4())
        found = await asyncio.gather(*(one.places.quick_play(ana, wish, GAME, "") for one in replicas * 2))
        assert len({place.table_id for place in found}) == 1
