"""The named faults of matchmaking: tickets, partners, seats, robots. Several replicas share one log."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from libs.eventlog.testing import NOON
from libs.service.errors import ServiceError
from services.matchmaking.queue import Ticket, form
from tests.services.matchmaking.memory import GAME, MemoryMatchmaking

FORMATIONS = 10_000
CLAIMS = 50


def new() -> str:
    return str(uuid4())


@pytest.fixture
def replicas() -> list[MemoryMatchmaking]:
    first = MemoryMatchmaking()
    return [first, MemoryMatchmaking(beside=first), MemoryMatchmaking(beside=first)]


async def code(request: Any) -> str:
    """The code of a refusal, or the kind of place."""
    try:
        return (await request).kind
    except ServiceError as error:
        return error.code


async def ticket(matchmaking: MemoryMatchmaking, player_id: str) -> Ticket:
    state = (await matchmaking.players.load(player_id)).state
    assert state.kind == "queue"
    return Ticket(state.ticket_id, player_id, state.preset, state.queued_at)


async def tickets_of(matchmaking: MemoryMatchmaking, player_id: str) -> int:
    history = await matchmaking.players.history(player_id)
    return sum(type(event).__name__ == "PlayerQueued" for command in history for event in command.events)


async def test_b118_a_double_tap_and_two_devices_at_once_make_one_ticket(replicas: Any) -> None:
    ana, tap = new(), new()
    wishes = [tap, tap, tap, new(), new()]
    places = await asyncio.gather(
        *(replicas[number % 3].places.join_queue(ana, wish, GAME, "") for number, wish in enumerate(wishes))
    )
    assert len({(place.kind, place.version, place.since) for place in places}) == 1
    assert await tickets_of(replicas[0], ana) == 1


async def test_b118_in_out_and_in_again_leaves_one_ticket_and_the_first_one_is_void(replicas: Any) -> None:
    people = [new() for _ in range(4)]
    for player_id in people:
        await replicas[0].places.join_queue(player_id, new(), GAME, "")
    before = [await ticket(replicas[0], player_id) for player_id in people]
    await replicas[1].places.leave_queue(people[0], new())
    await replicas[2].places.join_queue(people[0], new(), GAME, "")
    replicas[0].reads.waiting = before
    assert await replicas[0].matcher.tick() == 0, "a ticket that was given back makes no match"
    after = await ticket(replicas[0], people[0])
    replicas[0].reads.waiting = [*before, after]
    assert await replicas[0].matcher.tick() == 0, "nor do an old and a new one of the same player"
    replicas[0].reads.waiting = [*before[1:], after]
    assert await replicas[0].matcher.tick() == 1


def test_b118_no_random_formation_has_a_player_twice() -> None:
    chance = random.Random(118)
    now = NOON + timedelta(minutes=1)
    formed = 0
    while formed < FORMATIONS:
        people = [f"p{number}" for number in range(chance.randrange(4, 40))]
        waiting = [
            Ticket(
                f"k{number}",
                chance.choice(people),
                chance.choice((GAME, "sueca")),
                NOON + timedelta(seconds=chance.randrange(60)),
            )
            for number in range(chance.randrange(4, 80))
        ]
        pairs = form(waiting, {GAME: 4, "sueca": 4}, now)
        seated = Counter(player_id for pair in pairs for player_id in pair.player_ids)
        assert not pairs or max(seated.values()) == 1
        formed += len(pairs)


async def seats_of(matchmaking: MemoryMatchmaking, table_id: str) -> Sequence[str]:
    return [seat.player_id for seat in (await matchmaking.matches.load(table_id)).state.seats]


async def test_b120_friends_on_seats_0_and_2_stay_partners_when_it_starts(replicas: Any) -> None:
    first, second, *others = (new() for _ in range(4))
    places = replicas[0].places
    table_id = (await places.open_table(first, new(), GAME, 0, "")).table_id
    await places.sit_down(second, new(), table_id, 2, "")
    for player_id, seat in zip(others, (3, 1), strict=True):
        place = await places.sit_down(player_id, new(), table_id, seat, "")
    assert (place.kind, place.table_id) == ("playing", table_id)
    # Sides are every other seat.
    assert await seats_of(replicas[0], table_id) == [first, others[1], second, others[0]]


async def test_b122_fifty_claim_one_seat_of_an_open_table_and_one_sits(replicas: Any) -> None:
    table_id = (await replicas[0].places.open_table(new(), new(), GAME, 0, "")).table_id
    people = [new() for _ in range(CLAIMS)]
    told = await asyncio.gather(
        *(
            code(replicas[number % 3].places.sit_down(player_id, new(), table_id, 2, ""))
            for number, player_id in enumerate(people)
        )
    )
    assert Counter(told) == {"open_table": 1, "SEAT_TAKEN": CLAIMS - 1}
    winner = people[told.index("open_table")]
    seats = (await replicas[1].open_tables.load(table_id)).state.seats
    assert seats[2].player_id == winner
    kinds = [await replicas[2].kind(player_id) for player_id in people]
    assert Counter(kinds) == {"open_table": 1, "idle": CLAIMS - 1}


async def test_b122_fifty_claim_the_last_seat_and_the_match_has_four(replicas: Any) -> None:
    places = replicas[0].places
    table_id = (await places.open_table(new(), new(), GAME, 0, "")).table_id
    for seat in (1, 2):
        await places.sit_down(new(), new(), table_id, seat, "")
    people = [new() for _ in range(CLAIMS)]
    told = await asyncio.gather(
        *(
            code(replicas[number % 3].places.sit_down(player_id, new(), table_id, 3, ""))
            for number, player_id in enumerate(people)
        )
    )
    assert told.count("playing") == 1
    assert set(told) <= {"playing", "SEAT_TAKEN", "OPEN_TABLE_NOT_FOUND"}
    seats = await seats_of(replicas[0], table_id)
    assert (len(set(seats)), seats[3]) == (4, people[told.index("playing")])


async def test_b122_one_player_claims_seats_of_two_tables_at_once_and_gets_one(replicas: Any) -> None:
    ana = new()
    here, there = [
        (await replicas[0].places.open_table(new(), new(), GAME, 0, "")).table_id for _ in range(2)
    ]
    claims = [(here, 1), (here, 2), (there, 1)]
    told = await asyncio.gather(
        *(
            code(replica.places.sit_down(ana, new(), table_id, seat, ""))
            for replica, (table_id, seat) in zip(replicas, claims, strict=True)
        )
    )
    assert sorted(told) == ["ALREADY_WAITING", "ALREADY_WAITING", "open_table"]
    tables = [(await replicas[0].open_tables.load(table_id)).state for table_id in (here, there)]
    assert sum(table.seat_of(ana) is not None for table in tables) == 1


async def test_b122_who_stands_up_and_sits_down_at_once_has_one_seat(replicas: Any) -> None:
    ana = new()
    table_id = (await replicas[0].places.open_table(new(), new(), GAME, 0, "")).table_id
    await replicas[0].places.sit_down(ana, new(), table_id, 1, "")
    await replicas[1].places.stand_up(ana, new(), table_id)
    await replicas[2].places.sit_down(ana, new(), table_id, 3, "")
    state = (await replicas[0].open_tables.load(table_id)).state
    assert [seat is not None for seat in state.seats] == [True, False, False, True]


async def test_b134_three_people_who_wait_for_ten_minutes_get_no_robot(replicas: Any) -> None:
    matchmaking = replicas[0]
    people = [new() for _ in range(3)]
    for player_id in people:
        await matchmaking.places.join_queue(player_id, new(), GAME, "")
    matchmaking.reads.waiting = [await ticket(matchmaking, player_id) for player_id in people]
    matchmaking.late = timedelta(minutes=10)
    assert await matchmaking.matcher.tick() == 0
    assert [await matchmaking.kind(player_id) for player_id in people] == ["queue"] * 3
    assert matchmaking.others.asked == []
