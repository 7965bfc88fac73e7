"""The day's quota: taken by a match for all of its players or for nobody, once, and given back when it was nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from carteado.accounts.v1.events_pb2 import PlayerErased, PlayerRegistered
from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed
from libs.service.errors import ServiceError
from services.billing.calendar import day_ends_at, day_of
from services.billing.player_day import KEPT_FOR, player_day_id
from services.billing.react import MalformedMessageError
from tests.services.billing.conftest import REGISTERED_AT, TRIAL_OVER, BillingParts, message


async def four(billing: BillingParts) -> list[str]:
    players = [await billing.register() for _ in range(4)]
    billing.clock = TRIAL_OVER
    return players


async def left(billing: BillingParts, player_id: str) -> int:
    return await billing.doors.matches_left(player_id)


async def close(
    billing: BillingParts, match_id: str, reason: view_pb2.EndReason.ValueType, id: str | None = None
) -> None:
    closed = TableClosed(table_id=match_id, result=view_pb2.Result(reason=reason))
    await billing.reactions.closed(message(closed.SerializeToString(), id))


async def test_asked_again_the_same_outcome_answers_and_nothing_is_taken_twice(
    billing: BillingParts,
) -> None:
    players, match_id = await four(billing), str(uuid4())
    answers = await asyncio.gather(*(billing.reserve(players, match_id=match_id) for _ in range(5)))
    assert all(answer == answers[0] and answer.is_reserved for answer in answers)
    assert [access.matches_left for _, access in answers[0].players] == [2] * 4
    assert [await left(billing, one) for one in players] == [2] * 4
    # The same outcome also tomorrow, and for whom has bought a passport meanwhile.
    await billing.buy(players[0])
    billing.clock = TRIAL_OVER + timedelta(days=1)
    assert await billing.reserve(players, match_id=match_id) == answers[0]
    assert [await left(billing, one) for one in players] == [3] * 4


async def test_all_are_reserved_or_nobody_and_each_is_told_why(billing: BillingParts) -> None:
    players = await four(billing)
    for _ in range(3):
        assert (await billing.reserve(players[:1])).is_reserved
    refused = await billing.reserve(players)
    assert not refused.is_reserved
    assert [player_id for player_id, _ in refused.players] == players
    assert [access.reason for _, access in refused.players] == [
        "daily_limit_reached",
        *["within_daily_limit"] * 3,
    ]
    assert [await left(billing, one) for one in players] == [0, 3, 3, 3]


async def test_ten_matches_at_once_take_no_more_than_a_day_has(billing: BillingParts) -> None:
    players = await four(billing)
    answers = await asyncio.gather(*(billing.reserve(players) for _ in range(10)))
    assert sum(answer.is_reserved for answer in answers) == 3
    assert [await left(billing, one) for one in players] == [0] * 4


async def test_only_the_passport_four_in_the_livre_without_passport_take_of_the_day(
    billing: BillingParts,
) -> None:
    players = await four(billing)
    await billing.buy(players[0])
    assert (await billing.reserve(players, "truco-paulista", "ranqueada")).is_reserved
    assert (await billing.reserve(players, "sueca", "livre")).is_reserved
    assert (await billing.reserve(players)).is_reserved
    assert [await left(billing, one) for one in players] == [3, 2, 2, 2]
    assert not (await billing.reserve(players, room="ranqueada")).is_reserved


async def test_the_day_is_sao_paulos(billing: BillingParts) -> None:
    (ana, *_) = await four(billing)
    midnight = day_ends_at(day_of(TRIAL_OVER))
    billing.clock = midnight - timedelta(seconds=1)
    for _ in range(3):
        await billing.reserve([ana])
    assert (await billing.check(ana, room="livre")).reason == "daily_limit_reached"
    billing.clock = midnight
    assert (await billing.check(ana, room="livre")).matches_left == 3


async def test_a_void_match_gives_the_quota_back_and_a_played_one_does_not(billing: BillingParts) -> None:
    players = await four(billing)
    void, played, left_by_all = (str(uuid4()) for _ in range(3))
    for match_id in (void, played, left_by_all):
        await billing.reserve(players, match_id=match_id)
    assert await left(billing, players[0]) == 0
    for _ in range(2):
        await close(billing, void, view_pb2.END_REASON_UNSPECIFIED)
        await close(billing, played, view_pb2.END_REASON_FINISHED)
        # Ruling G-06: everybody was absent; that is not void.
        await close(billing, left_by_all, view_pb2.END_REASON_ABANDONED)
    assert [await left(billing, one) for one in players] == [1] * 4
    for match_id in (void, played, str(uuid4())):
        assert not await billing.doors.release(match_id, players)
    assert [await left(billing, one) for one in players] == [1] * 4


async def test_who_is_named_is_released_and_the_others_stay_reserved(billing: BillingParts) -> None:
    players, match_id = await four(billing), str(uuid4())
    await billing.reserve(players, match_id=match_id)
    for _ in range(2):
        await billing.doors.release(match_id, [players[0], str(uuid4())])
    assert [await left(billing, one) for one in players] == [3, 2, 2, 2]
    await asyncio.gather(*(billing.doors.release(match_id) for _ in range(3)))
    assert [await left(billing, one) for one in players] == [3] * 4


@pytest.mark.parametrize("change", ["players", "preset", "room", "released"])
async def test_a_match_id_is_one_match(billing: BillingParts, change: str) -> None:
    players, match_id = await four(billing), str(uuid4())
    await billing.reserve(players, "sueca", "livre", match_id)
    asked: dict[str, Any] = {"player_ids": players, "preset": "sueca", "room": "livre"}
    other = {
        "players": {"player_ids": players[:2]},
        "preset": {"preset": "domino"},
        "room": {"room": "treino"},
    }
    if change == "released":
        await billing.doors.release(match_id)
    with pytest.raises(ServiceError) as refused:
        await billing.reserve(**{**asked, **other.get(change, {})}, match_id=match_id)
    assert refused.value.code == ("MATCH_ALREADY_OVER" if change == "released" else "MATCH_ALREADY_RESERVED")


async def test_b112_a_passport_that_ends_during_a_match_stops_the_next_one_and_not_this(
    billing: BillingParts,
) -> None:
    (ana, *_) = await four(billing)
    passport = await billing.buy(ana)
    await billing.passports.cancel(ana, str(uuid4()))
    match_id = str(uuid4())
    billing.clock = passport.paid_until - timedelta(minutes=2)
    assert (await billing.reserve([ana], room="ranqueada", match_id=match_id)).is_reserved
    billing.clock = passport.paid_until + timedelta(minutes=10)
    # Nothing was taken back: the seat's reservation stands until its table closes, and is settled then.
    assert (await billing.reserve([ana], room="ranqueada", match_id=match_id)).is_reserved
    assert not (await billing.reserve([ana], room="ranqueada")).is_reserved
    await close(billing, match_id, view_pb2.END_REASON_FINISHED)
    assert (await billing.reservations.load(match_id)).state.is_settled


async def test_b123_a_trial_that_ends_while_waiting_is_seen_at_the_seating(billing: BillingParts) -> None:
    ana = await billing.register()
    newer = [await billing.register(REGISTERED_AT + timedelta(days=1)) for _ in range(3)]
    billing.clock = TRIAL_OVER - timedelta(seconds=1)
    assert (await billing.check(ana)).is_allowed
    billing.clock = TRIAL_OVER
    answer = await billing.reserve([ana, *newer], "buraco-aberto", "ranqueada")
    assert not answer.is_reserved
    assert [access.reason for _, access in answer.players] == ["passport_needed", *["trial"] * 3]
    assert (await billing.reserve(newer, "buraco-aberto", "ranqueada")).is_reserved


async def test_a_day_ends_two_days_later_and_takes_nothing_back_then(billing: BillingParts) -> None:
    (ana, *_) = await four(billing)
    match_id, day = str(uuid4()), day_of(TRIAL_OVER)
    await billing.reserve([ana], match_id=match_id)
    billing.clock = day_ends_at(day) + KEPT_FOR
    assert await billing.days.fire_due(player_day_id(ana, day)) is not None
    assert (await billing.days.load(player_day_id(ana, day))).state.has_ended
    assert await billing.doors.release(match_id)


async def test_reactions_told_twice_shuffled_or_without_their_time_do_no_harm(billing: BillingParts) -> None:
    ana = str(uuid4())
    registered = PlayerRegistered(player_id=ana).SerializeToString()
    told = message(registered)
    for _ in range(3):
        await billing.reactions.registered(told)
    await billing.reactions.registered(message(registered, at=REGISTERED_AT + timedelta(days=3)))
    assert (await billing.passports.account(ana)).trial_until == TRIAL_OVER
    for _ in range(2):
        await billing.reactions.erased(message(PlayerErased(player_id=ana).SerializeToString()))
    await billing.reactions.registered(told)
    assert (await billing.passports.account(ana)).is_erased
    for broken in (message(registered, at=None), message(b"")):
        with pytest.raises(MalformedMessageError):
            await billing.reactions.registered(broken)
