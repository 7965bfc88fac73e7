"""The local issuer: on this machine and in development alone, with one key that stays."""

import time

import msgspec
import pytest
from joserfc.jwk import OKPKey

from libs.service.config import ConfigError, load_config
from libs.service.credentials import Credentials, create_key_pair
from libs.service.tokens import LOCAL_ISSUER, TokenRules
from services.accounts.issuer import Issuer, open_issuer

PLAYER_ID = "0f1e2d3c-4b5a-5697-8897-a6b5c4d3e2f1"


@pytest.fixture
def config(tmp_path):
    return load_config(
        "accounts",
        {
            "CARTEADO_ENVIRONMENT": "development",
            "CARTEADO_NATS": "nats://127.0.0.1:1",
            "CARTEADO_ACCOUNTS_GRPC": "127.0.0.1:7101",
            "CARTEADO_ACCOUNTS_HTTP": "127.0.0.1:7102",
            "CARTEADO_KEYS": str(tmp_path),
        },
    )


def verify(issuer, token, now_s=None):
    """As a gateway does, by the key that the issuer publishes."""
    key = OKPKey.import_key(issuer.jwks()["keys"][0])
    return TokenRules(LOCAL_ISSUER).check(token, key, now_s or time.time())


def changed(config, **fields):
    return msgspec.structs.replace(config, **fields)


def test_a_token_lasts_an_hour_and_names_player_and_session(config):
    issuer = open_issuer(config)
    issued = issuer.issue(PLAYER_ID, "s1")
    player = verify(issuer, issued.token)
    assert (player.player_id, player.session_id, player.expires_at) == (PLAYER_ID, "s1", issued.expires_at)


def test_the_key_is_made_once_and_private(config):
    token = open_issuer(config).issue(PLAYER_ID, "s1").token
    assert verify(open_issuer(config), token) is not None
    assert (config.keys / "accounts-issuer.pem").stat().st_mode & 0o777 == 0o600


def test_the_published_key_is_the_public_half(config):
    (key,) = open_issuer(config).jwks()["keys"]
    assert "d" not in key
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("OKP", "Ed25519", "Ed25519", "sig")


def test_another_key_or_a_late_hour_refuses_the_token(config):
    now_s = 1_800_000_000.0
    key = OKPKey.generate_key("Ed25519")
    token = Issuer(key, lambda: now_s).issue(PLAYER_ID, "s1").token
    assert verify(Issuer(key), token, now_s + 3_599) is not None
    assert verify(Issuer(key), token, now_s + 3_600) is None
    assert verify(Issuer(OKPKey.generate_key("Ed25519")), token, now_s) is None


def test_production_has_no_issuer_and_makes_no_key(config):
    assert open_issuer(changed(config, environment="production")) is None
    assert list(config.keys.iterdir()) == []


@pytest.mark.parametrize("field", ["grpc_address", "http_address"])
def test_an_address_that_others_reach_is_refused_at_start(config, field):
    with pytest.raises(ConfigError, match=r"0\.0\.0\.0:7101 and hand out guest tokens"):
        open_issuer(changed(config, **{field: "0.0.0.0:7101"}))


def test_a_key_that_others_may_read_is_refused_at_start(config):
    open_issuer(config)
    (config.keys / "accounts-issuer.pem").chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        open_issuer(config)


def test_the_issuers_key_is_no_services_credential(config):
    open_issuer(config)
    create_key_pair("accounts", config.keys)
    Credentials("accounts", config.keys)
    assert sorted(path.name for path in config.keys.glob("*.pub")) == ["accounts.pub"]


def test_a_refresh_token_is_read_under_its_own_key_alone():
    key = OKPKey.generate_key("Ed25519")
    written = Issuer(key).refresh.write(PLAYER_ID, 7)
    read = Issuer(key).refresh.read(written)
    assert (read.session_id, read.generation) == (PLAYER_ID, 7)
    assert Issuer(OKPKey.generate_key("Ed25519")).refresh.read(written) is None


@pytest.mark.parametrize(
    "forge",
    [
        lambda token: "",
        lambda token: "rt1.",
        lambda token: token.removeprefix("rt1."),
        lambda token: token[:-1],
        lambda token: token + "=",
        lambda token: token + "A",
        lambda token: token[:10] + ("A" if token[10] != "A" else "B") + token[11:],
        lambda token: "rt1." + "é" * 70,
        lambda token: "rt1." + "x" * 10_000,
    ],
)
def test_what_was_not_written_is_no_refresh_token(forge):
    refresh = Issuer(OKPKey.generate_key("Ed25519")).refresh
    assert refresh.read(forge(refresh.write(PLAYER_ID, 0))) is None
