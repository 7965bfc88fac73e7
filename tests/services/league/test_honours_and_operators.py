"""The running Liga beside a table service's record, and operators' hands on its weeks."""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from carteado.league.v1 import league_service_pb2 as pb
from libs.eventlog.rebuild import rebuild
from services.league.calendar import closes_at
from services.league.feats import feats_of
from services.league.standings import STANDINGS
from tests.services.league.matches import GAME, NEXT_WEEK, PLAYERS, WEEK, closed
from tests.services.league.played import Played, serve_records
from tests.services.league.running import League

pytestmark = pytest.mark.integration


async def test_a_feat_of_a_ranked_match_is_read_from_its_record_and_shown_with_its_event(
    running_league: League,
    environ: dict[str, str],
) -> None:
    league = running_league
    match = await Played().play()
    first = {PLAYERS[one.seats[0]]: one.version for one in reversed(feats_of(GAME, await match.events()))}
    told = closed(match_id=match.id)
    # The table service is away at first: points do not wait for it.
    await league.tell(told)
    await league.until_scored([told])
    assert league.rows()["achievements"] == []
    server = await serve_records(
        match.store, Path(environ["CARTEADO_KEYS"]), environ["CARTEADO_TABLE_REPLICAS"]
    )
    await league.tell(told)

    async def are_honoured() -> bool:
        return len(league.rows()["achievements"]) == len(first)

    await league.until(are_honoured)
    await server.drain(0)
    for player_id, version in first.items():
        asked = pb.GetStandingRequest(game=GAME, week=WEEK, player_id=player_id)
        (won,) = (await league.call("GetStanding", asked)).achievements
        assert (won.feat, won.match_id, won.version) == (pb.FEAT_ZAP_ON_LAST_TRICK, match.id, version)
        assert won.achieved_at == told.ended_at
    live = league.rows()
    await rebuild(league.conninfo, STANDINGS)
    assert league.rows() == live


async def operate(environ: dict[str, str], address: str, *words: str) -> tuple[int | None, str, str]:
    """`carteado league` with these words: exit code, stdout, stderr."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from libs.cli.main import main; main()", "league", *words),
        env={
            **os.environ,
            "CARTEADO_LEAGUE_REPLICAS": address,
            "CARTEADO_KEYS": environ["CARTEADO_KEYS"],
            "CARTEADO_OPERATOR": "zica",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_an_operator_closes_a_week_by_the_command_once_however_often(
    running_league: League,
    environ: dict[str, str],
) -> None:
    league = running_league
    await league.tell(closed())
    await league.until_scored([closed()])
    early, unknown, misspelt = await asyncio.gather(
        *(operate(environ, league.address, "close", GAME, week) for week in (WEEK, NEXT_WEEK, "last"))
    )
    assert early[:2] == unknown[:2] == (1, "")
    assert early[2].startswith("carteado: WEEK_NOT_OVER: ")
    assert unknown[2].startswith("carteado: WEEK_NOT_FOUND: ")
    assert (misspelt[0], misspelt[2].count("\n")) == (2, 1)
    await league.close_nothing_by_itself()
    league.clock.now = closes_at(WEEK) + timedelta(seconds=1)
    close = operate(environ, league.address, "close", GAME, WEEK)
    again = operate(environ, league.address, "close", GAME, WEEK)
    done = (0, f"{GAME}, week of {WEEK}: closed, 4 players placed\n", "")
    assert await asyncio.gather(close, again) == [done, done]
    _, out, _ = await operate(environ, league.address, "weeks", GAME)
    assert out.startswith(f"{WEEK}  closed   closes 2026-11-09 ")
    with psycopg.connect(league.conninfo) as connection:
        closings = connection.execute("SELECT actor FROM events WHERE type = 'league.week_closed'").fetchall()
    assert closings == [("operator:zica",)]
