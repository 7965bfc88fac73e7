"""When a week is closed by itself: not while results of it still wait, and not for ever later."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from libs.eventlog.jetstream import PARKED, ensure_streams
from libs.eventlog.reactions import Message, consume
from services.league import closing as closing_module
from services.league.app import DURABLE, RESULTS_STREAM, has_backlog
from services.league.calendar import closes_at
from services.league.closing import Closing
from services.league.league_week import Entry, league_week_id
from services.league.react import CLOSED_SUBJECT
from tests.services.league.conftest import at
from tests.services.league.matches import GAME, PLAYERS, WEEK, closed


class Known:
    """What the projection would answer."""

    async def ended_weeks(self):
        return [(GAME, WEEK)]

    async def heads(self):
        return {}

    async def has_reached(self, _heads):
        return True

    async def entries(self, _game, _week):
        return {"bronze": (Entry(PLAYERS[0], 150, at()),)}


@pytest.fixture
async def ended(league):
    """A week with one match that is over, and what decides whether it is closed."""
    await league.count(closed())
    league.clock = closes_at(WEEK)
    await league.weeks.fire_due(league_week_id(GAME, WEEK))
    league.waiting = True

    async def backlog() -> bool:
        return league.waiting

    league.closing = Closing(
        league.weeks, Known(), lambda: league.clock, wake_projector=lambda: None, backlog=backlog
    )
    return league


async def status(league) -> str:
    return (await league.weeks.load(league_week_id(GAME, WEEK))).state.status


async def test_a_week_is_closed_once_what_was_on_its_way_at_the_closing_has_arrived(ended):
    ended.waiting = False
    assert await ended.closing.close_ended() == 0
    ended.clock += timedelta(seconds=15)
    assert await ended.closing.close_ended() == 1
    assert await status(ended) == "closed"


async def test_results_that_wait_hold_the_closing_up_for_ten_minutes_and_no_longer(ended, monkeypatch):
    ended.clock += timedelta(hours=30)
    assert await ended.closing.close_ended() == 0
    assert await status(ended) == "ended"
    monkeypatch.setattr(closing_module, "PATIENCE_S", 0.0)
    assert await ended.closing.close_ended() == 1
    assert await status(ended) == "closed"


@pytest.mark.integration
async def test_a_result_that_could_not_be_counted_at_once_still_waits(jetstream: Any) -> None:
    failed = asyncio.Event()

    async def count(message: Message) -> None:
        if message.delivery < 3:
            failed.set()
            raise ConnectionError("the log is away")

    await ensure_streams(jetstream, [PARKED])
    await jetstream.publish(CLOSED_SUBJECT, closed().SerializeToString())
    counting = asyncio.create_task(consume(jetstream, RESULTS_STREAM, DURABLE, CLOSED_SUBJECT, count))
    try:
        await failed.wait()
        assert await has_backlog(jetstream)
        for _ in range(500):
            if not await has_backlog(jetstream):
                break
            await asyncio.sleep(0.02)
        else:
            raise AssertionError("it is counted, and waits")
    finally:
        counting.cancel()
        await asyncio.gather(counting, return_exceptions=True)
