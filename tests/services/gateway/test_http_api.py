"""What is not live: guests, tokens, names, and how errors are told."""

import asyncio
import gzip
import inspect
import json
import re
import uuid
from typing import Any

import aiohttp
import pytest
from multidict import CIMultiDict

from libs.service.errors import COMMON
from services.gateway import account_api, http_api, identity, requests, sockets, training_api
from services.gateway.errors import CATALOGUE, CLOSE_CODES, http_status
from services.gateway.http_api import OPENAPI_FILE
from tests.services.gateway.conftest import Gateway, StartGateway
from tests.services.gateway.fakes import new_id


async def ask(gateway: Gateway, method: str, path: str, **options: Any) -> tuple[int, Any]:
    async with gateway.http.request(method, path, **options) as response:
        assert response.content_type == "application/json"
        return response.status, await response.json()


def bearer(gateway: Gateway, player_id: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {gateway.issuer.token(player_id)}", **more}


async def test_a_guest_is_registered_once_for_one_key(gateway: Gateway) -> None:
    headers = {"Idempotency-Key": new_id()}
    first = await ask(gateway, "POST", "/api/v1/guests", json={"name": "Zica"}, headers=headers)
    again = await ask(gateway, "POST", "/api/v1/guests", json={"name": "Zica"}, headers=headers)
    assert first == again
    status, guest = first
    assert status == 201
    assert sorted(guest) == [
        "expires_at",
        "name",
        "player_id",
        "refresh_expires_at",
        "refresh_token",
        "token",
    ]
    status, named = await ask(
        gateway,
        "GET",
        f"/api/v1/players?ids={guest['player_id']},{new_id()}",
        headers={"Authorization": f"Bearer {guest['token']}"},
    )
    assert (status, named) == (200, {"players": [{"player_id": guest["player_id"], "name": "Zica"}]})


async def test_a_services_error_is_told_onwards_with_its_field(gateway: Gateway) -> None:
    status, error = await ask(
        gateway, "POST", "/api/v1/guests", json={"name": ""}, headers={"Idempotency-Key": new_id()}
    )
    assert status == 400
    assert error == {
        "code": "INVALID_ARGUMENT",
        "text_pt": "Pedido inválido.",
        "text_en": "Invalid request.",
        "field": "name",
    }


async def test_a_session_is_renewed_by_its_refresh_token(gateway: Gateway) -> None:
    headers = {"Idempotency-Key": new_id()}
    body = {"refresh_token": f"refresh {new_id()}"}
    status, session = await ask(gateway, "POST", "/api/v1/session/renew", json=body, headers=headers)
    assert status == 200
    assert sorted(session) == ["expires_at", "refresh_expires_at", "refresh_token", "token"]
    client = await gateway.open()
    await client.hello(session["token"])


async def test_a_token_does_not_renew_a_session(gateway: Gateway) -> None:
    headers = bearer(gateway, new_id(), **{"Idempotency-Key": new_id()})
    status, error = await ask(gateway, "POST", "/api/v1/session/renew", json={}, headers=headers)
    assert (status, error["code"]) == (400, "INVALID_ARGUMENT")
    body = {"refresh_token": gateway.issuer.token(new_id())}
    status, error = await ask(gateway, "POST", "/api/v1/session/renew", json=body, headers=headers)
    assert (status, error["field"]) == (400, "token")


@pytest.mark.parametrize("body", ["", "{", "[" * 10_000, "\xff", "NaN", '{"name": "a", "name": 5}'])
async def test_a_body_that_is_no_json_is_refused(gateway: Gateway, body: str) -> None:
    """Fault B129."""
    headers = {"Idempotency-Key": new_id(), "Content-Type": "application/json"}
    status, error = await ask(gateway, "POST", "/api/v1/guests", data=body.encode("latin-1"), headers=headers)
    assert (status, error["code"]) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
@pytest.mark.parametrize(
    "body", [b"no such thing", gzip.compress(b'{"name": "Zica"}', mtime=0)], ids=["not so", "so"]
)
async def test_a_compressed_body_is_refused(gateway: Gateway, encoding: str, body: bytes) -> None:
    headers = {
        "Idempotency-Key": new_id(),
        "Content-Type": "application/json",
        "Content-Encoding": encoding,
    }
    status, error = await ask(gateway, "POST", "/api/v1/guests", data=body, headers=headers)
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", "body")


@pytest.mark.parametrize("size", [16 * 1024, 5_000_000])
async def test_a_body_over_the_limit_is_refused(gateway: Gateway, size: int) -> None:
    """Fault B129."""
    headers = {"Idempotency-Key": new_id()}
    status, error = await ask(gateway, "POST", "/api/v1/guests", json={"name": "x" * size}, headers=headers)
    assert (status, error["code"]) == (413, "MESSAGE_TOO_BIG")


async def test_a_body_over_the_limit_is_refused_also_without_its_length(gateway: Gateway) -> None:
    async def chunks() -> Any:
        for _ in range(20):
            yield b" " * 1024

    headers = {"Idempotency-Key": new_id(), "Content-Type": "application/json"}
    status, error = await ask(gateway, "POST", "/api/v1/guests", data=chunks(), headers=headers)
    assert (status, error["code"]) == (413, "MESSAGE_TOO_BIG")


async def test_a_body_that_never_ends_is_refused_in_time(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(call_timeout_s=0.2)
    forever = asyncio.Event()

    async def chunks() -> Any:
        yield b"{"
        await forever.wait()

    headers = {"Idempotency-Key": new_id(), "Content-Type": "application/json"}
    status, error = await ask(gateway, "POST", "/api/v1/guests", data=chunks(), headers=headers)
    assert (status, error["code"]) == (400, "INVALID_ARGUMENT")


async def test_a_form_of_another_page_is_refused(gateway: Gateway) -> None:
    status, error = await ask(
        gateway, "POST", "/api/v1/guests", data={"name": "x"}, headers={"Idempotency-Key": new_id()}
    )
    assert (status, error["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize("key", [None, "", "x", "1" * 36])
async def test_what_creates_needs_an_idempotency_key(gateway: Gateway, key: str | None) -> None:
    headers = {} if key is None else {"Idempotency-Key": key}
    status, error = await ask(gateway, "POST", "/api/v1/guests", json={"name": "x"}, headers=headers)
    assert (status, error["code"], error["field"]) == (400, "IDEMPOTENCY_KEY_REQUIRED", "Idempotency-Key")


def signed_operations() -> list[tuple[str, str]]:
    """Every described operation that needs a token, with made-up ids in its address."""
    paths = json.loads(OPENAPI_FILE.read_text())["paths"]
    return [
        (method.upper(), re.sub(r"\{\w+\}", "6a1c4a8e-5a0e-4b0f-9d5c-2f6f0c6e7d11", path))
        for path, methods in paths.items()
        for method, operation in methods.items()
        if {"bearer": []} in operation.get("security", [])
    ]


@pytest.mark.parametrize(("method", "path"), signed_operations())
@pytest.mark.parametrize("kind", ["none", "garbage", "expired", "basic", "twice"])
async def test_without_one_valid_token_nothing_is_told(
    gateway: Gateway, method: str, path: str, kind: str
) -> None:
    """Faults B124 and B126."""
    player = new_id()
    token = gateway.issuer.token(player)
    values = {
        "none": [],
        "garbage": ["Bearer abc"],
        "expired": [f"Bearer {gateway.issuer.token(player, lives_s=-1)}"],
        "basic": [f"Basic {token}"],
        "twice": [f"Bearer {token}", f"Bearer {token}"],
    }[kind]
    headers = CIMultiDict([("Authorization", value) for value in values])
    headers.add("Idempotency-Key", new_id())
    status, error = await ask(gateway, method, path, headers=headers)
    assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")


@pytest.mark.parametrize("ids", ["", "x", "," * 10, ",".join([str(uuid.uuid4())] * 101)])
async def test_absurd_ids_are_refused(gateway: Gateway, ids: str) -> None:
    status, error = await ask(gateway, "GET", f"/api/v1/players?ids={ids}", headers=bearer(gateway, new_id()))
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", "ids")


async def test_one_player_may_not_ask_for_names_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(names_per_s=0.0, names_burst=2)
    eager, path = new_id(), f"/api/v1/players?ids={new_id()}"
    asked = [(await ask(gateway, "GET", path, headers=bearer(gateway, eager)))[0] for _ in range(3)]
    assert asked == [200, 200, 429]
    assert (await ask(gateway, "GET", path, headers=bearer(gateway, new_id())))[0] == 200


async def test_one_player_may_not_ask_for_commitments_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(room_calls_per_s=0.0, room_calls_burst=2)
    headers = bearer(gateway, new_id(), **{"Idempotency-Key": new_id()})
    path = "/api/v1/practice/commitment"
    assert [(await ask(gateway, "GET", path, headers=headers))[0] for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize("after", ["-1", "x", "1.0", "²", "1000001", "9" * 5_000])
async def test_an_absurd_version_is_refused(gateway: Gateway, after: str) -> None:
    path = f"/api/v1/tables/{new_id()}/record?after={after}"
    status, error = await ask(gateway, "GET", path, headers=bearer(gateway, new_id()))
    assert (status, error["code"], error["field"]) == (400, "INVALID_ARGUMENT", "after")


async def test_a_service_that_is_down_is_told_as_such(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(call_timeout_s=0.3)
    await gateway.accounts.stop()
    status, error = await ask(
        gateway, "POST", "/api/v1/guests", json={"name": "x"}, headers={"Idempotency-Key": new_id()}
    )
    assert (status, error["code"]) == (503, "UNAVAILABLE")


async def test_calls_in_flight_are_bounded(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(calls_in_flight=0)
    status, error = await ask(
        gateway, "POST", "/api/v1/guests", json={"name": "x"}, headers={"Idempotency-Key": new_id()}
    )
    assert (status, error["code"]) == (429, "OVERLOADED")


async def test_one_address_may_not_register_guests_or_renew_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(guests_per_s=0.0, guests_burst=2, renewals_per_s=0.0, renewals_burst=1)

    async def post(path: str, body: dict[str, str]) -> tuple[int, str]:
        status, answer = await ask(gateway, "POST", path, json=body, headers={"Idempotency-Key": new_id()})
        return status, answer.get("code", "")

    guests = [await post("/api/v1/guests", {"name": f"Ana {number}"}) for number in range(3)]
    assert guests == [(201, ""), (201, ""), (429, "RATE_LIMITED")]
    first, second = [await post("/api/v1/session/renew", {"refresh_token": "x"}) for _ in range(2)]
    assert first[1] != "RATE_LIMITED"
    assert second == (429, "RATE_LIMITED")


async def test_another_replica_answers_for_a_lost_one(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(replicas=2)
    await gateway.tables[0].stop()
    for _ in range(6):
        headers = bearer(gateway, new_id(), **{"Idempotency-Key": new_id()})
        status, _ = await ask(gateway, "GET", "/api/v1/practice/commitment", headers=headers)
        assert status == 200
    assert len(gateway.tables[1].committed) == 6


async def test_unknown_addresses_and_methods_are_answered_in_the_same_form(gateway: Gateway) -> None:
    status, error = await ask(gateway, "GET", "/nope")
    assert (status, error["code"]) == (404, "NOT_FOUND")
    status, error = await ask(gateway, "GET", "/assets/..%2fapp.py")
    assert (status, error["code"]) == (404, "NOT_FOUND")
    status, error = await ask(gateway, "DELETE", "/api/v1/guests")
    assert (status, error["code"]) == (405, "METHOD_NOT_ALLOWED")


async def test_the_description_is_served_and_names_every_route(gateway: Gateway) -> None:
    status, described = await ask(gateway, "GET", "/api/v1/openapi.json")
    assert status == 200
    assert described == json.loads(OPENAPI_FILE.read_text())
    served = {
        (route.path, route.method.lower())
        for route in gateway.parts.routes
        if route.path.startswith("/api/") or route.path == "/ws"
    }
    listed = {(path, method) for path, methods in described["paths"].items() for method in methods}
    assert listed == served


def test_the_description_names_every_code_with_its_status() -> None:
    listed = json.loads(OPENAPI_FILE.read_text())["components"]["schemas"]["Error"]["x-codes"]
    by_code = {code.code: code for code in (*COMMON, *CATALOGUE)}
    assert listed == {code: http_status(code, by_code[code].status) for code in listed}
    over_http = set(
        re.findall(
            r"\b[A-Z][A-Z_]{4,}\b",
            "".join(
                map(inspect.getsource, (http_api, account_api, requests, identity, sockets, training_api))
            ),
        )
    )
    # Told over a socket alone.
    over_http.discard("TOO_MANY_SOCKETS")
    assert over_http & set(by_code) <= set(listed)
    only_sockets = {code.code for code in CATALOGUE} - set(listed)
    assert only_sockets <= set(CLOSE_CODES) | {"MALFORMED_MESSAGE", "TOO_MANY_TABLES", "TOO_MANY_COMMANDS"}


async def test_the_schemas_fit_what_is_answered(gateway: Gateway) -> None:
    schemas = json.loads(OPENAPI_FILE.read_text())["components"]["schemas"]
    headers = {"Idempotency-Key": new_id()}
    _, guest = await ask(gateway, "POST", "/api/v1/guests", json={"name": "Zica"}, headers=headers)
    assert sorted(guest) == sorted(schemas["Guest"]["required"])
    _, error = await ask(gateway, "GET", "/nope")
    assert sorted(error) == sorted(schemas["Error"]["required"])


async def test_answers_are_not_stored_by_caches(gateway: Gateway) -> None:
    response: aiohttp.ClientResponse
    async with gateway.http.get("/nope") as response:
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
