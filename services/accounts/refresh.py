"""Refresh tokens: each renews its session once, and says nothing that must be stored to be known again.

A token is a session's id, its number, and a signature of both under the issuer's key. Which number is the current one
stands in the table `sessions`; a smaller one has been used, and whoever sends it is perhaps not its player.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from struct import Struct
from typing import Final
from uuid import UUID

import msgspec

_PREFIX: Final = "rt1."
_BODY: Final = Struct(">16sI")
_SIGNATURE_BYTES: Final = 32
_CHARS: Final = (_BODY.size + _SIGNATURE_BYTES + 2) // 3 * 4  # 52 bytes in base64, padding included


class Refresh(msgspec.Struct, frozen=True):
    """What a genuine refresh token names; whether it is still good is for the table to say."""

    session_id: str
    generation: int


class RefreshTokens:
    """Writes and reads them under one key."""

    def __init__(self, key: bytes) -> None:
        """`key` is secret and stays the same for as long as a session may live."""
        self._key = key

    def write(self, session_id: str, generation: int) -> str:
        """The token that renews this session for the time number `generation`, from 0."""
        body = _BODY.pack(UUID(session_id).bytes, generation)
        return _PREFIX + urlsafe_b64encode(body + self._sign(body)).decode().rstrip("=")

    def read(self, token: str) -> Refresh | None:
        """What the token names, or None if it was not written under this key."""
        encoded = token.removeprefix(_PREFIX)
        if not token.startswith(_PREFIX) or not encoded.isascii() or len(encoded) > _CHARS:
            return None
        try:
            raw = urlsafe_b64decode(encoded.ljust(_CHARS, "="))
        except (Base64Error, ValueError):
            return None
        body, signature = raw[: _BODY.size], raw[_BODY.size :]
        if len(body) != _BODY.size or not hmac.compare_digest(signature, self._sign(body)):
            return None
        session, generation = _BODY.unpack(body)
        refresh = Refresh(str(UUID(bytes=session)), generation)
        # Base64 has several spellings of the same bytes; one of them is ours.
        return refresh if self.write(refresh.session_id, generation) == token else None

    def _sign(self, body: bytes) -> bytes:
        return hmac.digest(self._key, body, "sha256")
