"""The collector walks at set times and over what is new alone, and still finds what refers to itself."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator

import pytest

from libs.service.garbage import collect_at_times, memory, settle, walk


class Ring:
    """Refers to itself."""

    def __init__(self) -> None:
        self.ring = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def grown_old(when_found: Callable[[], object]) -> None:
    """Makes a ring that nobody else refers to, and makes it older: a collection that it survives does."""
    ring = Ring()
    weakref.finalize(ring, when_found)
    gc.collect(0)
    gc.collect(1)


def test_two_hundred_thousand_new_objects_are_no_reason_to_walk_over_everything() -> None:
    settle()
    found: list[bool] = []
    grown_old(lambda: found.append(True))
    walks, young_walks = (gc.get_stats()[generation]["collections"] for generation in (2, 1))
    kept = [[number] for number in range(200_000)]
    assert gc.get_stats()[2]["collections"] == walks
    assert gc.get_stats()[1]["collections"] > young_walks
    assert not found
    assert len(kept) == 200_000


async def test_what_refers_to_itself_and_grew_old_is_found_at_the_set_time() -> None:
    settle()
    found = asyncio.Event()
    grown_old(found.set)
    collecting = asyncio.create_task(collect_at_times(0.01))
    async with asyncio.timeout(30):
        await found.wait()
    collecting.cancel()
    await asyncio.gather(collecting, return_exceptions=True)


def test_what_has_outlived_a_walk_is_passed_over_until_the_process_has_doubled() -> None:
    settle()
    ring = Ring()
    found: list[bool] = []
    weakref.finalize(ring, lambda: found.append(True))
    assert walk(100, lambda: 100) == 100
    del ring
    assert walk(100, lambda: 200) == 100
    assert not found, "the walk was over what is new alone"
    assert walk(100, lambda: 201) == 201
    assert found
    assert walk(201, lambda: 402) == 201


def test_a_process_that_keeps_more_is_larger() -> None:
    before = memory()
    kept = bytearray(64 * 1024 * 1024)
    kept[::1024] = b"x" * (len(kept) // 1024)  # memory that was never written to does not count
    assert memory() > before
