"""What other services tell: a table has closed, a player is banned or erased. Doubled, late and shuffled messages change
nothing.
"""

from __future__ import annotations

from typing import Final

from carteado.accounts.v1.events_pb2 import PlayerBanned, PlayerErased
from carteado.table.v1.events_pb2 import TableClosed
from libs.eventlog.reactions import Message
from services.matchmaking.places import Places
from services.matchmaking.starter import Starter

CLOSED_SUBJECT: Final = "carteado.table.closed.v1"
BANNED_SUBJECT: Final = "carteado.accounts.banned.v1"
ERASED_SUBJECT: Final = "carteado.accounts.erased.v1"

ACCOUNTS: Final = "service:accounts"
"""Who takes a banned or erased player out."""


class Reactions:
    """The handlers. Each may run on every replica, and again."""

    def __init__(self, starter: Starter, places: Places) -> None:
        self._starter = starter
        self._places = places

    async def table_closed(self, message: Message) -> None:
        """Frees the players of a match that is over. Raises EventLogError."""
        await self._starter.end(TableClosed.FromString(message.data).table_id)

    async def player_banned(self, message: Message) -> None:
        """Takes a banned player out of queue and open table: nobody is to play with who cannot come. Raises EventLogError."""
        banned = PlayerBanned.FromString(message.data)
        await self._places.leave_waiting(banned.player_id, message.command_id("matchmaking"), ACCOUNTS)

    async def player_erased(self, message: Message) -> None:
        """Takes an erased player out of queue and open table. Raises EventLogError."""
        erased = PlayerErased.FromString(message.data)
        await self._places.leave_waiting(erased.player_id, message.command_id("matchmaking"), ACCOUNTS)
