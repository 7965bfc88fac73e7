"""Who a player is: tokens of the configured issuer, verified against its published keys (JWKS).

A token is refused unless everything is as it must be: a signature algorithm from a short list of asymmetric ones, a key
of the issuer's own set, issuer, audience, times, a subject and a session id. Keys come from the configured address
alone, whatever a token's header points at. The local issuer's subjects are player ids; which player an outside issuer's
subject is, `accounts` knows.
"""

from __future__ import annotations

import asyncio
import os
import time
import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid5

import aiohttp
import grpc
import msgspec
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from libs.service.config import ConfigError, is_loopback_host, require_env
from libs.service.errors import UNAVAILABLE, ErrorCode

AUDIENCE = "carteado"
LOCAL_ISSUER = "carteado-local"

LONGEST_TOKEN_LIFE = timedelta(days=1)
"""A token that ends later than this from now is refused: so long must a revoked session be remembered, and no longer."""

SESSION_REVOKED = ErrorCode(
    "SESSION_REVOKED",
    "The session was ended, here or from another device, or because its refresh token came a second time. Over the "
    "WebSocket the socket is closed.",
    grpc.StatusCode.UNAUTHENTICATED,
    "Esta sessão foi encerrada. Entre de novo.",
    "This session was ended. Sign in again.",
)
PLAYER_BANNED = ErrorCode(
    "PLAYER_BANNED",
    "An operator keeps this player out; the fact `until` (RFC 3339) says how long, if it ends. Over the WebSocket the "
    "socket is closed.",
    grpc.StatusCode.PERMISSION_DENIED,
    "Sua conta está suspensa.",
    "Your account is suspended.",
)

# Issuers out there still write EdDSA, the name that RFC 9864 retires for Ed25519; joserfc warns at each use.
warnings.filterwarnings("ignore", message="EdDSA is deprecated via RFC 9864")

_ALGORITHMS: Mapping[str, str] = {"Ed25519": "OKP", "EdDSA": "OKP", "RS256": "RSA", "ES256": "EC"}
_MAX_TOKEN_CHARS = 4096
_MAX_JWKS_BYTES = 64 * 1024
_MAX_KEYS = 32
_FETCH_TIMEOUT_S = 3.0
_REFRESH_AFTER_S = 600.0
_REFRESH_AT_MOST_EVERY_S = 5.0
_CLOCK_SKEW_S = 10
_MAX_SESSION_ID_CHARS = 255
_MAX_SUBJECT_CHARS = 255
_OUTSIDE_SESSION_IDS = UUID("3f0d3a52-5a0b-5a55-8f0f-6d6f5f6c2b1d")

SigningKey = OKPKey | RSAKey | ECKey
"""A key that can sign players' tokens, or its public half."""
# A time beyond what the platform can tell is an OSError.
_MALFORMED = (
    JoseError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    OSError,
    RecursionError,
    msgspec.MsgspecError,
)


class VerifiedPlayer(msgspec.Struct, frozen=True):
    """Whose token it is, and until when (UTC)."""

    player_id: str
    session_id: str
    expires_at: datetime


class VerifiedSubject(msgspec.Struct, frozen=True):
    """A valid token of an outside issuer: who somebody is there. `session_id` is ours, a UUID made from theirs."""

    issuer: str
    subject: str
    session_id: str
    expires_at: datetime


Verified = VerifiedPlayer | VerifiedSubject


class _Claims(msgspec.Struct, frozen=True):
    iss: str
    aud: str | list[str]
    sub: str
    sid: str
    exp: int
    iat: int = 0
    nbf: int = 0


class TokenRules(msgspec.Struct, frozen=True):
    """What a player's token must say; the keys are the caller's."""

    issuer: str = LOCAL_ISSUER
    audience: str = AUDIENCE

    def check(self, token: str, key: SigningKey, now_s: float) -> Verified | None:
        """Who it is, or None unless this key signed the token with an algorithm of its kind and all claims hold.

        `now_s` is in seconds since the epoch. An expired token is refused without tolerance.
        """
        algorithms = [name for name, key_type in _ALGORITHMS.items() if key_type == key.key_type]
        try:
            decoded = jwt.decode(token, key, algorithms=algorithms)
            return self._verified(msgspec.convert(decoded.claims, _Claims), now_s)
        except _MALFORMED:
            return None

    def _verified(self, claims: _Claims, now_s: float) -> Verified | None:
        audiences = [claims.aud] if isinstance(claims.aud, str) else claims.aud
        is_valid = (
            claims.iss == self.issuer
            and self.audience in audiences
            and now_s < claims.exp <= now_s + LONGEST_TOKEN_LIFE.total_seconds() + _CLOCK_SKEW_S
            and claims.nbf <= now_s + _CLOCK_SKEW_S
            and claims.iat <= now_s + _CLOCK_SKEW_S
            and 0 < len(claims.sid) <= _MAX_SESSION_ID_CHARS
            and 0 < len(claims.sub) <= _MAX_SUBJECT_CHARS
            and claims.sub.isprintable()
        )
        if not is_valid:
            return None
        expires_at = datetime.fromtimestamp(claims.exp, UTC)
        if self.issuer != LOCAL_ISSUER:
            session_id = str(uuid5(_OUTSIDE_SESSION_IDS, f"{claims.iss}\0{claims.sid}"))
            return VerifiedSubject(claims.iss, claims.sub, session_id, expires_at)
        if str(UUID(claims.sub)) != claims.sub:
            return None
        return VerifiedPlayer(claims.sub, claims.sid, expires_at)


class KeyHint(msgspec.Struct, frozen=True):
    """Which key a token says that it was signed with."""

    kid: str | None


def key_hint(token: str) -> KeyHint | None:
    """The key id in a token's header, before anything is verified; None if the text is no signed token of ours."""
    if len(token) > _MAX_TOKEN_CHARS or not token.isascii():
        return None
    try:
        header = jws.extract_compact(token.encode()).headers()
    except _MALFORMED:
        return None
    kid, algorithm = header.get("kid"), header.get("alg")
    if not isinstance(kid, str | None) or not isinstance(algorithm, str) or algorithm not in _ALGORITHMS:
        return None
    return KeyHint(kid)


class TokenVerifier:
    """Verifies players' tokens; keeps the issuer's keys and asks for them anew in bounded measure."""

    def __init__(
        self,
        jwks_url: str,
        issuer: str = LOCAL_ISSUER,
        audience: str = AUDIENCE,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """ConfigError if the keys would come over plain HTTP from another machine. `now_s`: seconds since the epoch."""
        parts = urlsplit(jwks_url)
        is_safe = parts.scheme == "https" or (
            parts.scheme == "http" and is_loopback_host(parts.hostname or "")
        )
        if not is_safe or not parts.hostname:
            raise ConfigError(
                "CARTEADO_JWKS_URL is no https:// URL (http:// on this machine alone): set it to the issuer's JWKS"
            )
        self._jwks_url = jwks_url
        self._rules = TokenRules(issuer, audience)
        self._now_s = now_s
        self._keys: dict[str | None, SigningKey] = {}
        self._asked_at_s = float("-inf")
        self._refreshing = asyncio.Lock()

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> TokenVerifier:
        """The verifier that CARTEADO_JWKS_URL and CARTEADO_TOKEN_ISSUER (default `carteado-local`) describe."""
        env = os.environ if environ is None else environ
        return cls(
            require_env(
                "CARTEADO_JWKS_URL", "the address of the issuer's keys, …/.well-known/jwks.json", env
            ),
            env.get("CARTEADO_TOKEN_ISSUER", "") or LOCAL_ISSUER,
        )

    async def verify(self, token: str) -> Verified | None:
        """Who it is, or None if the token is refused; raises UNAVAILABLE if the issuer's keys can't be had."""
        hint = key_hint(token)
        key = None if hint is None else await self._key(hint.kid)
        return None if key is None else self._rules.check(token, key, self._now_s())

    async def _key(self, kid: str | None) -> SigningKey | None:
        """The key with this id (without an id: the only one). An unknown id asks the issuer, not too often."""
        if self._age_s() > _REFRESH_AFTER_S or (self._find(kid) is None and self._may_ask()):
            await self._refresh()
        if not self._keys:
            raise UNAVAILABLE.error()
        return self._find(kid)

    def _find(self, kid: str | None) -> SigningKey | None:
        if kid is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(kid)

    def _age_s(self) -> float:
        age_s = self._now_s() - self._asked_at_s
        return age_s if age_s >= 0 else float("inf")  # the clock was set back

    def _may_ask(self) -> bool:
        return self._age_s() >= _REFRESH_AT_MOST_EVERY_S

    async def _refresh(self) -> None:
        """Fetches the keys; the ones at hand stay if that fails. Those who wait share one fetch."""
        async with self._refreshing:
            if not self._may_ask():
                return
            try:
                self._keys = _import_keys(await self._fetch())
            except (aiohttp.ClientError, TimeoutError, OSError, msgspec.MsgspecError):
                return
            finally:
                # Not before: who comes meanwhile waits for this fetch instead of going without keys.
                self._asked_at_s = self._now_s()

    async def _fetch(self) -> bytes:
        timeout = aiohttp.ClientTimeout(total=_FETCH_TIMEOUT_S)
        async with (
            aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session,
            session.get(self._jwks_url, allow_redirects=False) as response,
        ):
            body = bytearray()
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > _MAX_JWKS_BYTES:
                    raise aiohttp.ClientPayloadError("the issuer's keys take too many bytes")
            return bytes(body)


class _Jwks(msgspec.Struct):
    keys: list[dict[str, Any]]


def _import_keys(body: bytes) -> dict[str | None, SigningKey]:
    """The usable keys by id: public, asymmetric, meant for signatures. Others are left out."""
    keys: dict[str | None, SigningKey] = {}
    for fields in msgspec.json.decode(body, type=_Jwks).keys[:_MAX_KEYS]:
        if fields.get("use", "sig") != "sig" or fields.get("kty") not in _ALGORITHMS.values():
            continue
        try:
            key = JWKRegistry.import_key(fields)
        except _MALFORMED:
            continue
        if isinstance(key, OKPKey | RSAKey | ECKey):
            keys[key.kid] = key
    return keys
