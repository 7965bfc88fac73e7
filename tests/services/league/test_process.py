"""The Liga as a process: ready, killed in the middle, started again, stopped."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from services.league.react import CLOSED_SUBJECT
from services.league.standings import STANDINGS
from tests.services.league.matches import PLAYERS, closed
from tests.services.league.naive_scorer import Line, score
from tests.services.process import ServiceProcess

pytestmark = [pytest.mark.e2e, pytest.mark.fault]

NOW = datetime.now(UTC).replace(microsecond=0)
QUERY = f"""
    SELECT week::text, player_id::text, points, matches, wins, abandoned, reached_at FROM {STANDINGS.schema}.week_points
    ORDER BY week, points DESC, reached_at, player_id
"""


@pytest.fixture
async def process(environ: dict[str, str]) -> AsyncIterator[ServiceProcess]:
    launched = ServiceProcess("league", environ)
    yield launched
    await launched.end(signal.SIGKILL)


async def test_killed_in_the_middle_nothing_is_lost_and_nothing_counts_twice(
    process: ServiceProcess, environ: dict[str, str], jetstream: Any
) -> None:
    chance = random.Random(11)
    tables = [
        closed(
            chance.sample(PLAYERS, 4),
            chance.choice([(0,), (1,), ()]),
            ended_at=NOW - timedelta(minutes=chance.randrange(3 * 24 * 60)),
            # Without feats: no table service is needed.
            game="domino",
        )
        for _ in range(120)
    ]
    told = [*tables, *chance.sample(tables, 60)]
    chance.shuffle(told)
    await process.start()

    async def tell() -> None:
        for number, table in enumerate(told):
            headers = {"ce-id": f"table-1-{number}"}
            await jetstream.publish(CLOSED_SUBJECT, table.SerializeToString(), headers=headers)

    telling = asyncio.create_task(tell())
    for lines_before_death in (1, 6):
        await until(lambda least=lines_before_death: len(lines(environ)) >= least)
        await process.end(signal.SIGKILL)
        await process.start()
    await telling
    await until(lambda: sum(line.matches for _, line in lines(environ)) == 4 * len(tables))
    assert lines(environ) == [
        (week, line) for (_, week), found in sorted(score(tables).items()) for line in found
    ]
    assert await process.end(signal.SIGTERM) == 0


def lines(environ: Mapping[str, str]) -> list[tuple[str, Line]]:
    with psycopg.connect(environ["CARTEADO_POSTGRES"], dbname="carteado_league") as connection:
        rows = connection.execute(QUERY).fetchall()
    return [(week, Line(*row[:5], row[5].astimezone(UTC))) for week, *row in rows]


async def until(condition: Any) -> None:
    for _ in range(600):
        if await asyncio.to_thread(condition):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not become so in time")
