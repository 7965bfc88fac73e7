"""A player's own account over HTTP: name, friends with presence, blocks, export; what is described is what is answered."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import pytest

from services.gateway.http_api import OPENAPI_FILE
from tests.contracts.platform import Gateway, Platform

SCHEMAS = json.loads(OPENAPI_FILE.read_text())["components"]["schemas"]


def check(value: Any, schema: dict[str, Any]) -> None:
    """That an answer has the described fields, of the described types, and no other."""
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if value is None:
        assert "null" in kinds
    elif "object" in kinds and "properties" in schema:
        assert set(schema["required"]) <= set(value) <= set(schema["properties"])
        for name, item in value.items():
            check(item, schema["properties"][name])
    elif "array" in kinds:
        for item in value:
            check(item, schema["items"])
    else:
        types = {"string": str, "boolean": bool, "integer": int, "object": dict}
        assert isinstance(value, tuple(types[kind] for kind in kinds if kind != "null"))
    if "enum" in schema:
        assert value in schema["enum"]


async def test_every_answer_has_the_described_form(gateway: Gateway) -> None:
    ana, bia = await gateway.guest("Ana"), await gateway.guest("Bia")
    token, other = ana["token"], bia["player_id"]
    await gateway.ask("PUT", f"/api/v1/friends/{ana['player_id']}", bia["token"])
    answers = [
        ("GET", "/api/v1/me", {}, "Me"),
        ("PUT", "/api/v1/me/name", {"json": {"name": "Ana Clara"}}, "Name"),
        ("GET", "/api/v1/players/by-name?name=bia", {}, "Player"),
        ("GET", "/api/v1/sessions", {}, "Sessions"),
        ("DELETE", "/api/v1/sessions", {}, "Ended"),
        ("GET", "/api/v1/friends", {}, "Friends"),
        ("PUT", f"/api/v1/friends/{other}", {}, "FriendStatus"),
        ("GET", "/api/v1/friends", {}, "Friends"),
        ("DELETE", f"/api/v1/friends/{other}", {}, "Done"),
        ("PUT", f"/api/v1/blocks/{other}", {}, "Done"),
        ("GET", "/api/v1/blocks", {}, "Blocks"),
        ("DELETE", f"/api/v1/blocks/{other}", {}, "Done"),
        ("GET", "/api/v1/me/export", {}, "Export"),
    ]
    for method, path, options, schema in answers:
        status, answer = await gateway.ask(method, path, token, **options)
        assert status == 200, (path, answer)
        check(answer, SCHEMAS[schema])
    check(ana, SCHEMAS["Guest"])
    check((await gateway.renew(ana["refresh_token"]))[1], SCHEMAS["Session"])


async def test_a_taken_name_is_refused_with_one_that_is_free(gateway: Gateway) -> None:
    """Fault B130."""
    await gateway.guest("Ana")
    status, error = await gateway.ask("POST", "/api/v1/guests", json={"name": "Aná"})
    assert (status, error["code"], error["field"]) == (409, "NAME_TAKEN", "name")
    check(error, SCHEMAS["Error"])
    bia = await gateway.guest(error["facts"]["suggestion"])
    status, error = await gateway.ask("PUT", "/api/v1/me/name", bia["token"], json={"name": "ANA"})
    assert (status, error["code"]) == (409, "NAME_TAKEN")
    assert error["facts"]["suggestion"].startswith("ANA ")


async def test_friends_see_each_other_come_and_go_over_two_gateways(platform: Platform) -> None:
    first, second = [await platform.gateway(account_calls_burst=1_000) for _ in range(2)]
    ana, bia = await first.guest("Ana"), await first.guest("Bia")

    async def seen_by_ana() -> dict[str, Any]:
        _, listed = await first.ask("GET", "/api/v1/friends", ana["token"])
        (friend,) = listed["friends"]
        return friend

    async def until_presence(presence: str) -> None:
        for _ in range(100):
            if (await seen_by_ana())["presence"] == presence:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never seen {presence}")

    await first.ask("PUT", f"/api/v1/friends/{bia['player_id']}", ana["token"])
    client = await second.socket(bia["token"])
    friend = await seen_by_ana()
    assert (friend["status"], friend["presence"], friend["name"]) == ("asked", None, "Bia")
    _, status = await second.ask("PUT", f"/api/v1/friends/{ana['player_id']}", bia["token"])
    assert status == {"status": "friends"}
    await until_presence("online")
    await client.socket.close()
    await until_presence("offline")
    await second.socket(bia["token"])
    await until_presence("online")
    await platform.stop(second)  # a gateway that goes down says that nobody is there any more
    await until_presence("offline")


async def test_a_blocked_player_asks_in_vain(gateway: Gateway) -> None:
    ana, bia = await gateway.guest("Ana"), await gateway.guest("Bia")
    await gateway.ask("PUT", f"/api/v1/blocks/{bia['player_id']}", ana["token"])
    status, error = await gateway.ask("PUT", f"/api/v1/friends/{ana['player_id']}", bia["token"])
    assert (status, error["code"]) == (403, "FRIENDSHIP_REFUSED")
    _, listed = await gateway.ask("GET", "/api/v1/blocks", bia["token"])
    assert listed == {"blocks": []}


@pytest.mark.parametrize("area", ["friends", "blocks"])
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_an_id_that_is_none_is_refused(gateway: Gateway, area: str, method: str) -> None:
    ana = await gateway.guest("Ana")
    for given in ("x", "1" * 36, "%00", str(uuid4()).replace("-", "")):
        status, error = await gateway.ask(method, f"/api/v1/{area}/{given}", ana["token"])
        assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", "player_id")
    status, error = await gateway.ask(method, f"/api/v1/{area}/{ana['player_id']}", ana["token"])
    assert (status, error["code"]) == (400, "NOTHING_WITH_ONESELF")


async def test_no_address_and_no_body_says_who_somebody_is(gateway: Gateway) -> None:
    """Fault B124: what names another player in a request about oneself is refused or of no effect."""
    ana, bia = await gateway.guest("Ana"), await gateway.guest("Bia")
    body = {"name": "Mallory", "player_id": bia["player_id"]}
    status, error = await gateway.ask("PUT", "/api/v1/me/name", ana["token"], json=body)
    assert (status, error["code"]) == (400, "INVALID_ARGUMENT")
    _, me = await gateway.ask("GET", f"/api/v1/me?player_id={bia['player_id']}", ana["token"])
    assert me["player_id"] == ana["player_id"]
    status, error = await gateway.ask(
        "DELETE", "/api/v1/me", ana["token"], json={"confirm": bia["player_id"]}
    )
    assert (status, error["code"]) == (400, "ERASURE_NOT_CONFIRMED")
    assert (await gateway.ask("GET", "/api/v1/me", bia["token"]))[1]["name"] == "Bia"


async def test_what_one_player_asks_about_their_account_is_bounded(platform: Platform) -> None:
    gateway = await platform.gateway(account_calls_per_s=0.0, account_calls_burst=3)
    ana, bia = await gateway.guest("Ana"), await gateway.guest("Bia")
    answers = [await gateway.ask("GET", "/api/v1/me", ana["token"]) for _ in range(5)]
    assert [status for status, _ in answers] == [200, 200, 200, 429, 429]
    assert answers[-1][1]["code"] == "RATE_LIMITED"
    assert (await gateway.ask("GET", "/api/v1/me", bia["token"]))[0] == 200


async def test_an_export_is_all_that_accounts_knows_and_not_kept_by_caches(gateway: Gateway) -> None:
    ana = await gateway.guest("Ana")
    headers = {"Authorization": f"Bearer {ana['token']}"}
    async with gateway.client.get("/api/v1/me/export", headers=headers) as response:
        assert response.headers["Cache-Control"] == "no-store"
        exported = await response.json()
    assert (exported["player_id"], exported["name"]) == (ana["player_id"], "Ana")
    assert ana["token"] not in json.dumps(exported)
    assert ana["refresh_token"] not in json.dumps(exported)
