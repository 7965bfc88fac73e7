"""The Liga over HTTP: tables with names, one's own place, trophies."""

import json
from typing import Any

import pytest

from carteado.league.v1 import events_pb2
from carteado.league.v1 import league_service_pb2 as pb
from services.gateway.http_api import OPENAPI_FILE
from tests.services.gateway.conftest import Gateway, StartGateway
from tests.services.gateway.fake_league import WEEK
from tests.services.gateway.fakes import new_id
from tests.services.gateway.test_http_api import ask, bearer

SCHEMAS = json.loads(OPENAPI_FILE.read_text())["components"]["schemas"]


async def guest(gateway: Gateway, name: str) -> str:
    _, registered = await ask(
        gateway, "POST", "/api/v1/guests", json={"name": name}, headers={"Idempotency-Key": new_id()}
    )
    return str(registered["player_id"])


async def get(gateway: Gateway, path: str, player: str) -> tuple[int, Any]:
    return await ask(gateway, "GET", f"/api/v1/league/{path}", headers=bearer(gateway, player))


async def test_a_page_of_a_table_has_names_and_shows_who_one_is(gateway: Gateway) -> None:
    ana, erased = await guest(gateway, "Ana"), new_id()
    gateway.league.order = [erased, ana]
    status, table = await get(gateway, "truco-paulista?league=ouro&week=2026-11-23&from=1", ana)
    assert status == 200
    assert sorted(table) == sorted(SCHEMAS["LeagueTable"]["required"])
    row = SCHEMAS["LeagueTable"]["properties"]["rows"]["items"]
    assert sorted(table["rows"][0]) == sorted(row["required"])
    assert (table["game"], table["league"], table["week"]) == ("truco-paulista", "ouro", "2026-11-23")
    assert [(one["place"], one["name"], one["is_you"]) for one in table["rows"]] == [
        (1, None, False),
        (2, "Ana", True),
    ]
    (asked,) = gateway.league.asked
    assert (asked.league, asked.from_place, asked.limit) == (events_pb2.LEAGUE_OURO, 1, 20)


async def test_without_a_league_it_is_the_players_own(gateway: Gateway) -> None:
    _, table = await get(gateway, "truco-paulista", new_id())
    assert (table["league"], table["week"], table["rows"]) == ("prata", WEEK, [])


async def test_my_place_comes_with_who_is_around_me(gateway: Gateway) -> None:
    ana, bia = await guest(gateway, "Ana"), await guest(gateway, "Bia")
    gateway.league.order = [bia, ana]
    status, mine = await get(gateway, "truco-paulista/me", ana)
    assert status == 200
    assert sorted(mine) == sorted(SCHEMAS["LeagueStanding"]["required"])
    assert (mine["place"], mine["points"], mine["wins"], mine["matches"]) == (2, 300, 12, 20)
    assert [row["name"] for row in mine["table"]["rows"]] == ["Bia", "Ana"]
    assert gateway.league.asked[-1].around_player_id == ana
    assert mine["achievements"] == [
        {
            "feat": "zap_on_last_trick",
            "match_id": "0b6f7a52-1c1e-4a7e-8f0a-3d2b9e5c4f10",
            "version": 212,
            "achieved_at": "2026-11-29T23:33:20Z",
        }
    ]
    assert sorted(mine["achievements"][0]) == sorted(SCHEMAS["Achievement"]["required"])
    _, others = await get(gateway, "truco-paulista/me", new_id())
    assert (others["place"], others["points"]) == (None, 0)


async def test_trophies_are_listed_with_game_week_league_and_place(gateway: Gateway) -> None:
    status, listed = await get(gateway, "me/trophies", new_id())
    assert status == 200
    (trophy,) = listed["trophies"]
    assert sorted(trophy) == sorted(SCHEMAS["Trophy"]["required"])
    assert (trophy["league"], trophy["place"]) == ("prata", 2)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("truco-paulista?league=ferro", "league"),
        ("truco-paulista?from=0", "from"),
        ("truco-paulista?from=-1", "from"),
        ("truco-paulista?from=99999999", "from"),
        ("truco-paulista?from=%C2%B2", "from"),
        ("truco@004", "game"),
    ],
)
async def test_absurd_questions_are_refused_with_their_field(gateway: Gateway, path: str, field: str) -> None:
    status, error = await get(gateway, path, new_id())
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", field)


async def test_a_liga_that_is_down_is_told_as_such(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(call_timeout_s=0.3)
    await gateway.league.stop()
    status, error = await get(gateway, "truco-paulista", new_id())
    assert (status, error["code"]) == (503, "UNAVAILABLE")


async def test_the_table_is_shown_without_names_while_accounts_is_away(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(names_timeout_s=0.2)
    ana = await guest(gateway, "Ana")
    gateway.league.order = [ana]
    await gateway.accounts.stop()
    for path in ("truco-paulista", "truco-paulista/me"):
        status, answer = await get(gateway, path, ana)
        assert status == 200
        rows = answer.get("table", answer)["rows"]
        assert [(row["name"], row["is_you"]) for row in rows] == [(None, True)]


async def test_one_player_may_not_ask_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(league_calls_per_s=0.0, league_calls_burst=2)
    eager = new_id()
    assert [(await get(gateway, "truco-paulista", eager))[0] for _ in range(3)] == [200, 200, 429]
    assert (await get(gateway, "truco-paulista", new_id()))[0] == 200


def test_every_feat_has_a_name_in_the_contract() -> None:
    named = set(SCHEMAS["Achievement"]["properties"]["feat"]["enum"])
    assert named | {"unspecified"} == {
        value.name.removeprefix("FEAT_").lower() for value in pb.Feat.DESCRIPTOR.values
    }
