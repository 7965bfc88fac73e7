"""Tells the other services which players have a socket open here: hints on core NATS, for friends' lists.

What changed is said twice a second in one message, everything every few seconds; a lost hint is made good by the next.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import islice

from nats.aio.client import Client
from nats.errors import Error as NatsError

from carteado.gateway.v1.presence_pb2 import PresenceHint
from services.gateway.limits import Limits

SUBJECT = "carteado.gateway.presence.v1"
MOST_IN_A_HINT = 1_000


class PresenceTeller:
    """Says who is here until it is cancelled, and at the end that nobody is."""

    def __init__(self, client: Client, players: Callable[[], Set[str]], limits: Limits) -> None:
        """`players` gives the ids of those who have a socket open now."""
        self._client = client
        self._players = players
        self._limits = limits
        self._gateway_id = str(uuid.uuid4())
        self._said: Set[str] = frozenset()

    async def run(self) -> None:
        """Tells until cancelled."""
        loop = asyncio.get_running_loop()
        all_due_s = loop.time()
        while True:
            here = self._players()
            is_all_due = loop.time() >= all_due_s
            await self._say(here if is_all_due else here - self._said, self._said - here)
            self._said = here
            if is_all_due:
                all_due_s = loop.time() + self._limits.presence_all_s
            await asyncio.sleep(self._limits.presence_change_s)

    async def leave(self) -> None:
        """Says that nobody is here any more."""
        said, self._said = self._said, frozenset()
        await self._say((), said)

    async def _say(self, online: Iterable[str], offline: Iterable[str]) -> None:
        hints = [
            *(PresenceHint(gateway_id=self._gateway_id, online=ids) for ids in _chunks(online)),
            *(PresenceHint(gateway_id=self._gateway_id, offline=ids) for ids in _chunks(offline)),
        ]
        for hint in hints:
            if not self._client.is_connected:
                return  # Said again in a few seconds; a buffer full of old hints helps nobody.
            try:
                await self._client.publish(SUBJECT, hint.SerializeToString())
            except NatsError:
                return


def _chunks(player_ids: Iterable[str]) -> Iterator[list[bytes]]:
    ids = iter(player_ids)
    while chunk := [uuid.UUID(player_id).bytes for player_id in islice(ids, MOST_IN_A_HINT)]:
        yield chunk
