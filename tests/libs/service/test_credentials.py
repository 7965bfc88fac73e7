"""A service's credential proves its name to one other service for a few minutes, and nothing else does."""

import time
from base64 import urlsafe_b64encode

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, OKPKey, RSAKey

from libs.service.config import ConfigError
from libs.service.credentials import Credentials, create_key_pair
from libs.service.errors import ServiceError


class Clock:
    def __init__(self):
        self.now_s = time.time()

    def __call__(self):
        return self.now_s


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def table(keys, clock):
    return Credentials("table", keys, clock)


@pytest.fixture
def gateway(keys, clock):
    return Credentials("gateway", keys, clock)


def forge(key, clock, alg="Ed25519", header=None, **claims):
    now_s = int(clock())
    token = jwt.encode(
        {"alg": alg, **(header or {})},
        {"sub": "gateway", "aud": "table", "iat": now_s, "exp": now_s + 60, **claims},
        key,
        algorithms=[alg],
    )
    return (("authorization", f"Service {token}"),)


def private_key(keys, service):
    return OKPKey.import_key((keys / f"{service}.pem").read_bytes())


def is_refused(credentials, metadata):
    try:
        credentials.verify(metadata)
    except ServiceError as error:
        return error.code == "UNAUTHENTICATED"
    return False


def test_the_callee_learns_who_calls(gateway, table):
    assert table.verify(gateway.metadata("table")) == "gateway"


def test_a_credential_for_another_service_is_refused(gateway, table):
    assert is_refused(table, gateway.metadata("accounts"))


def test_a_credential_is_reused_and_renewed_before_it_ends(gateway, table, clock):
    first = gateway.metadata("table")
    clock.now_s += 100
    assert gateway.metadata("table") == first
    clock.now_s += 100
    renewed = gateway.metadata("table")
    assert renewed != first
    clock.now_s += 45
    assert is_refused(table, first)
    assert table.verify(renewed) == "gateway"


def test_a_clock_that_is_set_back_costs_no_call(gateway, table, clock):
    gateway.metadata("table")
    clock.now_s -= 3_600
    assert table.verify(gateway.metadata("table")) == "gateway"


def test_an_expired_credential_is_refused_although_it_was_verified_before(gateway, table, clock):
    metadata = gateway.metadata("table")
    table.verify(metadata)
    clock.now_s += 241
    assert is_refused(table, metadata)


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("authorization", ""),),
        (("authorization", "Service "),),
        (("authorization", "Service a.b.c"),),
        (("authorization", "Service " + "é" * 20),),
        (("authorization", "Service " + "x" * 5_000),),
        (("authorization", b"Service x"),),
        (("x-caller", "gateway"),),
    ],
)
def test_anything_else_is_refused(table, metadata):
    assert is_refused(table, metadata)


def test_a_second_authorization_header_is_refused(gateway, table):
    metadata = gateway.metadata("table")
    assert is_refused(table, metadata + metadata)
    assert is_refused(table, (*metadata, ("authorization", "Bearer x")))


def test_a_players_token_is_no_credential(gateway, table):
    token = gateway.metadata("table")[0][1].removeprefix("Service ")
    assert is_refused(table, (("authorization", f"Bearer {token}"),))


def test_the_key_of_another_service_does_not_sign_for_the_gateway(keys, table, clock):
    assert table.verify(forge(private_key(keys, "gateway"), clock)) == "gateway"
    assert is_refused(table, forge(private_key(keys, "robots"), clock))
    assert is_refused(table, forge(private_key(keys, "gateway"), clock, sub="nobody"))
    assert is_refused(table, forge(private_key(keys, "gateway"), clock, sub="../gateway"))


@pytest.mark.filterwarnings("ignore:.*deprecated:joserfc.errors.SecurityWarning")
def test_unsigned_and_symmetric_tokens_are_refused(keys, table, clock):
    hmac_with_public_key = OctKey.import_key((keys / "gateway.pub").read_bytes().hex())
    assert is_refused(table, forge(hmac_with_public_key, clock, alg="none"))
    assert is_refused(table, forge(hmac_with_public_key, clock, alg="HS256"))
    assert is_refused(table, forge(RSAKey.generate_key(2048), clock, alg="RS256"))


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": ["table"]},
        {"aud": None},
        {"iat": None},
        {"exp": None},
        {"exp": "9999999999"},
        {"sub": None},
        {"sub": 7},
    ],
)
def test_malformed_claims_are_refused(keys, table, clock, claims):
    assert is_refused(table, forge(private_key(keys, "gateway"), clock, **claims))


def test_a_token_that_is_nested_too_deep_is_refused(table):
    nested = urlsafe_b64encode(b"[" * 1400).decode().rstrip("=")
    assert is_refused(table, (("authorization", f"Service {nested}.e30.AA"),))


def test_a_credential_that_would_live_longer_than_five_minutes_is_refused(keys, table, clock):
    key, now_s = private_key(keys, "gateway"), int(clock())
    assert table.verify(forge(key, clock, exp=now_s + 300)) == "gateway"
    assert is_refused(table, forge(key, clock, exp=now_s + 301))
    assert is_refused(table, forge(key, clock, iat=now_s + 3_600, exp=now_s + 3_700))


def test_a_changed_signature_is_refused_although_the_payload_was_verified_before(gateway, table):
    ((name, value),) = gateway.metadata("table")
    table.verify(((name, value),))
    last = "A" if value[-5] != "A" else "B"
    assert is_refused(table, ((name, value[:-5] + last + value[-4:]),))


def test_a_private_key_that_others_may_read_is_refused_at_start(keys):
    (keys / "table.pem").chmod(0o640)
    with pytest.raises(ConfigError, match="chmod 600"):
        Credentials("table", keys)


def test_a_missing_key_is_named_at_start(keys):
    with pytest.raises(ConfigError, match=r"league\.pem is missing"):
        Credentials("league", keys)


def test_a_key_of_another_kind_is_refused_at_start(keys):
    (keys / "gateway.pub").write_bytes(RSAKey.generate_key(2048).as_pem(private=False))
    with pytest.raises(ConfigError, match=r"gateway\.pub holds no Ed25519 public key"):
        Credentials("table", keys)


def test_a_private_key_in_the_place_of_a_public_one_is_refused_at_start(keys):
    (keys / "gateway.pub").write_bytes((keys / "gateway.pem").read_bytes())
    with pytest.raises(ConfigError, match=r"gateway\.pub holds no Ed25519 public key"):
        Credentials("table", keys)


def test_key_pairs_are_made_once_and_readable_by_their_owner_alone(tmp_path):
    create_key_pair("table", tmp_path)
    first = (tmp_path / "table.pem").read_bytes()
    create_key_pair("table", tmp_path)
    assert (tmp_path / "table.pem").read_bytes() == first
    assert (tmp_path / "table.pem").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.pem", "table.pub"]
