"""The issuer of the local stack: signs guests' tokens and publishes the key to verify them with.

It is for development alone, and for this machine alone: anybody who can reach it may become a guest. A deployment
configures an outside issuer instead (CARTEADO_JWKS_URL, CARTEADO_TOKEN_ISSUER).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc import jwt
from joserfc.jwk import OKPKey

from libs.service.config import ConfigError, ServiceConfig, is_loopback
from libs.service.credentials import check_private_file, write_private_key
from libs.service.tokens import AUDIENCE, LOCAL_ISSUER
from services.accounts.refresh import RefreshTokens

KEY_FILE = "accounts-issuer.pem"
LIFETIME_S = 3600
_ALGORITHM = "Ed25519"


class IssuedToken(msgspec.Struct, frozen=True):
    """A signed token of one session, and when it ends (UTC)."""

    token: str
    expires_at: datetime


class Issuer:
    """Signs tokens for one hour."""

    def __init__(self, key: OKPKey, now_s: Callable[[], float] = time.time) -> None:
        """`now_s` gives the seconds since the epoch. `refresh` writes and reads the refresh tokens."""
        self._kid = key.thumbprint()
        self._key = key
        self._now_s = now_s
        self.refresh = RefreshTokens(_refresh_key(key))

    def issue(self, player_id: str, session_id: str) -> IssuedToken:
        """A token for this player and session."""
        now_s = int(self._now_s())
        expires_at_s = now_s + LIFETIME_S
        claims = {
            "iss": LOCAL_ISSUER,
            "sub": player_id,
            "sid": session_id,
            "aud": AUDIENCE,
            "iat": now_s,
            "exp": expires_at_s,
        }
        header = {"alg": _ALGORITHM, "kid": self._kid}
        token = jwt.encode(header, claims, self._key, algorithms=[_ALGORITHM])
        return IssuedToken(token, datetime.fromtimestamp(expires_at_s, UTC))

    def jwks(self) -> dict[str, Any]:
        """The public key as a JSON Web Key Set."""
        public = self._key.as_dict(private=False)
        return {"keys": [{**public, "kid": self._kid, "alg": _ALGORITHM, "use": "sig"}]}


def open_issuer(config: ServiceConfig) -> Issuer | None:
    """The issuer of a development environment, its key made if it is missing; None in production.

    ConfigError if it would be reachable from other machines.
    """
    if not config.is_development:
        return None
    for address in (config.http_address, config.require_grpc_address()):
        if not is_loopback(address):
            raise ConfigError(
                f"accounts would listen at {address} and hand out guest tokens to the network: bind CARTEADO_ACCOUNTS_GRPC "
                "and CARTEADO_ACCOUNTS_HTTP to 127.0.0.1, or set CARTEADO_ENVIRONMENT to production"
            )
    path = config.keys / KEY_FILE
    if not path.exists():
        write_private_key(path, Ed25519PrivateKey.generate())
    check_private_file(path)
    return Issuer(OKPKey.import_key(path.read_bytes()))


def _refresh_key(key: OKPKey) -> bytes:
    """A key of its own for refresh tokens, which lasts as long as the issuer's."""
    seed = str(key.as_dict(private=True)["d"]).encode()
    return HKDF(SHA256(), length=32, salt=None, info=b"carteado refresh tokens").derive(seed)
