"""The flow of a ranked evening: forty people register, wait in the queue, play, and the Liga counts what the tables say.

Then every message comes again, doubled and shuffled, and nothing changes; and once more with each of the three services
killed in the middle.
"""

from __future__ import annotations

import asyncio
import random
import signal
import uuid
from collections.abc import Callable

import aiohttp
import nats
import psycopg
import pytest

from carteado.table.v1.events_pb2 import TableClosed
from deploy.local import discover
from libs.client.http_api import ApiError, GatewayApi
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.faults.chaos import Blow, Chaos
from tests.faults.players import Player
from tests.services.league.naive_scorer import score

__all__ = ["data", "start_real"]

pytestmark = [pytest.mark.e2e, pytest.mark.fault, pytest.mark.timeout(300)]

GAME = "truco-paulista"
PEOPLE = 40
LONGEST_S = 200
# Two partners may answer one call: the second one's answer comes when somebody else's turn has begun.
OVERTAKEN = {"NOT_YOUR_TURN", "OUT_OF_PHASE"}
CLOSED = "carteado.table.closed.v1"
TOLD = f"""
    SELECT public_data, partition, position FROM events WHERE public_subject = '{CLOSED}' ORDER BY partition, position
"""


class Ranked(Player):
    """A person who waits for a ranked match."""

    async def sit_down(self) -> str:
        """Waits in the queue, also while services go and come."""
        command_id = str(uuid.uuid4())
        while True:
            try:
                place = await self._api.join_queue(self.guest, GAME, command_id)
                while place["kind"] != "playing":
                    place = await self._api.place(self.guest, place["version"], 3_000)
            except (ApiError, aiohttp.ClientConnectionError, TimeoutError) as error:
                # The request is given again under its id; a refusal of the game's own would be a fault.
                if isinstance(error, ApiError) and error.status < 500:
                    raise
                await asyncio.sleep(0.2)
            else:
                return str(place["table_id"])


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real()
    started.ready()
    return started


async def evening(stack: Stack, on_move: Callable[[], None]) -> None:
    url = f"http://{discover(stack.data).services['gateway']['http']}"
    async with asyncio.timeout(LONGEST_S), GatewayApi(url) as api:
        people = [Ranked(api, number) for number in range(PEOPLE)]
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.play(on_move))
        assert {refusal for person in people for refusal in person.refusals} <= OVERTAKEN
        tables = [person.client.table_id for person in people if person.client is not None]
        assert sorted(tables.count(table_id) for table_id in set(tables)) == [4] * (PEOPLE // 4)
        await the_liga_says_what_the_tables_say(stack, api, people[0])
        await tell_again(stack)
        await the_liga_says_what_the_tables_say(stack, api, people[0])


async def the_liga_says_what_the_tables_say(stack: Stack, api: GatewayApi, person: Player) -> None:
    """Compares the table over HTTP with one worked out from the table service's log; waits until all is counted."""
    told = closed_tables(stack)
    assert len(told) == PEOPLE // 4
    expected = [
        (line.player_id, line.points, line.matches, line.wins)
        for (game, _), lines in score(told).items()
        for line in lines
        if game == GAME
    ]
    assert len(expected) == PEOPLE
    rows: list[tuple[str, int, int, int]] = []
    for _ in range(200):
        rows = await league_rows(api, person)
        # Pages that are read while results still come do not fit together: they are read again.
        if rows == expected:
            break
        await asyncio.sleep(0.1)
    assert rows == expected


async def league_rows(api: GatewayApi, person: Player) -> list[tuple[str, int, int, int]]:
    rows: list[tuple[str, int, int, int]] = []
    while True:
        try:
            page = await api.league_page(person.guest, GAME, "bronze", len(rows) + 1)
        except ApiError as error:
            if error.code not in {"UNAVAILABLE", "RATE_LIMITED"}:
                raise
            await asyncio.sleep(0.5)
            continue
        if not page["rows"]:
            return rows
        rows += [(row["player_id"], row["points"], row["matches"], row["wins"]) for row in page["rows"]]


def closed_tables(stack: Stack) -> list[TableClosed]:
    return [TableClosed.FromString(bytes(data)) for data, _, _ in logged(stack)]


def logged(stack: Stack) -> list[tuple[bytes, int, int]]:
    with psycopg.connect(discover(stack.data).postgres, dbname="carteado_table") as connection:
        return connection.execute(TOLD).fetchall()


async def tell_again(stack: Stack) -> None:
    """Publishes every closed table twice more, shuffled: other messages for NATS, the same events for who reads them."""
    again = [
        (bytes(data), f"table-{partition}-{position}") for data, partition, position in logged(stack)
    ] * 2
    random.Random(5).shuffle(again)
    client = await nats.connect(discover(stack.data).nats, connect_timeout=30)
    jetstream = client.jetstream()
    for body, event_id in again:
        headers = {"ce-id": event_id, "Nats-Msg-Id": str(uuid.uuid4())}
        await jetstream.publish(CLOSED, body, headers=headers, timeout=30)
    for durable in ("league", "matchmaking", "billing-closed"):
        await handled(jetstream, durable)
    await client.close()


async def handled(jetstream: nats.js.JetStreamContext, durable: str) -> None:
    for _ in range(200):
        consumer = await jetstream.consumer_info("carteado-table", durable)
        if not consumer.num_pending and not consumer.num_ack_pending:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{durable} has not handled what came")


def test_forty_people_play_ranked_and_the_liga_counts_each_match_once(stack: Stack) -> None:
    asyncio.run(evening(stack, lambda: None))


def test_with_each_service_killed_in_the_middle_nobody_and_nothing_is_lost(stack: Stack) -> None:
    blows = Chaos(
        stack, [Blow(name, signal.SIGKILL) for name in ("matchmaking", "league", "billing", "matchmaking")]
    )
    blows.start()
    asyncio.run(evening(stack, blows.begin))
    blows.join(LONGEST_S)
    assert blows.is_done
