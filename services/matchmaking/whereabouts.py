"""Where a player is, and whether the player is free for something else: one place at a time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from libs.eventlog.decider import Rejection
from libs.eventlog.runtime import Runtime
from libs.service.errors import UNAVAILABLE, ServiceError
from services.matchmaking.errors import ALREADY_AT_TABLE, ALREADY_WAITING, ERRORS, PLACE_CHANGED
from services.matchmaking.events import Room
from services.matchmaking.match import MatchState
from services.matchmaking.outside import AwayError, Billing, TableService
from services.matchmaking.player import PlayerState
from services.matchmaking.starter import Starter

_MATCH_VERSIONS: Final = 8
"""A match has fewer events: a player's version times this, and the match's, grow together."""
_KINDS: Final[Mapping[str, str]] = {"": "open_table", "formed": "starting", "started": "playing"}
_AT_MATCH: Final = frozenset({"starting", "playing"})

AnyRuntime = Runtime[Any, Any, Any]


class Place(msgspec.Struct, frozen=True):
    """Where a player is: `idle`, `open_table`, `queue`, `starting` or `playing`."""

    kind: str
    version: int
    table_id: str = ""
    preset: str = ""
    room: Room | str = ""
    since: datetime | None = None
    last_refusal: str = ""


class Whereabouts:
    """Finds players. Every method raises EventLogError while the log is away."""

    def __init__(
        self,
        players: AnyRuntime,
        matches: AnyRuntime,
        starter: Starter,
        billing: Billing,
        tables: TableService,
    ) -> None:
        self._players = players
        self._matches = matches
        self._starter = starter
        self._billing = billing
        self._tables = tables

    async def place(self, player_id: str) -> Place:
        """Where the player is now."""
        loaded = await self._players.load(player_id)
        state: PlayerState = loaded.state
        version = loaded.version * _MATCH_VERSIONS
        if state.kind != "table":
            return Place(state.kind, version, "", state.preset, state.room, state.since, state.last_refusal)
        match = await self._matches.load(state.table_id)
        kind = _KINDS.get(match.state.status, "starting")
        return Place(kind, version + match.version, state.table_id, state.preset, state.room, state.since)

    async def is_done(
        self, player_id: str, command_id: str, room: Room, *, preset: str = "", table_id: str = ""
    ) -> bool:
        """Whether this command has brought the player to where the player is, and that is what is asked for now.

        An id that was used for another wish is not done: that wish is refused, as the player is somewhere already.
        """
        state: PlayerState = (await self._players.load(player_id)).state
        is_this = state.kind != "idle" and state.request == command_id and state.room == room
        return is_this and preset in ("", state.preset) and table_id in ("", state.table_id)

    async def make_free(self, player_id: str, preset: str, room: Room) -> None:
        """Makes sure that the player is in no place and may play; what is said of a table is confirmed with it first.

        Raises ServiceError: ALREADY_WAITING or ALREADY_AT_TABLE, whose facts say where, ACCESS_REFUSED, or UNAVAILABLE
        while the table service cannot be asked.
        """
        place = await self.place(player_id)
        if place.kind in {"queue", "open_table"}:
            raise elsewhere(place)
        if place.kind in _AT_MATCH and await self._is_held(place, player_id):
            raise elsewhere(place)
        await self._billing.require(player_id, preset, room)

    async def refused(self, player_id: str, refusal: Rejection) -> ServiceError:
        """A refusal as the player is told it; of a player who has come to another place meanwhile, it says where."""
        if refusal.code == ALREADY_WAITING.code:
            place = await self.place(player_id)
            if place.kind != "idle":
                return elsewhere(place)
            return PLACE_CHANGED.error()
        if refusal.code in ERRORS:
            return ERRORS[refusal.code].error(facts=refusal.facts)
        # The log's own: this command id was used for another request.
        return PLACE_CHANGED.error(facts={"reason": refusal.code})

    async def _is_held(self, place: Place, player_id: str) -> bool:
        """Whether the match goes on, and with this player; one that does not is ended here, as the news of it may have been lost."""
        match: MatchState = (await self._matches.load(place.table_id)).state
        status = match.status
        if status == "voided":
            await self._starter.settle(place.table_id)
            return False
        if status == "formed":
            return True
        if status == "started":
            try:
                if await self._tables.is_running(place.table_id, player_id):
                    if not await self._tables.is_out(place.table_id, player_id):
                        return True
                    await self._starter.let_go(match, player_id)
                    return False
            except AwayError as error:
                raise UNAVAILABLE.error() from error
        await self._starter.end(place.table_id)
        return False


def elsewhere(place: Place) -> ServiceError:
    """What a player is told who is somewhere already: the facts name the place, and the texts what to do."""
    code = ALREADY_AT_TABLE if place.kind in _AT_MATCH else ALREADY_WAITING
    facts = {"place": place.kind, "preset": place.preset, "room": place.room}
    if place.table_id:
        facts["table_id"] = place.table_id
    return code.error(facts=facts)
