"""What operators do about players: show, ban, unban. Why stands in a plain table, the log has the id of the note."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from uuid import UUID, uuid5

import msgspec

from libs.eventlog.decider import Rejection
from libs.eventlog.runtime import COMMAND_ID_REUSED
from libs.eventlog.store import EventStore
from libs.eventlog.text import is_storable
from libs.service.errors import INVALID_ARGUMENT
from services.accounts.decider import BanPlayer, BanState, PlayerCommand, UnbanPlayer
from services.accounts.edge import accepted, refuse_unknown
from services.accounts.errors import NOTE_REQUIRED, PLAYER_NOT_FOUND
from services.accounts.events import BanReason
from services.accounts.name_store import NameStore
from services.accounts.note_store import Note, NoteStore
from services.accounts.relations import Relations
from services.accounts.session_store import SessionStore
from services.accounts.sessions import Players

MOST_NOTE_CHARS = 500

_NOTE_IDS = UUID("e1b7a9a4-8a6b-5c64-9e2f-5d6c7b8a9f01")
_OPERATOR = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")


class Shown(msgspec.Struct, frozen=True):
    """What is known of a player. `ban` is the one that runs, `note` what was written with it, if it is still there."""

    player_id: str
    name: str | None
    registered_at: datetime
    is_erased: bool
    ban: BanState | None
    note: Note | None
    open_sessions: int
    friends: int


class Operators:
    """Everything raises ServiceError for a refusal, and the log's errors when it cannot be reached."""

    def __init__(
        self,
        players: Players,
        log: EventStore,
        names: NameStore,
        sessions: SessionStore,
        notes: NoteStore,
        relations: Relations,
        now: Callable[[], datetime],
    ) -> None:
        """`now` is the database's time."""
        self._players = players
        self._log = log
        self._names = names
        self._sessions = sessions
        self._notes = notes
        self._relations = relations
        self._now = now

    async def find(self, name: str) -> str:
        """The id of the player who has this name, or one that looks like it."""
        found = await self._names.find(name)
        if found is None:
            raise PLAYER_NOT_FOUND.error(field="name")
        return found[0]

    async def show(self, player_id: str) -> Shown:
        """What is known of a player, erased ones included."""
        state = (await self._players.load(player_id)).state
        if not state.is_registered:
            raise PLAYER_NOT_FOUND.error(field="player_id")
        (registered,) = await self._log.read(self._players.stream(player_id), 0, 1)
        ban = state.running_ban(self._now())
        notes = [] if ban is None else await self._notes.about(player_id)
        friends = await self._relations.friends(player_id)
        return Shown(
            player_id=player_id,
            name=(await self._names.names([player_id])).get(player_id),
            registered_at=registered.recorded_at,
            is_erased=state.is_erased,
            ban=ban,
            note=next((note for note in notes if ban and note.note_id == ban.note_id), None),
            open_sessions=len(await self._sessions.open_sessions(player_id)),
            friends=sum(friend.status == "friends" for friend in friends),
        )

    async def ban(
        self,
        player_id: str,
        operator: str,
        reason: BanReason,
        note: str,
        until: datetime | None,
        command_id: str,
    ) -> None:
        """Keeps a player out until a time, or for ever (None); a ban that runs is replaced."""
        note_id = _note_id(command_id)
        await self._act(player_id, operator, note, note_id, BanPlayer(reason, note_id, until), command_id)

    async def unban(self, player_id: str, operator: str, note: str, command_id: str) -> None:
        """Lets a player in again."""
        note_id = _note_id(command_id)
        await self._act(player_id, operator, note, note_id, UnbanPlayer(note_id), command_id)

    async def _act(
        self,
        player_id: str,
        operator: str,
        note: str,
        note_id: str,
        body: PlayerCommand,
        command_id: str,
    ) -> None:
        actor = operator_actor(operator)
        text = note.strip()
        if not 0 < len(text) <= MOST_NOTE_CHARS or not is_storable(text):
            raise NOTE_REQUIRED.error(field="note")
        refuse_unknown((await self._players.load(player_id)).state)
        # First the words: an event without its reason could not be explained; a refused command's are dropped again.
        await self._notes.keep(note_id, player_id, text, actor)
        outcome = await self._players.handle(player_id, body, command_id=command_id, actor=actor)
        if isinstance(outcome, Rejection) and outcome.code != COMMAND_ID_REUSED:
            await self._notes.drop(note_id)
        accepted(outcome)


def operator_actor(operator: str) -> str:
    """The actor of an operator's command, from their login; raises INVALID_ARGUMENT."""
    if _OPERATOR.fullmatch(operator) is None:
        raise INVALID_ARGUMENT.error(
            field="operator", facts={"reason": "a login: a-z, 0-9, '.', '_' and '-', at most 32"}
        )
    return f"operator:{operator}"


def _note_id(command_id: str) -> str:
    return str(uuid5(_NOTE_IDS, command_id))
