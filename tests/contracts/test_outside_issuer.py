"""An outside issuer (OIDC): its tokens are verified by its published keys, its subjects are players here."""

import asyncio
import time

import pytest
from joserfc.jwk import ECKey, OKPKey, RSAKey

from libs.service.credentials import create_key_pair
from tests.contracts.platform import Gateway, OidcIssuer, Platform
from tests.contracts.test_sessions_end import expect_end, expect_no_entry


@pytest.fixture
async def gateway(platform: Platform) -> Gateway:
    """A gateway that trusts the issuer outside."""
    return await platform.gateway(is_outside=True)


@pytest.fixture
def issuer(platform: Platform) -> OidcIssuer:
    return platform.outside


async def player_of(gateway: Gateway, token: str) -> str:
    status, me = await gateway.ask("GET", "/api/v1/me", token)
    assert status == 200, me
    return me["player_id"]


async def test_a_subject_is_registered_at_its_first_sign_in_and_known_again(
    platform: Platform, issuer: OidcIssuer, gateway: Gateway
) -> None:
    ana = await player_of(gateway, issuer.token("auth0|ana"))
    assert await player_of(gateway, issuer.token("auth0|ana", "s2")) == ana
    assert await player_of(await platform.gateway(is_outside=True), issuer.token("auth0|ana", "s3")) == ana
    assert await player_of(gateway, issuer.token("auth0|bia")) != ana
    client = await gateway.socket()
    assert (await client.hello(issuer.token("auth0|ana"))).player_id == ana


async def test_a_first_sign_in_on_two_gateways_at_once_is_one_player(
    platform: Platform, issuer: OidcIssuer
) -> None:
    gateways = [await platform.gateway(is_outside=True) for _ in range(2)]
    players = await asyncio.gather(
        *(player_of(gateways[number % 2], issuer.token("ana", f"s{number}")) for number in range(10))
    )
    assert len(set(players)) == 1


async def test_a_player_of_an_outside_issuer_chooses_a_name(issuer: OidcIssuer, gateway: Gateway) -> None:
    token = issuer.token("auth0|ana")
    _, me = await gateway.ask("GET", "/api/v1/me", token)
    assert me["name"] is None
    assert await gateway.ask("PUT", "/api/v1/me/name", token, json={"name": "Ana"}) == (200, {"name": "Ana"})
    _, me = await gateway.ask("GET", "/api/v1/me", token)
    assert me["name"] == "Ana"


async def test_keys_are_rotated_and_withdrawn(
    platform: Platform, issuer: OidcIssuer, gateway: Gateway
) -> None:
    old = issuer.token("ana")
    ana = await player_of(gateway, old)
    for kid, key in (("2026-02", ECKey.generate_key("P-256")), ("2026-03", OKPKey.generate_key("Ed25519"))):
        issuer.rotate(kid, key)
        fresh = await platform.gateway(
            is_outside=True
        )  # the issuer is asked for unknown keys at most every 5 s
        assert await player_of(fresh, issuer.token("ana")) == ana
        assert await player_of(fresh, old) == ana
    issuer.withdraw("2026-01")
    later = await platform.gateway(is_outside=True)
    status, error = await later.ask("GET", "/api/v1/me", old)
    assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")
    assert await player_of(later, issuer.token("ana")) == ana


async def test_a_new_key_is_found_by_a_gateway_that_runs(issuer: OidcIssuer, gateway: Gateway) -> None:
    ana = await player_of(gateway, issuer.token("ana"))
    issuer.rotate("2026-02", RSAKey.generate_key(2048))
    for _ in range(80):
        status, me = await gateway.ask("GET", "/api/v1/me", issuer.token("ana"))
        if status == 200:
            break
        await asyncio.sleep(0.1)
    assert me["player_id"] == ana
    assert issuer.asked <= 4


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": "carteado-local"},
        {"aud": "account"},
        {"exp": 1},
        {"sub": ""},
        {"sub": None},
        {"sub": "x" * 256},
        {"sub": "a\0b"},
        {"sid": None},
        {"sid": ""},
        {"nbf": 4102444800},
    ],
)
async def test_a_token_that_is_not_as_it_must_be_is_refused(
    issuer: OidcIssuer, gateway: Gateway, claims: dict[str, object]
) -> None:
    status, error = await gateway.ask("GET", "/api/v1/me", issuer.token("ana", **claims))
    assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")


async def test_a_token_that_lives_for_days_is_refused(issuer: OidcIssuer, gateway: Gateway) -> None:
    """So long a revoked session would have to be remembered."""
    token = issuer.token("ana", exp=int(time.time()) + 2 * 86_400)
    assert (await gateway.ask("GET", "/api/v1/me", token))[0] == 401


async def test_tokens_of_strangers_of_services_and_of_the_local_issuer_are_refused(
    platform: Platform, issuer: OidcIssuer, gateway: Gateway
) -> None:
    """Fault B126: another key, another service's key, no signature, the local issuer's own token."""
    local = await platform.gateway()
    guest = await local.guest("Ana")
    create_key_pair("table", platform.keys)
    service_key = OKPKey.import_key((platform.keys / "table.pem").read_bytes())
    header, payload, _ = issuer.token("ana").split(".")
    tokens = [
        guest["token"],
        issuer.token("ana", key=RSAKey.generate_key(2048)),
        issuer.token("ana", key=service_key),
        f"{header}.{payload}.",
        f"eyJhbGciOiJub25lIn0.{payload}.",
    ]
    for token in tokens:
        status, error = await gateway.ask("GET", "/api/v1/me", token)
        assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")
    status, error = await local.ask("GET", "/api/v1/me", issuer.token(guest["player_id"]))
    assert (status, error["code"]) == (401, "SIGN_IN_REQUIRED")


async def test_a_session_of_an_outside_issuer_is_ended_by_us(
    platform: Platform, issuer: OidcIssuer, gateway: Gateway
) -> None:
    other = await platform.gateway(is_outside=True)
    token = issuer.token("ana", "laptop")
    clients = [await one.socket(token) for one in (gateway, other)]
    phone = await other.socket(issuer.token("ana", "phone"))
    assert await gateway.ask("DELETE", "/api/v1/session", token) == (200, {})
    for client in clients:
        await expect_end(client, "SESSION_REVOKED", 4401)
    # The issuer does not know, and goes on to sign tokens of that session.
    for one in (gateway, other, await platform.gateway(is_outside=True)):
        await expect_no_entry(one, issuer.token("ana", "laptop"), "SESSION_REVOKED", 4401)
    await phone.send(ping={})
    await phone.expect("pong")


async def test_guests_and_refresh_tokens_are_the_local_issuers(gateway: Gateway, issuer: OidcIssuer) -> None:
    """Renewing is the outside issuer's business: the client brings its next token, on the open socket too."""
    client = await gateway.socket()
    first = await client.hello(issuer.token("ana"))
    second = await client.hello(issuer.token("ana"))
    assert first.player_id == second.player_id


async def test_a_banned_subject_is_refused_with_any_token(
    platform: Platform, issuer: OidcIssuer, gateway: Gateway
) -> None:
    ana = await player_of(gateway, issuer.token("ana"))
    client = await gateway.socket(issuer.token("ana"))
    await platform.desk.ban(ana)
    await expect_end(client, "PLAYER_BANNED", 4403)
    await expect_no_entry(gateway, issuer.token("ana", "another"), "PLAYER_BANNED", 4403)


async def test_while_accounts_is_away_known_sessions_go_on_and_new_ones_wait(
    platform: Platform, issuer: OidcIssuer
) -> None:
    gateway = await platform.gateway(is_outside=True, call_timeout_s=3.0)
    known = issuer.token("ana")
    await gateway.socket(known)
    await platform.accounts.stop()
    await gateway.socket(known)
    await expect_no_entry(gateway, issuer.token("bia"), "UNAVAILABLE", 1013)
    await platform.accounts.start()
    for _ in range(100):
        status, _ = await gateway.ask("GET", "/api/v1/me", issuer.token("bia"))
        if status == 200:
            break
        await asyncio.sleep(0.05)
    await gateway.socket(issuer.token("bia"))
