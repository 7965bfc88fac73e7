"""Hints between replicas, over a real NATS: the others hear of a commit, the replica that made it does not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import nats
import pytest

from services.table.hints import Hints

pytestmark = pytest.mark.integration

WITHIN_S = 30.0
TABLE, LAST = "7b1c8c0e-8f5a-4a51-9a06-0a53ccf6f6a1", "00000000-0000-4000-8000-000000000000"


class Replica:
    """One replica's hints, and what it has heard."""

    def __init__(self, client: nats.NATS) -> None:
        self.heard: list[tuple[str, int]] = []
        self.wakes = 0
        self.hints = Hints(client, self._heads, list, self._hinted, self._woken)
        self._news = asyncio.Event()

    async def until_heard(self, table_id: str) -> None:
        async with asyncio.timeout(WITHIN_S):
            while table_id not in dict(self.heard):
                self._news.clear()
                await self._news.wait()

    async def _heads(self, _tables: Sequence[str]) -> Mapping[str, int]:
        return {}

    def _hinted(self, table_id: str, version: int) -> None:
        self.heard.append((table_id, version))
        self._news.set()

    def _woken(self) -> None:
        self.wakes += 1


@asynccontextmanager
async def running(nats_url: str) -> AsyncIterator[Replica]:
    client = await nats.connect(nats_url, connect_timeout=30)
    replica = Replica(client)
    task = asyncio.create_task(replica.hints.run())
    # Once this is answered the server knows the subscription.
    await asyncio.sleep(0)
    await client.flush()
    yield replica
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await client.close()


async def test_the_other_replica_hears_of_a_commit_and_who_made_it_does_not(nats_url):
    async with running(nats_url) as one, running(nats_url) as other:
        one.hints.committed(TABLE, 7)
        await other.until_heard(TABLE)
        # What the other says now comes after everything that the first has said, for both of them.
        other.hints.committed(LAST, 1)
        await one.until_heard(LAST)
        assert other.heard == [(TABLE, 7)]
        assert one.heard == [(LAST, 1)]
        assert one.wakes == other.wakes == 1


async def test_commits_that_follow_close_upon_each_other_are_told_together_and_the_newest_version_alone(
    nats_url,
):
    async with running(nats_url) as one, running(nats_url) as other:
        one.hints.committed(LAST, 1)
        await other.until_heard(LAST)
        for version in range(1, 8):
            one.hints.committed(TABLE, version)
        await other.until_heard(TABLE)
        assert other.heard == [(LAST, 1), (TABLE, 7)]
        assert other.wakes == 2
