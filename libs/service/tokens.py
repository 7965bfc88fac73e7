"""Who a player is: tokens of the configured issuer, verified against its published keys (JWKS).

A token is refused unless everything is as it must be: a signature algorithm from a short list of asymmetric ones, a key
of the issuer's own set, issuer, audience, times, a player id and a session id. Keys come from the configured address
alone, whatever a token's header points at.
"""

from __future__ import annotations

import asyncio
import os
import time
import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import aiohttp
import msgspec
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from libs.service.config import ConfigError, is_loopback_host, require_env
from libs.service.errors import UNAVAILABLE

AUDIENCE = "carteado"
LOCAL_ISSUER = "carteado-local"

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

_Key = OKPKey | RSAKey | ECKey
_MALFORMED = (JoseError, ValueError, TypeError, KeyError, OverflowError, RecursionError, msgspec.MsgspecError)


class VerifiedPlayer(msgspec.Struct, frozen=True):
    """Whose token it is, and until when (UTC)."""

    player_id: str
    session_id: str
    expires_at: datetime


class _Claims(msgspec.Struct, frozen=True):
    iss: str
    aud: str | list[str]
    sub: str
    sid: str
    exp: int
    iat: int = 0
    nbf: int = 0


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
        self._issuer = issuer
        self._audience = audience
        self._now_s = now_s
        self._keys: dict[str | None, _Key] = {}
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

    async def verify(self, token: str) -> VerifiedPlayer | None:
        """The player, or None if the token is refused; raises UNAVAILABLE if the issuer's keys can't be had."""
        if len(token) > _MAX_TOKEN_CHARS or not token.isascii():
            return None
        try:
            header = jws.extract_compact(token.encode()).headers()
        except _MALFORMED:
            return None
        algorithm, kid = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or not isinstance(kid, str | None) or algorithm not in _ALGORITHMS:
            return None
        key = await self._key(kid)
        if key is None or key.key_type != _ALGORITHMS[algorithm]:
            return None
        try:
            decoded = jwt.decode(token, key, algorithms=[algorithm])
            claims = msgspec.convert(decoded.claims, _Claims)
        except _MALFORMED:
            return None
        return self._player(claims)

    def _player(self, claims: _Claims) -> VerifiedPlayer | None:
        now_s = self._now_s()
        audiences = [claims.aud] if isinstance(claims.aud, str) else claims.aud
        is_valid = (
            claims.iss == self._issuer
            and self._audience in audiences
            and claims.exp > now_s
            and claims.nbf <= now_s + _CLOCK_SKEW_S
            and claims.iat <= now_s + _CLOCK_SKEW_S
            and 0 < len(claims.sid) <= 64
        )
        if not is_valid:
            return None
        try:
            player_id = str(UUID(claims.sub))
            expires_at = datetime.fromtimestamp(claims.exp, UTC)
        except (ValueError, OverflowError, OSError):
            return None
        return VerifiedPlayer(player_id, claims.sid, expires_at) if player_id == claims.sub else None

    async def _key(self, kid: str | None) -> _Key | None:
        """The key with this id (without an id: the only one). An unknown id asks the issuer, not too often."""
        if self._age_s() > _REFRESH_AFTER_S or (self._find(kid) is None and self._may_ask()):
            await self._refresh()
        if not self._keys:
            raise UNAVAILABLE.error()
        return self._find(kid)

    def _find(self, kid: str | None) -> _Key | None:
        if kid is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(kid)

    def _age_s(self) -> float:
        return self._now_s() - self._asked_at_s

    def _may_ask(self) -> bool:
        return self._age_s() >= _REFRESH_AT_MOST_EVERY_S

    async def _refresh(self) -> None:
        """Fetches the keys; the ones at hand stay if that fails. Those who wait share one fetch."""
        async with self._refreshing:
            if not self._may_ask():
                return
            self._asked_at_s = self._now_s()
            try:
                self._keys = _import_keys(await self._fetch())
            except (aiohttp.ClientError, TimeoutError, OSError, msgspec.MsgspecError):
                return

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


def _import_keys(body: bytes) -> dict[str | None, _Key]:
    """The usable keys by id: public, asymmetric, meant for signatures. Others are left out."""
    keys: dict[str | None, _Key] = {}
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
