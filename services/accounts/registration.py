"""How a guest gets an account, and any player a name: the name is claimed first, so that no account is without one.

A claim that was cut short before its registration is completed by the same registration, or falls to whoever asks next.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid5

from libs.service.errors import ErrorCode
from services.accounts.decider import RegisterPlayer
from services.accounts.edge import accepted, refuse_unknown
from services.accounts.errors import ALREADY_REGISTERED, COMMAND_ID_REUSED, NAME_TAKEN
from services.accounts.name_store import Named, NameStore, RegisteredAs, Taken
from services.accounts.names import display_name
from services.accounts.sessions import Players

# A guest's player follows from the command that registered them: asked again, the same guest answers.
_PLAYER_IDS = UUID("6a1c4a8e-5a0e-5b0f-9d5c-2f6f0c6e7d11")


class Registration:
    """Everything raises ServiceError for a refusal, and the log's errors when it cannot be reached."""

    def __init__(self, players: Players, names: NameStore) -> None:
        self._players = players
        self._names = names

    async def register_guest(self, raw_name: str, command_id: str) -> tuple[str, str]:
        """The guest of this command, registered once: player id and name."""
        name = accepted_name(raw_name)
        player_id = str(uuid5(_PLAYER_IDS, command_id))
        state = (await self._players.load(player_id)).state
        if state.is_registered:
            refuse_unknown(state)  # An erased guest does not come back under the same id.
        named = await self._names.register(player_id, name)
        if isinstance(named, Taken) and await self._free(named):
            named = await self._names.register(player_id, name)
        if isinstance(named, RegisteredAs):
            raise COMMAND_ID_REUSED.error(field="command_id")
        kept = await self._named(named, name)
        outcome = await self._players.handle(
            player_id, RegisterPlayer(player_id), command_id=command_id, actor=f"player:{player_id}"
        )
        accepted(outcome, ALREADY_REGISTERED.code)
        return player_id, kept

    async def rename(self, player_id: str, raw_name: str) -> str:
        """Gives a player another name, or their first; the name as it is kept."""
        name = accepted_name(raw_name)
        refuse_unknown((await self._players.load(player_id)).state)
        named = await self._names.rename(player_id, name)
        if isinstance(named, Taken) and await self._free(named):
            named = await self._names.rename(player_id, name)
        return await self._named(named, name)

    async def name_of(self, player_id: str) -> str | None:
        """A player's own name, if there is one; raises PLAYER_NOT_FOUND and PLAYER_ERASED."""
        refuse_unknown((await self._players.load(player_id)).state)
        return (await self._names.names([player_id])).get(player_id)

    async def _named(self, named: Named | Taken, wanted: str) -> str:
        if isinstance(named, Named):
            return named.name
        raise NAME_TAKEN.error(field="name", facts=_offer(await self._names.suggestion(wanted)))

    async def _free(self, taken: Taken) -> bool:
        """Frees a name whose claim was cut short before its player was registered."""
        if taken.orphan is None or (await self._players.load(taken.orphan)).state.is_registered:
            return False
        await self._names.drop_orphan(taken.orphan)
        return True


def accepted_name(raw_name: str) -> str:
    """The name in its kept form; raises why it is refused."""
    name = display_name(raw_name)
    if isinstance(name, ErrorCode):
        raise name.error(field="name")
    return name


def _offer(suggestion: str | None) -> Mapping[str, str]:
    return {} if suggestion is None else {"suggestion": suggestion}
