"""How a reservation ends when the usual order is broken: released before it was made, or never heard of again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from carteado.billing.v1.events_pb2 import ReservationExpired as ExpiredMessage
from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed
from libs.service.errors import ServiceError
from services.billing.calendar import day_ends_at, day_of
from services.billing.events import MatchReleased, MatchReserved, MatchSettled, ReservationExpired
from services.billing.player_day import KEPT_FOR, player_day_id
from services.billing.reservation import HELD_FOR, RESERVATION
from tests.services.billing.conftest import TRIAL_OVER, BillingParts, message


async def two(billing: BillingParts) -> list[str]:
    players = [await billing.register() for _ in range(2)]
    billing.clock = TRIAL_OVER
    return players


async def left(billing: BillingParts, player_id: str) -> int:
    return await billing.doors.matches_left(player_id)


async def code_of(work: Awaitable[Any]) -> str:
    with pytest.raises(ServiceError) as refused:
        await work
    return refused.value.code


async def test_a_release_that_overtakes_its_reservation_bars_it(billing: BillingParts) -> None:
    players, match_id = await two(billing), str(uuid4())
    for _ in range(2):
        await billing.doors.release(match_id, players)
    for _ in range(2):
        assert await code_of(billing.reserve(players, match_id=match_id)) == "MATCH_ALREADY_OVER"
    assert [await left(billing, one) for one in players] == [3, 3]
    assert RESERVATION.is_ended((await billing.reservations.load(match_id)).state)


@pytest.mark.integration
async def test_a_release_in_the_middle_of_its_reservation_leaves_nothing_taken(
    replicas: tuple[BillingParts, BillingParts], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = replicas
    players, match_id = await two(one), str(uuid4())
    other.clock = one.clock
    load: Callable[[str], Any] = one.accounts.load
    released: list[bool] = []

    async def load_and_be_overtaken(player_id: str) -> Any:
        if not released:
            released.append(True)
            await other.doors.release(match_id, players)
        return await load(player_id)

    monkeypatch.setattr(one.accounts, "load", load_and_be_overtaken)
    assert await code_of(one.reserve(players, match_id=match_id)) == "MATCH_ALREADY_OVER"
    assert [await left(one, player) for player in players] == [3, 3]


@pytest.mark.integration
async def test_whatever_comes_first_a_released_match_has_taken_nothing(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    players = await two(one)
    other.clock = one.clock
    for _ in range(12):
        match_id = str(uuid4())
        await asyncio.gather(
            one.reserve(players, match_id=match_id),
            other.doors.release(match_id, players),
            return_exceptions=True,
        )
        assert [await left(one, player) for player in players] == [3, 3]
        assert RESERVATION.is_ended((await one.reservations.load(match_id)).state)


async def events(billing: BillingParts, match_id: str) -> list[type]:
    commands = await billing.reservations.history(match_id)
    return [type(event) for command in commands for event in command.events]


async def expire(billing: BillingParts, match_id: str) -> None:
    assert await billing.reservations.fire_due(match_id) is not None


async def tell_expired(billing: BillingParts, match_id: str) -> None:
    await billing.reactions.reservation_expired(
        message(ExpiredMessage(match_id=match_id).SerializeToString())
    )


async def test_a_match_whose_end_is_never_heard_gives_its_quota_back(billing: BillingParts) -> None:
    players, match_id = await two(billing), str(uuid4())
    await billing.reserve(players, match_id=match_id)
    billing.clock = TRIAL_OVER + HELD_FOR - timedelta(seconds=1)
    assert await billing.reservations.fire_due(match_id) is None
    assert [await left(billing, one) for one in players] == [2, 2]
    billing.clock = TRIAL_OVER + HELD_FOR
    await expire(billing, match_id)
    for _ in range(2):
        await tell_expired(billing, match_id)
    assert [await left(billing, one) for one in players] == [3, 3]
    assert await events(billing, match_id) == [MatchReserved, ReservationExpired, MatchReleased]
    assert RESERVATION.is_ended((await billing.reservations.load(match_id)).state)


async def test_a_result_that_comes_before_the_quota_went_back_keeps_it_used(billing: BillingParts) -> None:
    players, match_id = await two(billing), str(uuid4())
    await billing.reserve(players, match_id=match_id)
    billing.clock = TRIAL_OVER + HELD_FOR
    await expire(billing, match_id)
    result = view_pb2.Result(reason=view_pb2.END_REASON_FINISHED)
    closed = TableClosed(table_id=match_id, result=result).SerializeToString()
    await billing.reactions.closed(message(closed))
    await tell_expired(billing, match_id)
    assert [await left(billing, one) for one in players] == [2, 2]
    assert await events(billing, match_id) == [MatchReserved, ReservationExpired, MatchSettled]


async def test_a_match_that_was_settled_or_released_never_expires(billing: BillingParts) -> None:
    players, played, void = await two(billing), str(uuid4()), str(uuid4())
    for match_id in (played, void):
        await billing.reserve(players, match_id=match_id)
    await billing.doors.settle(played, str(uuid4()))
    await billing.doors.release(void)
    billing.clock = TRIAL_OVER + HELD_FOR * 2
    for match_id in (played, void):
        assert await billing.reservations.fire_due(match_id) is None


async def test_it_expires_also_when_its_day_has_long_ended(billing: BillingParts) -> None:
    players, match_id = await two(billing), str(uuid4())
    await billing.reserve(players, match_id=match_id)
    day = day_of(TRIAL_OVER)
    billing.clock = day_ends_at(day) + KEPT_FOR
    for one in players:
        assert await billing.days.fire_due(player_day_id(one, day)) is not None
    await expire(billing, match_id)
    await tell_expired(billing, match_id)
    assert RESERVATION.is_ended((await billing.reservations.load(match_id)).state)
