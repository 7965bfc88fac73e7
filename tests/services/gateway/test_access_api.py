"""Access and passports over HTTP."""

import json
from typing import Any

import pytest

from carteado.billing.v1 import access_service_pb2 as pb
from services.gateway.access_api import REASONS, ROOMS
from services.gateway.http_api import OPENAPI_FILE
from tests.services.gateway.conftest import Gateway, StartGateway
from tests.services.gateway.fakes import new_id
from tests.services.gateway.test_http_api import ask, bearer

DESCRIBED = json.loads(OPENAPI_FILE.read_text())
SCHEMAS = DESCRIBED["components"]["schemas"]


async def access(gateway: Gateway, player: str, query: str) -> tuple[int, Any]:
    return await ask(gateway, "GET", f"/api/v1/access?{query}", headers=bearer(gateway, player))


async def passport(
    gateway: Gateway, method: str, player: str, query: str = "", **options: Any
) -> tuple[int, Any]:
    headers = {**bearer(gateway, player), **options.pop("headers", {"Idempotency-Key": new_id()})}
    return await ask(gateway, method, f"/api/v1/passport{query}", headers=headers, **options)


async def test_access_is_the_tokens_players_with_its_reason_in_words(gateway: Gateway) -> None:
    ana = new_id()
    status, answer = await access(gateway, ana, "preset=tranca&room=ranqueada")
    assert status == 200
    assert sorted(answer) == sorted(SCHEMAS["Access"]["required"])
    assert (answer["is_allowed"], answer["reason"], answer["rule"]) == (True, "TRIAL", "catalogue-1/trial")
    assert answer["matches_left"] is None
    (asked,) = gateway.billing.asked
    assert (asked.player_id, asked.preset, asked.room) == (ana, "tranca", pb.ROOM_RANQUEADA)
    gateway.billing.access.matches_left = 2
    assert (await access(gateway, ana, "preset=tranca&room=livre"))[1]["matches_left"] == 2


def test_every_reason_and_room_is_described() -> None:
    assert set(REASONS) == set(pb.AccessReason.values()) - {0}
    assert [code for code, _ in REASONS.values()] == SCHEMAS["Access"]["properties"]["reason"]["enum"]
    parameters = DESCRIBED["paths"]["/api/v1/access"]["get"]["parameters"]
    assert parameters[1]["schema"]["enum"] == list(ROOMS)
    assert set(ROOMS.values()) == set(pb.Room.values()) - {0}


async def test_while_billing_is_away_access_is_answered_all_the_same(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(access_timeout_s=1.0)
    ana = new_id()
    await access(gateway, ana, "preset=tranca&room=ranqueada")
    await gateway.billing.stop()
    assert (await access(gateway, ana, "preset=tranca&room=ranqueada"))[1]["reason"] == "TRIAL"
    assert (await access(gateway, ana, "preset=sueca&room=ranqueada"))[1]["reason"] == "FREE_GAME"
    status, refused = await access(gateway, ana, "preset=buraco-aberto&room=livre")
    assert (status, refused["is_allowed"], refused["reason"]) == (200, False, "NOT_KNOWN")
    async with gateway.http.get("/metrics") as response:
        assert 'carteado_access_without_billing_total{basis="not_known",is_allowed="false"} 1.0' in (
            await response.text()
        )


async def test_a_passport_is_bought_under_the_key_shown_and_ended(gateway: Gateway) -> None:
    ana, key = new_id(), new_id()
    _, before = await passport(gateway, "GET", ana)
    assert sorted(before) == sorted(SCHEMAS["Account"]["required"])
    assert (before["passport"], before["trial_until"]) == (None, "2026-12-07T15:00:00Z")
    assert before["plans"] == [{"name": "vip", "text": "Passaporte VIP", "price_centavos": 1990, "months": 1}]
    status, bought = await passport(
        gateway, "POST", ana, json={"plan": "vip"}, headers={"Idempotency-Key": key}
    )
    assert status == 201
    assert sorted(bought) == sorted(SCHEMAS["Passport"]["required"])
    assert (bought["passport_id"], bought["plan"], bought["status"]) == (key, "vip", "active")
    assert (await passport(gateway, "GET", ana))[1]["passport"] == bought
    assert (await passport(gateway, "DELETE", ana))[1]["status"] == "cancelled"
    assert (await passport(gateway, "DELETE", ana, "?withdraw=true"))[1]["status"] == "ended"
    assert {asked.player_id for asked in gateway.billing.asked} == {ana}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("room=livre", "preset"),
        ("preset=tranca", "room"),
        ("preset=tranca&room=privada", "room"),
        ("preset=tranca&room=convite", "room"),
    ],
)
async def test_b111_there_is_no_private_room_and_no_invitation(
    gateway: Gateway, query: str, field: str
) -> None:
    status, error = await access(gateway, new_id(), query)
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", field)


async def test_money_is_moved_only_under_a_key_and_for_who_is_signed_in(gateway: Gateway) -> None:
    ana = new_id()
    for method, options in (("POST", {"json": {"plan": "vip"}}), ("DELETE", {})):
        status, error = await passport(gateway, method, ana, headers={}, **options)
        assert (status, error["code"]) == (400, "IDEMPOTENCY_KEY_REQUIRED")
        status, error = await ask(
            gateway, method, "/api/v1/passport", headers={"Idempotency-Key": new_id()}, **options
        )
        assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")
    status, error = await passport(gateway, "DELETE", ana, "?withdraw=yes")
    assert (status, error["field"]) == (400, "withdraw")
    status, error = await passport(gateway, "POST", ana, json={"plan": "vip", "player_id": new_id()})
    assert (status, error["field"]) == (400, "body")
    assert gateway.billing.asked == []


async def test_one_player_may_not_ask_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(access_calls_per_s=0.0, access_calls_burst=2)
    eager, query = new_id(), "preset=tranca&room=livre"
    assert [(await access(gateway, eager, query))[0] for _ in range(3)] == [200, 200, 429]


async def test_without_billing_nothing_is_bought(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(call_timeout_s=0.3)
    await gateway.billing.stop()
    status, error = await passport(gateway, "POST", new_id(), json={"plan": "vip"})
    assert (status, error["code"]) == (503, "UNAVAILABLE")
