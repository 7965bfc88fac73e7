"""A player's token is believed only if the configured issuer signed it, for us, now."""

import asyncio
import json
import time
from base64 import urlsafe_b64encode
from uuid import uuid4

import pytest
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from libs.service.config import ConfigError
from libs.service.errors import ServiceError
from libs.service.tokens import TokenVerifier

PLAYER = str(uuid4())
pytestmark = pytest.mark.filterwarnings("ignore:.*deprecated:joserfc.errors.SecurityWarning")


class Clock:
    def __init__(self):
        self.now_s = time.time()

    def __call__(self):
        return self.now_s


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def issuer_key():
    return OKPKey.generate_key("Ed25519", parameters={"kid": "k1"})


class Jwks:
    """An issuer's keys over HTTP, and how often they were asked for."""

    def __init__(self):
        self.keys = []
        self.status = 200
        self.body = None
        self.asked = 0
        self.url = ""

    async def answer(self, _request):
        self.asked += 1
        if self.body is not None:
            return web.Response(body=self.body, status=self.status)
        return web.json_response({"keys": self.keys}, status=self.status)


def public(key, **fields):
    return {**key.as_dict(private=False), **fields}


@pytest.fixture
async def jwks(issuer_key):
    served = Jwks()
    served.keys = [public(issuer_key)]
    app = web.Application()
    app.add_routes([web.get("/jwks", served.answer)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    served.url = f"http://127.0.0.1:{runner.addresses[0][1]}/jwks"
    yield served
    await runner.cleanup()


@pytest.fixture
def verifier(jwks, clock):
    return TokenVerifier(jwks.url, now_s=clock)


@pytest.fixture
def sign(issuer_key, clock):
    def make(key=issuer_key, alg="Ed25519", header=None, **claims):
        now_s = int(clock())
        body = {
            "iss": "carteado-local",
            "sub": PLAYER,
            "sid": "s1",
            "aud": "carteado",
            "iat": now_s,
            "exp": now_s + 60,
            **claims,
        }
        body = {name: value for name, value in body.items() if value is not None}
        return jwt.encode({"alg": alg, "kid": "k1", **(header or {})}, body, key, algorithms=[alg])

    return make


async def test_a_valid_token_names_its_player_session_and_end(verifier, sign, clock):
    player = await verifier.verify(sign())
    assert (player.player_id, player.session_id) == (PLAYER, "s1")
    assert player.expires_at.timestamp() == int(clock()) + 60
    assert player.expires_at.tzinfo is not None


@pytest.mark.parametrize("alg", ["Ed25519", "EdDSA"])
async def test_both_names_of_the_algorithm_are_known(verifier, sign, alg):
    assert await verifier.verify(sign(alg=alg)) is not None


@pytest.mark.parametrize(
    ("make_key", "alg"),
    [(lambda: RSAKey.generate_key(2048), "RS256"), (lambda: ECKey.generate_key("P-256"), "ES256")],
)
async def test_outside_issuers_may_sign_with_rsa_or_p256(verifier, jwks, sign, make_key, alg):
    key = make_key()
    jwks.keys.append(public(key, kid="k2"))
    assert await verifier.verify(sign(key, alg, header={"kid": "k2"})) is not None


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://other.example"},
        {"iss": None},
        {"aud": "other"},
        {"aud": ["other", "another"]},
        {"aud": None},
        {"exp": 1},
        {"exp": None},
        {"exp": "4102444800"},
        {"exp": 10**18},
        {"exp": 10**30},
        {"iat": 4102444800},
        {"nbf": 4102444800},
        {"sub": None},
        {"sub": "maria"},
        {"sub": PLAYER.upper()},
        {"sub": 7},
        {"sid": None},
        {"sid": ""},
        {"sid": "s" * 256},
        {"exp": int(time.time()) + 2 * 86_400},
    ],
)
async def test_a_claim_that_is_not_as_it_must_be_refuses_the_token(verifier, sign, claims):
    assert await verifier.verify(sign()) is not None
    assert await verifier.verify(sign(**claims)) is None


async def test_one_audience_of_several_may_be_ours(verifier, sign):
    assert await verifier.verify(sign(aud=["other", "carteado"])) is not None


async def test_a_token_ends_at_its_second(verifier, sign, clock):
    token = sign()
    clock.now_s = int(clock.now_s) + 59
    assert await verifier.verify(token) is not None
    clock.now_s += 1
    assert await verifier.verify(token) is None


async def test_an_unsigned_token_is_refused(verifier, sign):
    assert await verifier.verify(sign(OctKey.import_key("0" * 32), "none")) is None
    header, payload, _signature = sign().split(".")
    assert await verifier.verify(f"{header}.{payload}.") is None
    assert await verifier.verify(f"{header}..") is None


async def test_the_public_key_is_no_shared_secret(verifier, sign, issuer_key):
    secret = OctKey.import_key(issuer_key.as_pem(private=False).hex())
    assert await verifier.verify(sign(secret, "HS256")) is None


async def test_the_key_of_somebody_else_is_refused(verifier, sign):
    stranger = OKPKey.generate_key("Ed25519")
    assert await verifier.verify(sign(stranger)) is None
    embedded = public(stranger)
    assert await verifier.verify(sign(stranger, header={"jwk": embedded})) is None
    assert await verifier.verify(sign(stranger, header={"jku": "http://127.0.0.1/x", "kid": "k9"})) is None


async def test_an_algorithm_of_another_key_type_is_refused(verifier, jwks, sign):
    rsa = RSAKey.generate_key(2048)
    assert await verifier.verify(sign(rsa, "RS256")) is None


async def test_symmetric_keys_and_keys_for_encryption_are_never_taken(verifier, jwks, sign, issuer_key):
    secret = OctKey.import_key("s" * 32)
    jwks.keys = [
        secret.as_dict(kid="k1"),
        public(issuer_key, use="enc"),
        {"kty": "OKP", "crv": "Ed25519", "x": "broken"},
    ]
    with pytest.raises(ServiceError):  # no key is left
        await verifier.verify(sign())


@pytest.mark.parametrize("token", ["", ".", "a.b.c", "é.é.é", "x" * 5_000, "e30.e30.e30"])
async def test_text_that_is_no_token_is_refused(verifier, jwks, token):
    assert await verifier.verify(token) is None
    assert jwks.asked == 0


@pytest.mark.parametrize(
    "fields", [{"alg": ["Ed25519"]}, {"alg": {}}, {"alg": None}, {"alg": "Ed25519", "kid": ["k1"]}]
)
async def test_a_header_of_other_types_is_refused(verifier, sign, fields):
    _header, payload, signature = sign().split(".")
    header = urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
    assert await verifier.verify(f"{header}.{payload}.{signature}") is None


async def test_keys_are_asked_for_once_and_again_when_they_are_old(verifier, jwks, sign, clock):
    for _ in range(5):
        assert await verifier.verify(sign()) is not None
    assert jwks.asked == 1
    clock.now_s += 601
    assert await verifier.verify(sign()) is not None
    assert jwks.asked == 2


async def test_those_who_come_while_the_keys_are_fetched_wait_for_them(verifier, jwks, sign):
    players = await asyncio.gather(*(verifier.verify(sign()) for _ in range(20)))
    assert None not in players
    assert jwks.asked == 1


async def test_a_new_key_is_found_and_unknown_ones_do_not_flood_the_issuer(verifier, jwks, sign, clock):
    assert await verifier.verify(sign()) is not None
    successor = OKPKey.generate_key("Ed25519")
    jwks.keys.append(public(successor, kid="k2"))
    for number in range(50):
        assert await verifier.verify(sign(header={"kid": f"unknown-{number}"})) is None
    assert jwks.asked == 1
    clock.now_s += 5
    assert await verifier.verify(sign(successor, header={"kid": "k2"})) is not None
    assert jwks.asked == 2


async def test_a_clock_that_is_set_back_does_not_keep_new_keys_away(verifier, jwks, sign, clock):
    assert await verifier.verify(sign()) is not None
    clock.now_s -= 3_600
    successor = OKPKey.generate_key("Ed25519")
    jwks.keys.append(public(successor, kid="k2"))
    assert await verifier.verify(sign(successor, header={"kid": "k2"})) is not None


async def test_an_issuer_that_is_away_does_not_turn_away_those_whose_key_is_known(
    verifier, jwks, sign, clock
):
    assert await verifier.verify(sign()) is not None
    jwks.status = 500
    clock.now_s += 700
    assert await verifier.verify(sign()) is not None
    assert jwks.asked == 2


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"keys": 1}', b'{"keys": [' + b" " * 70_000 + b"]}"])
async def test_without_any_key_the_answer_is_unavailable_not_refused(verifier, jwks, sign, body, clock):
    jwks.body = body
    with pytest.raises(ServiceError) as failed:
        await verifier.verify(sign())
    assert failed.value.code == "UNAVAILABLE"
    jwks.body = None
    clock.now_s += 5
    assert await verifier.verify(sign()) is not None


@pytest.mark.parametrize(
    "url", ["http://issuer.example/jwks", "ftp://127.0.0.1/jwks", "jwks", "https:///jwks"]
)
def test_keys_come_over_https_or_from_this_machine(url):
    with pytest.raises(ConfigError, match="CARTEADO_JWKS_URL"):
        TokenVerifier(url)


def test_the_environment_names_the_issuer(clock):
    with pytest.raises(ConfigError, match="CARTEADO_JWKS_URL is not set"):
        TokenVerifier.from_environment({})
    TokenVerifier.from_environment({"CARTEADO_JWKS_URL": "https://issuer.example/jwks"})
