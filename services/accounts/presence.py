"""Who has a socket open somewhere, as the gateways say it: hints that expire, never a fact of the log.

A gateway says its players again every few seconds, so a lost hint or a killed gateway is made good by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from uuid import UUID

from google.protobuf.message import DecodeError
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from carteado.gateway.v1.presence_pb2 import PresenceHint

SUBJECT = "carteado.gateway.presence.v1"
COUNTS_FOR_S = 45.0
MOST_PLAYERS = 200_000
"""Players that are remembered; beyond it those go first who were heard of longest ago."""
_MOST_GATEWAYS = 8
_PENDING_MESSAGES = 4_096
_PENDING_BYTES = 16 * 1024 * 1024


class PresenceBook:
    """Which players are online, as far as this replica has heard."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        """`now_s` is any clock that only goes forward."""
        self._now_s = now_s
        self._until_s: OrderedDict[bytes, dict[str, float]] = OrderedDict()

    def __len__(self) -> int:
        """How many players are remembered, online or until just now."""
        return len(self._until_s)

    def take(self, hint: PresenceHint) -> None:
        """Notes what a gateway says; ids that are none are left out."""
        until_s = self._now_s() + COUNTS_FOR_S
        for player in hint.online:
            if len(player) != 16:
                continue
            gateways = self._until_s.pop(player, None) or {}
            gateways.pop(hint.gateway_id, None)
            gateways[hint.gateway_id] = until_s
            while len(gateways) > _MOST_GATEWAYS:
                del gateways[next(iter(gateways))]
            self._until_s[player] = gateways
        for player in hint.offline:
            gateways = self._until_s.get(player) or {}
            gateways.pop(hint.gateway_id, None)
            if not gateways:
                self._until_s.pop(player, None)
        while len(self._until_s) > MOST_PLAYERS:
            self._until_s.popitem(last=False)

    def is_online(self, player_id: str) -> bool:
        """Whether some gateway has said lately that the player is there."""
        gateways = self._until_s.get(UUID(player_id).bytes)
        return gateways is not None and max(gateways.values()) > self._now_s()


async def follow(client: Client, book: PresenceBook) -> Subscription:
    """Has the book hear what gateways say; NATS's absence makes everybody offline after a while, no more."""

    async def take(message: Msg) -> None:
        try:
            book.take(PresenceHint.FromString(message.data))
        except DecodeError:
            return
        await asyncio.sleep(0)  # A flood of hints keeps no caller waiting.

    return await client.subscribe(
        SUBJECT, cb=take, pending_msgs_limit=_PENDING_MESSAGES, pending_bytes_limit=_PENDING_BYTES
    )
