"""Which service calls: each signs short tokens with its own key, and knows everybody's public key.

The keys folder holds `<service>.pem` (a private Ed25519 key that only its service may read, mode 0600) and
`<service>.pub` of every service. A credential names its caller (`sub`) and its callee (`aud`) and lives at most five
minutes. A player's token is never a credential. See docs/decisions/0005-identity.md.
"""

from __future__ import annotations

import secrets
import stat
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from libs.service.config import ConfigError
from libs.service.errors import UNAUTHENTICATED

Metadata = tuple[tuple[str, str], ...]

_SCHEME = "Service "
# The name that RFC 9864 gives to EdDSA with Ed25519; nothing else is accepted.
_ALGORITHMS = ["Ed25519"]
_LIFETIME_S = 240
_MAX_LIFETIME_S = 300
_RENEW_BEFORE_S = 60
_CLOCK_SKEW_S = 10
_MAX_VERIFIED = 1024
_MAX_TOKEN_CHARS = 2048


class _Issued(msgspec.Struct, frozen=True):
    metadata: Metadata
    issued_at_s: float
    renew_at_s: float


class _Verified(msgspec.Struct, frozen=True):
    caller: str
    expires_at_s: float


class Credentials:
    """The service `name`'s own key and everybody's public keys, read once; ConfigError if a file is missing or open."""

    def __init__(self, name: str, keys_dir: Path, now_s: Callable[[], float] = time.time) -> None:
        """`now_s` gives the seconds since the epoch."""
        self.name = name
        self._now_s = now_s
        self._private_key = _read_private_key(name, keys_dir)
        self._public_keys = {path.stem: _read_public_key(path) for path in sorted(keys_dir.glob("*.pub"))}
        self._issued: dict[str, _Issued] = {}
        self._verified: OrderedDict[str, _Verified] = OrderedDict()

    def metadata(self, audience: str) -> Metadata:
        """gRPC metadata that says to the service `audience` who calls. Renewed in time, so ask for each call."""
        now_s = self._now_s()
        issued = self._issued.get(audience)
        # A clock that was set back would make the token one from the future, which nobody takes.
        if issued is None or not issued.issued_at_s <= now_s < issued.renew_at_s:
            expires_at_s = int(now_s) + _LIFETIME_S
            claims = {"sub": self.name, "aud": audience, "iat": int(now_s), "exp": expires_at_s}
            token = jwt.encode({"alg": "Ed25519"}, claims, self._private_key, algorithms=_ALGORITHMS)
            metadata = (("authorization", _SCHEME + token),)
            issued = _Issued(metadata, now_s, expires_at_s - _RENEW_BEFORE_S)
            self._issued[audience] = issued
        return issued.metadata

    def verify(self, metadata: Iterable[tuple[str, str | bytes]]) -> str:
        """The name of the calling service; raises UNAUTHENTICATED if there is not exactly one valid credential."""
        values = [value for key, value in metadata if key == "authorization"]
        if len(values) != 1 or not isinstance(values[0], str) or not values[0].startswith(_SCHEME):
            raise UNAUTHENTICATED.error()
        token = values[0].removeprefix(_SCHEME)
        verified = self._verified.get(token)
        if verified is None:
            verified = self._check(token)
            self._verified[token] = verified
            if len(self._verified) > _MAX_VERIFIED:
                self._verified.popitem(last=False)
        if verified.expires_at_s <= self._now_s():
            self._verified.pop(token, None)
            raise UNAUTHENTICATED.error()
        return verified.caller

    def _check(self, token: str) -> _Verified:
        if len(token) > _MAX_TOKEN_CHARS:
            raise UNAUTHENTICATED.error()
        try:
            caller = _claimed_caller(token)
            key = self._public_keys.get(caller)
            if key is None:
                raise UNAUTHENTICATED.error()
            claims = jwt.decode(token, key, algorithms=_ALGORITHMS).claims
        except (JoseError, ValueError, TypeError, RecursionError, msgspec.MsgspecError):
            raise UNAUTHENTICATED.error() from None
        expires_at_s, issued_at_s = claims.get("exp"), claims.get("iat")
        now_s = self._now_s()
        is_valid = (
            claims.get("sub") == caller
            and claims.get("aud") == self.name
            and type(expires_at_s) is int
            and type(issued_at_s) is int
            and expires_at_s - issued_at_s <= _MAX_LIFETIME_S
            and issued_at_s <= now_s + _CLOCK_SKEW_S
            and expires_at_s > now_s
        )
        if not is_valid or not isinstance(expires_at_s, int):
            raise UNAUTHENTICATED.error()
        return _Verified(caller, expires_at_s)


def create_key_pair(name: str, keys_dir: Path) -> None:
    """Writes `<name>.pem` (mode 0600) and `<name>.pub` unless the private key exists already."""
    private_path = keys_dir / f"{name}.pem"
    if not private_path.exists():
        write_private_key(private_path, Ed25519PrivateKey.generate())
    key = OKPKey.import_key(private_path.read_bytes())
    (keys_dir / f"{name}.pub").write_bytes(key.as_pem(private=False))


def write_private_key(path: Path, key: Ed25519PrivateKey) -> None:
    """Writes a private key as PEM, readable by its owner alone from its first byte, unless the file exists.

    It appears whole or not at all, and of several writers at once one wins: read the file afterwards.
    """
    partial = path.with_suffix(f".{secrets.token_hex(8)}.partial")
    partial.touch(mode=0o600, exist_ok=False)
    try:
        partial.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        with suppress(FileExistsError):
            path.hardlink_to(partial)
    finally:
        partial.unlink()


def check_private_file(path: Path) -> None:
    """ConfigError unless the file exists and only its owner may read it."""
    if not path.is_file():
        raise ConfigError(
            f"{path} is missing: it holds a private key (CARTEADO_KEYS says where the keys are)"
        )
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"{path} is readable by others: set its mode to 0600 (chmod 600)")


class _Claimed(msgspec.Struct):
    sub: str


def _claimed_caller(token: str) -> str:
    """Who the token says it is from, before anything is verified: it chooses the key."""
    return msgspec.json.decode(jws.extract_compact(token.encode()).payload, type=_Claimed).sub


def _read_private_key(name: str, keys_dir: Path) -> OKPKey:
    path = keys_dir / f"{name}.pem"
    check_private_file(path)
    return _import_ed25519(path, "private")


def _read_public_key(path: Path) -> OKPKey:
    return _import_ed25519(path, "public")


def _import_ed25519(path: Path, half: str) -> OKPKey:
    try:
        key = OKPKey.import_key(path.read_bytes())
    except (JoseError, ValueError, TypeError):
        raise ConfigError(f"{path} holds no Ed25519 {half} key in PEM") from None
    if key.curve_name != "Ed25519" or key.is_private != (half == "private"):
        raise ConfigError(f"{path} holds no Ed25519 {half} key in PEM")
    return key
