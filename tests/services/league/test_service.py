"""The Liga as it is composed, on real Postgres and NATS: from a closed table to a page of a league's table."""

import asyncio
import random
from datetime import UTC, timedelta
from typing import Any

import grpc
import pytest

from carteado.league.v1 import events_pb2
from carteado.league.v1 import league_service_pb2 as pb
from libs.eventlog.rebuild import rebuild
from libs.service.grpc_client import error_code
from services.league.calendar import closes_at
from services.league.standings import STANDINGS
from tests.services.league.matches import GAME, MONDAY, NEXT_WEEK, PLAYERS, WEEK, closed
from tests.services.league.naive_scorer import score
from tests.services.league.running import League


@pytest.fixture
def league(running_league: League) -> League:
    return running_league


def lines(table: pb.GetTableResponse) -> list[Any]:
    return [
        (row.player_id, row.points, row.matches, row.wins, row.abandoned, row.reached_at.ToDatetime(UTC))
        for row in table.rows
    ]


def some_matches(number: int = 24) -> list[Any]:
    chance = random.Random(7)
    return [
        closed(
            chance.sample(PLAYERS, 4),
            chance.choice([(0,), (1,), ()]),
            ended_at=MONDAY + timedelta(minutes=chance.randrange(22 * 60)),
            abandoned=chance.choice([(), (), (2,)]),
        )
        for _ in range(number)
    ]


async def test_told_twice_and_shuffled_the_table_is_the_naive_scorers_and_a_rebuild_equals_it(league):
    tables = some_matches()
    told = [*tables, *tables, closed(room=1), closed(game="truco@004")]
    random.Random(3).shuffle(told)
    await league.tell(*told)
    await league.until_scored(tables)
    table = await league.table(limit=100)
    assert lines(table) == score(tables)[GAME, WEEK]
    assert [row.place for row in table.rows] == [*range(1, len(table.rows) + 1)]
    assert (table.players, table.promoted_to_place, table.relegated_from_place) == (12, 3, 0)
    live = league.rows()
    await rebuild(league.conninfo, STANDINGS)
    assert league.rows() == live


async def test_a_page_begins_where_it_is_asked_to_or_around_a_player(league):
    tables = some_matches()
    await league.tell(*tables)
    await league.until_scored(tables)
    expected = [line.player_id for line in score(tables)[GAME, WEEK]]
    page = await league.table(from_place=4, limit=3)
    assert [(row.place, row.player_id) for row in page.rows] == [*enumerate(expected[3:6], start=4)]
    around = await league.table(around_player_id=expected[6], limit=3)
    assert [row.player_id for row in around.rows] == expected[5:8]
    standing = await league.call(
        "GetStanding", pb.GetStandingRequest(game=GAME, week=WEEK, player_id=expected[6])
    )
    assert (standing.row.place, standing.league) == (7, events_pb2.LEAGUE_BRONZE)
    skills = await league.call(
        "GetSkills", pb.GetSkillsRequest(game=GAME, player_ids=expected[:2]), caller="matchmaking"
    )
    assert [skill.player_id for skill in skills.skills] == expected[:2]


async def test_a_week_is_closed_once_who_went_up_plays_higher_and_who_does_not_play_stays(league):
    tables = some_matches()
    await league.tell(*tables)
    await league.until_scored(tables)
    order = [line.player_id for line in score(tables)[GAME, WEEK]]
    close = pb.CloseWeekRequest(game=GAME, week=WEEK, operator="zica")
    with pytest.raises(grpc.aio.AioRpcError) as early:
        await league.call("CloseWeek", close, caller="cli")
    assert error_code(early.value) == "WEEK_NOT_OVER"
    league.clock.now = closes_at(WEEK) + timedelta(seconds=1)
    answers = await asyncio.gather(*(league.call("CloseWeek", close, caller="cli") for _ in range(3)))
    assert {answer.players for answer in answers} == {12}

    async def has_its_trophy() -> bool:
        listed = (await league.call("ListTrophies", pb.ListTrophiesRequest(player_id=order[0]))).trophies
        return [(one.game, one.week, one.league, one.place) for one in listed] == [(GAME, WEEK, 1, 1)]

    await league.until(has_its_trophy)

    async def goes_up() -> bool:
        asked = pb.GetStandingRequest(game=GAME, player_id=order[2], week=NEXT_WEEK)
        return (await league.call("GetStanding", asked)).league == events_pb2.LEAGUE_PRATA

    await league.until(goes_up)
    # In the next week who went up plays in Prata; two weeks later too, without a match in between.
    up, stayed = order[:3], order[3:5]
    next_match = closed(
        (up[0], stayed[0], up[1], stayed[1]), (0,), ended_at=closes_at(WEEK) - timedelta(minutes=5)
    )
    late = closed(tuple(order[8:12]), (1,), ended_at=MONDAY + timedelta(days=1))
    await league.tell(next_match, late)
    await league.until_scored([next_match], NEXT_WEEK)
    await league.until_scored([*tables, late])
    silver = await league.table(week=NEXT_WEEK, league=events_pb2.LEAGUE_PRATA)
    assert {row.player_id for row in silver.rows} == set(up[:2])
    weeks = await league.call("ListWeeks", pb.ListWeeksRequest(game=GAME))
    assert [(week.week, week.status) for week in weeks.weeks] == [
        (NEXT_WEEK, pb.WEEK_STATUS_RUNNING),
        (WEEK, pb.WEEK_STATUS_CLOSED),
    ]
    asked = pb.GetStandingRequest(game=GAME, player_id=order[2], week="2026-11-23")
    standing = await league.call("GetStanding", asked)
    assert (standing.league, standing.HasField("row")) == (events_pb2.LEAGUE_PRATA, False)
    # The late result changed points, and none of the closing's trophies or moves.
    live = league.rows()
    assert lines(await league.table(limit=100)) == score([*tables, late])[GAME, WEEK]
    assert len(live["trophies"]) == 3
    await rebuild(league.conninfo, STANDINGS)
    assert league.rows() == live


async def test_a_week_is_closed_by_itself_and_its_trophies_are_told(league):
    await league.tell(closed())
    await league.until_scored([closed()])
    league.clock.now = closes_at(WEEK) + timedelta(seconds=1)
    subscription = await league.jetstream.subscribe("carteado.league.trophy_won.v1", ordered_consumer=True)
    won = events_pb2.TrophyWon.FromString((await subscription.next_msg(timeout=20)).data)
    assert (won.game, won.week, won.league, won.place, won.points) == (GAME, WEEK, 1, 1, 150)

    async def is_closed() -> bool:
        return (await league.table()).is_closed

    await league.until(is_closed)


ABSURD = [
    ("GetTable", {"game": "truco@004"}, "game"),
    ("GetTable", {"week": "2026-11-03"}, "week"),
    ("GetTable", {"week": "a'; DROP TABLE weeks"}, "week"),
    ("GetTable", {"limit": 101}, "limit"),
    ("GetTable", {"league": 7}, "league"),
    ("GetTable", {"from_place": 2**32 - 1}, "from_place"),
    ("GetTable", {"around_player_id": "x"}, "around_player_id"),
    ("GetStanding", {"player_id": ""}, "player_id"),
]


async def test_absurd_questions_are_refused(league):
    for method, asked, field in ABSURD:
        request = getattr(pb, f"{method}Request")(**{"game": GAME, **asked})
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await league.call(method, request)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT, field


async def test_a_week_without_matches_cannot_be_closed_and_has_an_empty_table(league):
    league.clock.now = closes_at(WEEK) + timedelta(days=1)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await league.call(
            "CloseWeek", pb.CloseWeekRequest(game=GAME, week=WEEK, operator="zica"), caller="cli"
        )
    assert error_code(refused.value) == "WEEK_NOT_FOUND"
    table = await league.table()
    assert (table.players, len(table.rows), table.is_closed) == (0, 0, False)
