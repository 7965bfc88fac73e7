"""Rooms over HTTP: games, open tables with names, seats, the queue, training, and waiting for a change of place."""

import asyncio
import base64
import json
from typing import Any

import aiohttp
import pytest

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from libs.rules.registry import GAMES
from services.gateway.http_api import OPENAPI_FILE
from services.matchmaking.errors import ACCESS_REFUSED
from tests.services.gateway.conftest import Gateway, StartGateway
from tests.services.gateway.fakes import new_id
from tests.services.gateway.test_http_api import ask, bearer
from tests.services.gateway.test_league_api import guest

SCHEMAS = json.loads(OPENAPI_FILE.read_text())["components"]["schemas"]
ENTROPY = bytes(range(32))
TABLE = "0b6f7a52-1c1e-4a7e-8f0a-3d2b9e5c4f10"
COMMAND = "7b1c1f0a-9a4e-4f0e-9d61-3b5c0a2f8e11"
SEATED = pb.Place(
    kind=pb.PLACE_KIND_OPEN_TABLE, version=4, table_id=TABLE, preset="truco@003", room=pb.ROOM_LIVRE
)
SEATED.since.FromJsonString("2026-11-30T12:00:00Z")


async def send(gateway: Gateway, method: str, path: str, player: str, **options: Any) -> tuple[int, Any]:
    return await ask(gateway, method, f"/api/v1/{path}", headers=bearer(gateway, player), **options)


async def test_every_game_is_listed_with_its_rooms_and_a_house_preset_is_not_ranked(gateway: Gateway) -> None:
    status, listed = await send(gateway, "GET", "rooms", new_id())
    assert status == 200
    assert [game["preset"] for game in listed["games"]] == list(GAMES)
    for game in listed["games"]:
        assert sorted(game) == sorted(SCHEMAS["Rooms"]["properties"]["games"]["items"]["required"])
        assert ("ranqueada" in game["rooms"]) == ("@" not in game["preset"])
        assert {"livre", "treino"} <= set(game["rooms"])
        assert "simple" in game["strengths"]
        assert game["player_counts"] == list(GAMES[game["preset"]].player_counts)


async def test_open_tables_are_listed_with_who_sits_there(gateway: Gateway) -> None:
    ana, erased = await guest(gateway, "Ana"), new_id()
    gateway.matchmaking.tables = [
        pb.OpenTable(table_id=TABLE, preset="truco-paulista", player_ids=[ana, "", erased, ""])
    ]
    status, listed = await send(gateway, "GET", "open-tables?preset=truco-paulista", ana)
    assert status == 200
    (table,) = listed["tables"]
    assert sorted(table) == sorted(SCHEMAS["OpenTable"]["required"])
    assert table["seats"] == [
        {"player_id": ana, "name": "Ana", "is_you": True},
        None,
        {"player_id": erased, "name": None, "is_you": False},
        None,
    ]
    assert gateway.matchmaking.asked[-1].preset == "truco-paulista"


async def test_open_tables_are_listed_without_names_while_accounts_is_away(
    start_gateway: StartGateway,
) -> None:
    gateway = await start_gateway(names_timeout_s=0.2)
    ana, bia = await guest(gateway, "Ana"), new_id()
    gateway.matchmaking.tables = [
        pb.OpenTable(table_id=TABLE, preset="truco-paulista", player_ids=[ana, "", bia, ""])
    ]
    await gateway.accounts.stop()
    status, listed = await send(gateway, "GET", "open-tables", ana)
    assert status == 200
    assert listed["tables"][0]["seats"] == [
        {"player_id": ana, "name": None, "is_you": True},
        None,
        {"player_id": bia, "name": None, "is_you": False},
        None,
    ]


@pytest.mark.parametrize(
    ("method", "path", "body", "asked"),
    [
        ("POST", "open-tables", {"preset": "truco@003", "seats": 4}, pb.OpenTableRequest(seats=4)),
        ("POST", f"open-tables/{TABLE}/sit", {"seat": 2}, pb.SitDownRequest(table_id=TABLE, seat=2)),
        ("POST", f"open-tables/{TABLE}/stand", {}, pb.StandUpRequest(table_id=TABLE)),
        ("POST", "quick-play", {"preset": "truco@003"}, pb.QuickPlayRequest()),
        ("POST", "queue", {"preset": "truco-paulista"}, pb.JoinQueueRequest()),
        ("DELETE", f"queue?command_id={COMMAND}", None, pb.LeaveQueueRequest()),
        (
            "POST",
            "training",
            {"preset": "truco@003", "strength": "simple", "switches": {"signals": "on"}},
            pb.StartTrainingRequest(strength="simple", switches={"signals": "on"}),
        ),
    ],
    ids=["open", "sit", "stand", "quick play", "queue", "leave the queue", "training"],
)
async def test_a_wish_is_brought_to_matchmaking_in_the_name_of_the_tokens_player(
    gateway: Gateway, method: str, path: str, body: dict[str, Any] | None, asked: Any
) -> None:
    gateway.matchmaking.place, player = SEATED, new_id()
    takes_entropy = "entropy" in asked.DESCRIPTOR.fields_by_name
    if body is not None:
        body = {**body, "command_id": COMMAND.upper()}
        if takes_entropy:
            body["entropy"] = base64.b64encode(ENTROPY).decode()
            asked.entropy = ENTROPY
        if "preset" in body:
            asked.preset = body["preset"]
    status, place = await send(gateway, method, path, player, json=body)
    assert status == 200
    assert place == {
        "kind": "open_table",
        "version": 4,
        "table_id": TABLE,
        "preset": "truco@003",
        "room": "livre",
        "since": "2026-11-30T12:00:00Z",
        "last_refusal": None,
    }
    assert sorted(place) == sorted(SCHEMAS["Place"]["required"])
    asked.player_id, asked.command_id = player, COMMAND
    (came,) = gateway.matchmaking.asked
    if isinstance(came, pb.StartTrainingRequest):
        # The same table that the practice of this key is, whose commitment one can ask for.
        headers = bearer(gateway, player, **{"Idempotency-Key": COMMAND})
        game = {"game": "truco-paulista"}
        _, practice = await ask(gateway, "POST", "/api/v1/practice", headers=headers, json=game)
        asked.table_id = practice["table_id"]
    assert came == asked


async def test_who_waits_is_told_of_the_change_and_others_go_on(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(place_waits_each=1, call_timeout_s=3.0)
    player, path = new_id(), "me/place?known_version=1&wait_ms=20000"
    waits = asyncio.create_task(send(gateway, "GET", path, player))
    await asyncio.wait_for(gateway.matchmaking.waits.wait(), 30)
    status, error = await send(gateway, "GET", path, player)
    assert (status, error["code"]) == (429, "RATE_LIMITED")
    status, now = await send(gateway, "GET", "me/place", player)
    assert (status, now["kind"], now["table_id"], now["room"]) == (200, "idle", None, None)
    gateway.matchmaking.change(pb.Place(kind=pb.PLACE_KIND_PLAYING, version=2, table_id=TABLE))
    status, place = await waits
    assert (status, place["kind"], place["table_id"]) == (200, "playing", TABLE)
    # The wait is over, and another one may begin.
    assert (await send(gateway, "GET", path, player))[0] == 200


async def test_who_closes_the_connection_waits_no_longer(start_gateway: StartGateway) -> None:
    """A page that is loaded again has gone before its waits have ended."""
    gateway = await start_gateway(place_waits_each=1, place_look_s=0.02)
    player, path = new_id(), "me/place?known_version=1&wait_ms=20000"
    async with aiohttp.ClientSession(gateway.url) as page:
        headers = bearer(gateway, player)
        waits = asyncio.create_task(page.get(f"/api/v1/{path}", headers=headers))
        await asyncio.wait_for(gateway.matchmaking.waits.wait(), 30)
        waits.cancel()
    for _ in range(200):
        await asyncio.sleep(0.02)
        status, _ = await send(gateway, "GET", path.replace("20000", "1"), player)
        if status == 200:
            return
    raise AssertionError("the wait goes on")


async def test_a_wait_outlasts_the_deadline_of_other_calls(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(call_timeout_s=0.2)
    status, place = await send(gateway, "GET", "me/place?known_version=1&wait_ms=500", new_id())
    assert (status, place["version"]) == (200, 1)


async def test_waits_of_all_players_are_bounded_apart_from_other_calls(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(place_waits=0)
    status, error = await send(gateway, "GET", "me/place?wait_ms=100", new_id())
    assert (status, error["code"]) == (429, "OVERLOADED")
    assert (await send(gateway, "GET", "open-tables", new_id()))[0] == 200


async def test_a_refusal_of_access_comes_through_with_its_reason(gateway: Gateway) -> None:
    gateway.matchmaking.refusal = ACCESS_REFUSED.error(facts={"reason": "PASSPORT_NEEDED"})
    status, error = await send(
        gateway, "POST", "queue", new_id(), json={"command_id": COMMAND, "preset": "truco-paulista"}
    )
    assert (status, error["code"], error["facts"]) == (403, "ACCESS_REFUSED", {"reason": "PASSPORT_NEEDED"})


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "queue", {"command_id": "x", "preset": "p"}, "command_id"),
        ("POST", "queue", {"preset": "p"}, "body"),
        ("POST", "queue", {"command_id": COMMAND, "preset": "p", "entropy": "AA=="}, "entropy"),
        ("POST", "queue", {"command_id": COMMAND, "preset": "p", "player_id": COMMAND}, "body"),
        ("POST", "open-tables", {"command_id": COMMAND, "preset": "p", "seats": -1}, "seats"),
        ("POST", "open-tables", {"command_id": COMMAND, "preset": "p", "seats": 2**40}, "seats"),
        ("POST", f"open-tables/{TABLE}/sit", {"command_id": COMMAND, "seat": -1}, "seat"),
        ("POST", "open-tables/here/sit", {"command_id": COMMAND, "seat": 1}, "table_id"),
        ("DELETE", "queue", None, "command_id"),
        ("GET", "me/place?wait_ms=20001", None, "wait_ms"),
        ("GET", "me/place?wait_ms=-1", None, "wait_ms"),
        ("GET", "me/place?known_version=4294967296", None, "known_version"),
    ],
)
async def test_absurd_wishes_are_refused_with_their_field(
    gateway: Gateway, method: str, path: str, body: dict[str, Any] | None, field: str
) -> None:
    status, error = await send(gateway, method, path, new_id(), json=body)
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", field)
    assert gateway.matchmaking.asked == []


async def test_matchmaking_that_is_down_is_told_as_such(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(call_timeout_s=0.3, place_wait_timeout_s=0.3)
    await gateway.matchmaking.stop()
    for path in ("open-tables", "me/place", "me/place?wait_ms=100"):
        status, error = await send(gateway, "GET", path, new_id())
        assert (status, error["code"]) == (503, "UNAVAILABLE")


async def test_one_player_may_not_ask_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(room_calls_per_s=0.0, room_calls_burst=2)
    eager = new_id()
    assert [(await send(gateway, "GET", "rooms", eager))[0] for _ in range(3)] == [200, 200, 429]
    assert (await send(gateway, "GET", "rooms", new_id()))[0] == 200


async def test_wishes_have_a_bound_of_their_own(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(wishes_per_s=0.0, wishes_burst=2)
    eager = new_id()

    async def wish() -> int:
        body = {"command_id": new_id(), "preset": "truco-paulista"}
        return (await send(gateway, "POST", "quick-play", eager, json=body))[0]

    assert [await wish() for _ in range(3)] == [200, 200, 429]
    assert (await send(gateway, "GET", "open-tables", eager))[0] == 200


async def test_nobody_unknown_is_told_anything(gateway: Gateway) -> None:
    for path in ("rooms", "open-tables", "me/place"):
        status, error = await ask(gateway, "GET", f"/api/v1/{path}")
        assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")


@pytest.mark.parametrize("path", ["queue", "quick-play", "open-tables"])
@pytest.mark.parametrize("field", ["partner", "party", "partner_id", "invite"])
async def test_b120_a_wish_that_names_a_partner_is_refused_and_not_ignored(
    gateway: Gateway, path: str, field: str
) -> None:
    body = {"command_id": COMMAND, "preset": "truco-paulista", field: new_id()}
    status, error = await send(gateway, "POST", path, new_id(), json=body)
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", "body")
    assert gateway.matchmaking.asked == []
