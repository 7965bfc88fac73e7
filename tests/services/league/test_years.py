"""A player's standing from year to year: carried over, never counted twice, and every year's stream ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from carteado.league.v1 import league_service_pb2 as pb
from libs.eventlog.rebuild import rebuild
from services.league.calendar import year_ends_at
from services.league.events import MedalWon, ResultCounted, StandingBegun, StandingEnded
from services.league.standing import standing_id
from services.league.standings import STANDINGS
from tests.services.league.conftest import MemoryLeague
from tests.services.league.matches import GAME, PLAYERS, closed
from tests.services.league.running import League

ANA = PLAYERS[0]
NEW_YEAR = datetime(2027, 1, 1, 3, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def play(league: MemoryLeague, at: datetime, number: int = 1) -> list[Any]:
    league.clock = at
    tables = [closed(ended_at=at - timedelta(minutes=one)) for one in range(number)]
    for table in tables:
        assert await league.count(table) == "counted"
    return tables


async def kinds(league: MemoryLeague, year: int) -> list[type]:
    history = await league.standings.history(standing_id(GAME, ANA, year))
    return [type(event) for command in history for event in command.events]


async def test_a_new_year_goes_on_with_what_the_one_before_has_reached(league: MemoryLeague) -> None:
    await play(league, NEW_YEAR - HOUR, 6)
    before = await league.standing(ANA)
    await play(league, NEW_YEAR, 4)
    after = await league.standing(ANA, 2027)
    assert (before.wins, before.matches) == (6, 6)
    assert (after.wins, after.matches) == (10, 10)
    assert after.rating.mu > before.rating.mu
    assert await kinds(league, 2026) == [StandingBegun, *[ResultCounted] * 6, StandingEnded]
    assert await kinds(league, 2027) == [StandingBegun, *[ResultCounted] * 4, MedalWon]


async def test_a_year_ends_by_itself_and_years_without_a_match_change_nothing(league: MemoryLeague) -> None:
    await play(league, NEW_YEAR - HOUR, 2)
    league.clock = year_ends_at(2026)
    assert league.clock == NEW_YEAR
    assert await league.standings.fire_due(standing_id(GAME, ANA, 2026)) is not None
    assert (await league.standing(ANA)).has_ended
    await play(league, datetime(2030, 5, 1, tzinfo=UTC), 1)
    assert (await league.standing(ANA, 2030)).matches == 3
    assert await kinds(league, 2028) == []
    # The year before the one that begins is over for everybody, also for a clock that is behind.
    assert await kinds(league, 2029) == [StandingEnded]


async def test_a_result_whose_year_ends_while_it_is_counted_counts_once_in_the_next_one(
    league: MemoryLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(league, NEW_YEAR - HOUR)
    begin, overtaken = league.years.begin, []

    async def begin_and_be_overtaken(game: str, player_id: str, year: int) -> None:
        await begin(game, player_id, year)
        if not overtaken and player_id == PLAYERS[3]:
            overtaken.append(year)
            league.clock = NEW_YEAR
            await begin(game, ANA, 2027)

    monkeypatch.setattr(league.years, "begin", begin_and_be_overtaken)
    last = closed(ended_at=NEW_YEAR - timedelta(seconds=1))
    league.clock = NEW_YEAR - timedelta(seconds=1)
    assert await league.count(last) == "counted"
    assert overtaken == [2026]
    standings = [await league.standing(player_id, 2027) for player_id in PLAYERS[:4]]
    assert [(one.wins, one.matches) for one in standings] == [(2, 2), (0, 2), (2, 2), (0, 2)]


async def test_a_message_that_comes_again_in_another_year_is_known(league: MemoryLeague) -> None:
    league.clock = NEW_YEAR - HOUR
    table, told_as = closed(ended_at=league.clock), str(uuid4())
    assert await league.count(table, told_as) == "counted"
    for at in (NEW_YEAR - HOUR, NEW_YEAR, NEW_YEAR + timedelta(days=400)):
        league.clock = at
        assert await league.count(table, told_as) == "already_counted"
        assert await league.count(table) == "already_counted"
    assert (await league.standing(ANA)).matches == 1


@pytest.mark.integration
async def test_totals_are_those_of_all_years_also_in_a_rebuild(running_league: League) -> None:
    league = running_league
    for number, at in enumerate((NEW_YEAR - HOUR, NEW_YEAR + HOUR, NEW_YEAR + timedelta(days=365)), start=1):
        league.clock.now = at
        await league.tell(closed(ended_at=at))

        async def is_counted(matches: int = number) -> bool:
            rows = league.rows()
            counted = sum(row[3] for row in rows["players"])
            return len(rows["match_points"]) == counted == 4 * matches

        await league.until(is_counted)
    asked = pb.GetStandingRequest(game=GAME, player_id=ANA)
    standing = await league.call("GetStanding", asked)
    assert (standing.wins, standing.matches) == (3, 3)
    # The first week may be closed at any moment now: what is compared are the totals.
    live = league.rows()
    assert {(wins, matches) for _, _, wins, matches, _, _ in live["players"]} == {(3, 3), (0, 3)}
    await rebuild(league.conninfo, STANDINGS)
    rebuilt = league.rows()
    assert (rebuilt["players"], rebuilt["match_points"]) == (live["players"], live["match_points"])
