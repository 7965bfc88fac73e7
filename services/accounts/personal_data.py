"""All that is known of a person, given to them or deleted. See docs/personal-data.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID, uuid5

import msgspec

from libs.eventlog.store import EventStore
from services.accounts.decider import ErasePlayer
from services.accounts.edge import accepted, refuse_unknown
from services.accounts.errors import PLAYER_ERASED
from services.accounts.name_store import NameStore
from services.accounts.note_store import Note, NoteStore
from services.accounts.relations import Relations
from services.accounts.session_store import Session, SessionStore
from services.accounts.sessions import Players
from services.accounts.subject_store import BarredUntil, Subject, SubjectStore

_ERASURE_IDS = UUID("2c1f6d0a-4f6e-5b3d-8c7a-9e0b1a2c3d4e")
_FORMAT = 1
_PAGE = 500


class _Fact(msgspec.Struct):
    """An event of the player's own log, as it is stored."""

    type: str
    at: datetime
    payload: msgspec.Raw


class _Relation(msgspec.Struct):
    player_id: str
    status: str
    since: datetime


class _Export(msgspec.Struct):
    format: int
    player_id: str
    exported_at: datetime
    name: str | None
    subjects: Sequence[Subject]
    sessions: Sequence[Session]
    friends: Sequence[_Relation]
    blocks: Sequence[_Relation]
    operators_notes: Sequence[Note]
    log: Sequence[_Fact]


class PersonalData:
    """Everything raises ServiceError for a refusal, and the log's errors when it cannot be reached."""

    def __init__(
        self,
        players: Players,
        log: EventStore,
        names: NameStore,
        sessions: SessionStore,
        subjects: SubjectStore,
        notes: NoteStore,
        relations: Relations,
        now: Callable[[], datetime],
    ) -> None:
        """`now` is the database's time."""
        self._players = players
        self._log = log
        self._names = names
        self._sessions = sessions
        self._subjects = subjects
        self._notes = notes
        self._relations = relations
        self._now = now

    async def export(self, player_id: str) -> bytes:
        """Everything that accounts knows of the player, as JSON. Who was erased has nothing left."""
        refuse_unknown((await self._players.load(player_id)).state)
        friends = await self._relations.friends(player_id)
        blocks = await self._relations.blocks(player_id)
        export = _Export(
            format=_FORMAT,
            player_id=player_id,
            exported_at=self._now(),
            name=(await self._names.names([player_id])).get(player_id),
            subjects=await self._subjects.subjects_of(player_id),
            sessions=await self._sessions.all_sessions(player_id),
            friends=[_Relation(one.other_id, one.status, one.since) for one in friends],
            blocks=[_Relation(one.other_id, "blocked", one.since) for one in blocks],
            operators_notes=await self._notes.about(player_id),
            log=await self._own_log(player_id),
        )
        return msgspec.json.format(msgspec.json.encode(export), indent=2)

    async def erase(self, player_id: str, actor: str) -> None:
        """Ends the account and deletes what is known of the person; done again, it only deletes what is left.

        The event comes first: from then on nobody acts as this player, and a crash between the two is made good by
        `erase` again, which every replica gives at start to whoever was erased and has rows left.
        """
        state = (await self._players.load(player_id)).state
        ban = state.running_ban(self._now())
        outcome = await self._players.handle(
            player_id, ErasePlayer(), command_id=str(uuid5(_ERASURE_IDS, player_id)), actor=actor
        )
        accepted(outcome, PLAYER_ERASED.code)
        await self._subjects.forget(player_id, None if ban is None else BarredUntil(ban.until))
        await self._sessions.forget(player_id)
        await self._notes.forget(player_id)
        await self._names.release(player_id)

    async def _own_log(self, player_id: str) -> list[_Fact]:
        stream, facts, version = self._players.stream(player_id), list[_Fact](), 0
        while page := await self._log.read(stream, version, None, _PAGE):
            facts += [
                _Fact(event.name, event.recorded_at, msgspec.Raw(event.payload.encode())) for event in page
            ]
            version = page[-1].version
        return facts
