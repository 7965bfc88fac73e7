"""The gateway's HTTP calls that a player needs: become a guest, open a training table."""

from __future__ import annotations

import asyncio
import random
import uuid
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec

TIMEOUT_S = 10.0
PATIENCE_S = 15.0
"""For so long a call is tried again while the gateway, or a service behind it, is away: a start takes seconds."""
FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 1.0
_AWAY = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})


class ApiError(Exception):
    """The gateway refuses: `code` is one of docs/errors.md."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{code} (HTTP {status})")
        self.status = status
        self.code = code


class Guest(msgspec.Struct, frozen=True):
    """A player without an account, and the token that proves it."""

    player_id: str
    name: str
    token: str


class GatewayApi:
    """Calls of one gateway; an async context manager."""

    def __init__(self, url: str) -> None:
        """`url` is what `carteado up` prints, such as http://127.0.0.1:8420."""
        self.url = url.rstrip("/")
        self.http = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S))

    async def __aenter__(self) -> Self:
        """Gives itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes its connections."""
        await self.http.close()

    async def register_guest(self, name: str, key: str | None = None) -> Guest:
        """A new guest; asked again with the same key (a UUID), the same one. Raises ApiError."""
        answer = await self._post("/api/v1/guests", {"name": name}, key)
        return Guest(answer["player_id"], answer["name"], answer["token"])

    async def open_practice(self, guest: Guest, game: str, key: str | None = None) -> str:
        """The id of a table with the guest on seat 0 and robots on the others. Raises ApiError, and ALREADY_AT_TABLE or
        ALREADY_WAITING for a guest who is somewhere else.
        """
        answer = await self._post("/api/v1/practice", {"game": game}, key, guest.token)
        return str(answer["table_id"])

    async def join_queue(self, guest: Guest, preset: str, command_id: str) -> dict[str, Any]:
        """Waits for a ranked match; asked again with the same command id (a UUID), the same ticket. Raises ApiError."""
        body = {"command_id": command_id, "preset": preset}
        return await self._post("/api/v1/queue", body, command_id, guest.token)

    async def place(self, guest: Guest, known_version: int = 0, wait_ms: int = 0) -> dict[str, Any]:
        """Where the guest is, or will be once that changes from `known_version`. Raises ApiError."""
        query = {"known_version": str(known_version), "wait_ms": str(wait_ms)}
        headers = {"Authorization": f"Bearer {guest.token}"}
        url = f"{self.url}/api/v1/me/place"
        async with self.http.get(url, params=query, headers=headers) as response:
            answer: dict[str, Any] = await response.json()
            if response.status >= HTTPStatus.BAD_REQUEST:
                raise ApiError(response.status, str(answer.get("code", "")))
            return answer

    async def league_page(self, guest: Guest, game: str, league: str, from_place: int) -> dict[str, Any]:
        """A page of a league's table of this week. Raises ApiError."""
        query = {"league": league, "from": str(from_place)}
        headers = {"Authorization": f"Bearer {guest.token}"}
        url = f"{self.url}/api/v1/league/{game}"
        async with self.http.get(url, params=query, headers=headers) as response:
            answer: dict[str, Any] = await response.json()
            if response.status >= HTTPStatus.BAD_REQUEST:
                raise ApiError(response.status, str(answer.get("code", "")))
            return answer

    async def _post(
        self, path: str, body: dict[str, str], key: str | None, token: str = ""
    ) -> dict[str, Any]:
        """The answer; tried again under the same key, which makes that harmless, while the service is away."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        pause_s = FIRST_PAUSE_S
        loop = asyncio.get_running_loop()
        give_up_at_s = loop.time() + PATIENCE_S
        while True:
            try:
                return await self._post_once(path, body, headers)
            except (ApiError, aiohttp.ClientConnectionError) as error:
                is_away = not isinstance(error, ApiError) or error.status in _AWAY
                if not is_away or loop.time() >= give_up_at_s:
                    raise
            await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311 -- jitter
            pause_s = min(MAX_PAUSE_S, pause_s * 2)

    async def _post_once(self, path: str, body: dict[str, str], headers: dict[str, str]) -> dict[str, Any]:
        async with self.http.post(self.url + path, json=body, headers=headers) as response:
            answer: dict[str, Any] = await response.json()
            if response.status >= HTTPStatus.BAD_REQUEST:
                raise ApiError(response.status, str(answer.get("code", "")))
            return answer
