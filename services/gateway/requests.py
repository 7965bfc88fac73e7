"""What every handler of the HTTP API does with a request: who asks, under which key, with which body; and its answer."""

from __future__ import annotations

import asyncio
import base64
import binascii
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

import msgspec
from aiohttp import web

from libs.service.errors import INVALID_ARGUMENT
from libs.service.tokens import VerifiedPlayer
from services.gateway.errors import (
    IDEMPOTENCY_KEY_REQUIRED,
    MESSAGE_TOO_BIG,
    SIGN_IN_REQUIRED,
    UNSUPPORTED_MEDIA_TYPE,
)
from services.gateway.limits import Limits

Shape = TypeVar("Shape", bound=msgspec.Struct)
Verify = Callable[[str], Awaitable[VerifiedPlayer | None]]

JSON_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

_BEARER = "Bearer "
_ENTROPY_BYTES = 32
_MOST_DIGITS = 10


class Requests:
    """Reads requests within the limits. Everything raises ServiceError for what is not as it must be."""

    def __init__(self, verify: Verify, limits: Limits) -> None:
        """`verify` gives None for a token that is not valid."""
        self._verify = verify
        self._limits = limits

    async def player(self, request: web.Request) -> VerifiedPlayer:
        """Who asks: whom the one bearer token of the request names."""
        player = await self._verify(_bearer(request))
        if player is None:
            raise SIGN_IN_REQUIRED.error()
        return player

    async def body(self, request: web.Request, shape: type[Shape]) -> Shape:
        """The JSON body."""
        if request.content_type != "application/json":
            raise UNSUPPORTED_MEDIA_TYPE.error()
        if (request.content_length or 0) > self._limits.message_bytes:
            raise MESSAGE_TOO_BIG.error()
        async with asyncio.timeout(self._limits.call_timeout_s):
            body = await request.read()
        if len(body) > self._limits.message_bytes:
            raise MESSAGE_TOO_BIG.error()
        try:
            return msgspec.json.decode(body, type=shape)
        except (msgspec.DecodeError, RecursionError):
            raise INVALID_ARGUMENT.error("body") from None


def json_response(body: Mapping[str, object], status: int = 200) -> web.Response:
    """An answer that no cache keeps."""
    return web.Response(
        body=msgspec.json.encode(body), status=status, content_type="application/json", headers=JSON_HEADERS
    )


def idempotency_key(request: web.Request) -> str:
    """The request's one Idempotency-Key, in the spelling that every service knows."""
    values = request.headers.getall("Idempotency-Key", [])
    if len(values) != 1 or not is_uuid(values[0]):
        raise IDEMPOTENCY_KEY_REQUIRED.error("Idempotency-Key")
    return str(uuid.UUID(values[0]))


def is_uuid(text: str) -> bool:
    """Whether it is a UUID with its hyphens."""
    if len(text) != 36:
        return False
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def uuid_in_path(request: web.Request, name: str) -> str:
    """The UUID that stands in the address under this name."""
    text = request.match_info[name]
    if not is_uuid(text):
        raise INVALID_ARGUMENT.error(name)
    return str(uuid.UUID(text))


def number_in_query(request: web.Request, name: str, most: int) -> int:
    """The whole number from 0 to `most` that stands in the address under this name; without one it is 0."""
    text = request.query.get(name, "0")
    # Its length first: to read a number of thousands of digits is work, and Python refuses it.
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS and int(text) <= most):
        raise INVALID_ARGUMENT.error(name)
    return int(text)


def training_table(player_id: str, key: str) -> str:
    """The id of the training table that a player's key opens."""
    return str(uuid.uuid5(uuid.UUID(player_id), key))


def entropy_bytes(text: str) -> bytes:
    """What the caller's client sends for the shuffle: 32 bytes, or none."""
    if not text:
        return b""
    try:
        entropy = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise INVALID_ARGUMENT.error("entropy") from None
    if len(entropy) != _ENTROPY_BYTES:
        raise INVALID_ARGUMENT.error("entropy")
    return entropy


def _bearer(request: web.Request) -> str:
    values = request.headers.getall("Authorization", [])
    if len(values) != 1 or not values[0].startswith(_BEARER):
        raise SIGN_IN_REQUIRED.error()
    return values[0].removeprefix(_BEARER)
