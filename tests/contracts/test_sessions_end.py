"""A session that has ended lets nobody in, anywhere, at once (fault B126); a ban and an erasure likewise."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import nats
import pytest

from libs.client.http_api import GatewayApi, Guest
from libs.client.table_client import SignInError, TableClient
from tests.contracts.platform import Gateway, Platform
from tests.services.gateway.conftest import Client

AT_ONCE_S = 10.0
"""Far below the minute that the design allows; a busy machine is slow."""


async def expect_end(client: Client, code: str, close: int, within_s: float = AT_ONCE_S) -> None:
    began = time.monotonic()
    await client.expect_error(code)
    await client.expect_close(close)
    assert time.monotonic() - began < within_s


async def expect_no_entry(gateway: Gateway, token: str, code: str, close: int) -> None:
    client = await gateway.socket()
    await client.send(hello={"token": token})
    await expect_end(client, code, close)


async def test_who_signs_out_is_out_over_http_and_on_every_open_socket(platform: Platform) -> None:
    first, second = await platform.gateway(), await platform.gateway()
    ana, bia = await first.guest("Ana"), await first.guest("Bia")
    sockets = [await gateway.socket(ana["token"]) for gateway in (first, second, second)]
    other = await second.socket(bia["token"])
    assert await first.ask("DELETE", "/api/v1/session", ana["token"]) == (200, {})
    for client in sockets:
        await expect_end(client, "SESSION_REVOKED", 4401)
    for gateway in (first, second):
        status, error = await gateway.ask("GET", "/api/v1/me", ana["token"])
        assert (status, error["code"]) == (401, "SESSION_REVOKED")
        await expect_no_entry(gateway, ana["token"], "SESSION_REVOKED", 4401)
    status, error = await first.renew(ana["refresh_token"])
    assert (status, error["code"]) == (401, "TOKEN_REFUSED")
    await other.send(ping={})
    await other.expect("pong")


async def test_a_gateway_that_starts_later_knows_who_has_signed_out(platform: Platform) -> None:
    gateway = await platform.gateway()
    ana, bia = await gateway.guest("Ana"), await gateway.guest("Bia")
    await gateway.ask("DELETE", "/api/v1/session", ana["token"])
    await until_listed(platform)
    await platform.stop(gateway)
    successor = await platform.gateway(has_nats=False)
    await expect_no_entry(successor, ana["token"], "SESSION_REVOKED", 4401)
    await successor.socket(bia["token"])


async def until_listed(platform: Platform) -> None:
    """The projection that new gateways ask follows the log within a moment; here that moment is waited for."""
    probe = await platform.gateway(has_nats=False, barred_poll_s=0.05)
    for _ in range(200):
        async with probe.client.get("/metrics") as response:
            if "carteado_gateway_barred 1.0" in await response.text():
                await platform.stop(probe)
                return
        await asyncio.sleep(0.02)
    raise AssertionError("nobody is kept out")


async def test_without_nats_an_ended_session_is_out_at_the_next_look(platform: Platform) -> None:
    gateway = await platform.gateway(has_nats=False, barred_poll_s=0.3)
    ana = await gateway.guest("Ana")
    client = await gateway.socket(ana["token"])
    await gateway.ask("DELETE", "/api/v1/session", ana["token"])
    await expect_end(client, "SESSION_REVOKED", 4401)


async def test_a_refresh_token_used_twice_closes_the_sockets_of_its_session(gateway: Gateway) -> None:
    ana = await gateway.guest("Ana")
    client = await gateway.socket(ana["token"])
    status, renewed = await gateway.renew(ana["refresh_token"])
    assert status == 200
    status, error = await gateway.renew(ana["refresh_token"])
    assert (status, error["code"]) == (401, "TOKEN_REFUSED")
    await expect_end(client, "SESSION_REVOKED", 4401)
    status, error = await gateway.ask("GET", "/api/v1/me", renewed["token"])
    assert (status, error["code"]) == (401, "SESSION_REVOKED")


async def test_a_socket_is_renewed_in_place(gateway: Gateway) -> None:
    ana = await gateway.guest("Ana")
    client = await gateway.socket()
    first = await client.hello(ana["token"])
    await asyncio.sleep(1.1)  # A token says its times in whole seconds.
    _, renewed = await gateway.renew(ana["refresh_token"])
    second = await client.hello(renewed["token"])
    assert second.player_id == first.player_id
    assert second.token_expires_at.seconds > first.token_expires_at.seconds


async def test_a_renewed_socket_outlives_its_first_token_and_no_renewal_survives_the_revocation(
    gateway: Gateway,
) -> None:
    ana = await gateway.guest("Ana")
    client = await gateway.socket(ana["token"])
    _, renewed = await gateway.renew(ana["refresh_token"])
    await client.hello(renewed["token"])
    await gateway.ask("DELETE", "/api/v1/session", renewed["token"])
    await expect_end(client, "SESSION_REVOKED", 4401)


async def test_sessions_are_listed_and_ended_one_by_one_or_all_others(gateway: Gateway) -> None:
    key = str(uuid4())
    ana = await gateway.guest("Ana", key)
    await gateway.renew(ana["refresh_token"])
    phone, tablet = await gateway.guest("Ana", key), await gateway.guest("Ana", key)
    _, listed = await gateway.ask("GET", "/api/v1/sessions", ana["token"])
    sessions = listed["sessions"]
    assert len(sessions) == 3
    assert [session["is_current"] for session in sessions].count(True) == 1
    _, mine = await gateway.ask("GET", "/api/v1/sessions", phone["token"])
    (current,) = [session["session_id"] for session in mine["sessions"] if session["is_current"]]
    on_phone, on_tablet = await gateway.socket(phone["token"]), await gateway.socket(tablet["token"])
    assert await gateway.ask("DELETE", f"/api/v1/sessions/{current}", ana["token"]) == (200, {})
    await expect_end(on_phone, "SESSION_REVOKED", 4401)
    assert await gateway.ask("DELETE", "/api/v1/sessions", ana["token"]) == (200, {"ended": 1})
    await expect_end(on_tablet, "SESSION_REVOKED", 4401)
    _, left = await gateway.ask("GET", "/api/v1/sessions", ana["token"])
    assert [session["is_current"] for session in left["sessions"]] == [True]


async def test_anothers_session_cannot_be_ended(gateway: Gateway) -> None:
    """Fault B124."""
    ana, bia = await gateway.guest("Ana"), await gateway.guest("Bia")
    _, listed = await gateway.ask("GET", "/api/v1/sessions", ana["token"])
    session_id = listed["sessions"][0]["session_id"]
    status, error = await gateway.ask("DELETE", f"/api/v1/sessions/{session_id}", bia["token"])
    assert (status, error["code"]) == (404, "SESSION_NOT_FOUND")
    await gateway.socket(ana["token"])


async def test_a_banned_player_is_out_at_once_and_told_until_when(platform: Platform) -> None:
    first, second = await platform.gateway(), await platform.gateway()
    ana = await first.guest("Ana")
    sockets = [await gateway.socket(ana["token"]) for gateway in (first, second)]
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=7)
    await platform.desk.ban(ana["player_id"], until)
    for client in sockets:
        await expect_end(client, "PLAYER_BANNED", 4403)
    for gateway in (first, second):
        status, error = await gateway.ask("GET", "/api/v1/me", ana["token"])
        assert (status, error["code"]) == (403, "PLAYER_BANNED")
        assert datetime.fromisoformat(error["facts"]["until"]) == until
    status, error = await first.renew(ana["refresh_token"])
    assert (status, error["code"]) == (403, "PLAYER_BANNED")
    await platform.desk.unban(ana["player_id"])
    for _ in range(100):
        status, _ = await second.ask("GET", "/api/v1/me", ana["token"])
        if status == 200:
            break
        await asyncio.sleep(0.02)
    await second.socket(ana["token"])


@pytest.mark.parametrize("code", ["PLAYER_BANNED", "SESSION_REVOKED"])
async def test_the_python_client_does_not_come_again_when_it_is_kept_out(
    platform: Platform, code: str
) -> None:
    gateway = await platform.gateway()
    ana = await gateway.guest("Ana")
    if code == "PLAYER_BANNED":
        await platform.desk.ban(ana["player_id"], datetime.now(UTC) + timedelta(days=7))
    else:
        await gateway.ask("DELETE", "/api/v1/session", ana["token"])
    async with GatewayApi(gateway.url) as api:
        client = TableClient(api, Guest(ana["player_id"], ana["name"], ana["token"]), str(uuid4()))
        with pytest.raises(SignInError, match=code):
            await asyncio.wait_for(client.run(), AT_ONCE_S)


async def test_a_ban_ends_at_its_time_by_itself(platform: Platform) -> None:
    gateway = await platform.gateway()
    ana = await gateway.guest("Ana")
    client = await gateway.socket(ana["token"])
    await platform.desk.ban(ana["player_id"], datetime.now(UTC) + timedelta(seconds=2))
    await expect_end(client, "PLAYER_BANNED", 4403)
    await asyncio.sleep(2)
    await gateway.socket(ana["token"])


async def test_who_deletes_the_account_is_out_at_once_and_confirms_it_first(gateway: Gateway) -> None:
    ana = await gateway.guest("Ana")
    client = await gateway.socket(ana["token"])
    for body in ({"confirm": "sim"}, {"confirm": str(uuid4())}):
        status, error = await gateway.ask("DELETE", "/api/v1/me", ana["token"], json=body)
        assert (status, error["code"]) == (400, "ERASURE_NOT_CONFIRMED")
    await client.send(ping={})
    await client.expect("pong")
    body = {"confirm": ana["player_id"]}
    assert await gateway.ask("DELETE", "/api/v1/me", ana["token"], json=body) == (200, {})
    await expect_end(client, "SESSION_REVOKED", 4401)
    status, error = await gateway.renew(ana["refresh_token"])
    assert (status, error["code"]) == (401, "TOKEN_REFUSED")


async def test_while_the_list_cannot_be_had_nobody_is_let_in_and_the_gateway_is_not_ready(
    platform: Platform,
) -> None:
    """Fail closed: a gateway that does not know who is out lets nobody in."""
    before = await platform.gateway()
    ana = await before.guest("Ana")
    await before.socket(ana["token"])  # its verifier has the issuer's key
    await platform.accounts.stop()
    gateway = await platform.gateway(call_timeout_s=0.2)
    assert not await gateway.parts.ready()
    # A gateway that knows goes on without accounts.
    await before.socket(ana["token"])
    await platform.accounts.start()
    for _ in range(200):
        if await gateway.parts.ready():
            break
        await asyncio.sleep(0.05)
    await gateway.socket(ana["token"])


async def test_a_message_that_is_none_of_accounts_is_passed_over(
    platform: Platform, gateway: Gateway
) -> None:
    ana = await gateway.guest("Ana")
    client = await gateway.socket(ana["token"])
    connection = await nats.connect(platform.nats_url)
    for subject in ("session_revoked", "banned", "erased", "unbanned", "registered", "unknown"):
        await connection.publish(f"carteado.accounts.{subject}.v1", b"\xff\xff no message")
    await connection.flush()
    await connection.close()
    await client.send(ping={})
    await client.expect("pong")


async def test_a_lost_answer_to_a_renewal_comes_again_under_its_key(gateway: Gateway) -> None:
    ana, key = await gateway.guest("Ana"), str(uuid4())
    first = await gateway.renew(ana["refresh_token"], key)
    again = await gateway.renew(ana["refresh_token"], key)
    assert first[1]["refresh_token"] == again[1]["refresh_token"]
    assert (await gateway.renew(again[1]["refresh_token"]))[0] == 200
