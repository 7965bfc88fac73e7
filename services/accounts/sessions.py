"""Sessions: opened by a guest's registration or an outside issuer's token, renewed once per refresh token, ended for good.

What ends a session is an event; the row in `sessions` follows it. Where the two differ after a crash, the event counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4, uuid5

import msgspec

from libs.eventlog.runtime import Runtime
from libs.service.tokens import LOCAL_ISSUER, PLAYER_BANNED, SESSION_REVOKED
from services.accounts.decider import (
    PlayerCommand,
    PlayerState,
    RegisterPlayer,
    RevokeSession,
    ban_facts,
)
from services.accounts.edge import accepted, refuse_out
from services.accounts.errors import ALREADY_REGISTERED, SESSION_NOT_FOUND, TOKEN_REFUSED
from services.accounts.events import PlayerEvent, RevocationReason
from services.accounts.issuer import IssuedToken, Issuer
from services.accounts.session_store import MOST_SESSIONS, Renewed, Session, SessionStore
from services.accounts.subject_store import BarredUntil, SubjectStore

REFRESH_LIFE = timedelta(days=30)
"""A session that is not renewed for so long is over."""

_SESSION_IDS = UUID("f0b3d9c2-7c1a-5e3b-8a44-91d2b6c0a5e7")
_REVOCATION_IDS = UUID("7d3f6b1e-0c61-5b7e-9d0c-2b9a8f4c5e13")
_REGISTRATION_IDS = UUID("b4c6b9f2-6e57-5d0a-8f6a-1c2d3e4f5a6b")

Players = Runtime[PlayerState, PlayerCommand, PlayerEvent]


class Granted(msgspec.Struct, frozen=True):
    """What a client gets for its session: a token, and what to renew it with."""

    issued: IssuedToken
    refresh_token: str
    refresh_expires_at: datetime


class Sessions:
    """Everything raises ServiceError for a refusal, and the log's errors when it cannot be reached."""

    def __init__(
        self, players: Players, store: SessionStore, subjects: SubjectStore, now: Callable[[], datetime]
    ) -> None:
        """`now` is the database's time."""
        self._players = players
        self._store = store
        self._subjects = subjects
        self._now = now

    async def open_for_guest(self, issuer: Issuer, player_id: str, command_id: str) -> Granted:
        """The session of a guest's registration; said again after it was renewed or ended, a new one.

        So a repeated registration gets the first answer, and a guest who comes back later gets in.
        """
        expires_at = self._now() + REFRESH_LIFE
        session_id = str(uuid5(_SESSION_IDS, command_id))
        session = await self._store.open(session_id, player_id, LOCAL_ISSUER, expires_at, command_id)
        state = (await self._players.load(player_id)).state
        is_fresh = session.generation == 0 and session.ended_at is None and session.expires_at > self._now()
        if not is_fresh or session_id in state.revoked:
            session = await self._store.open(str(uuid4()), player_id, LOCAL_ISSUER, expires_at, str(uuid4()))
        await self._make_room(player_id)
        return _grant(issuer, session.player_id, session.session_id, 0, session.expires_at)

    async def renew(self, issuer: Issuer, refresh_token: str, command_id: str) -> Granted:
        """A new token, once for each refresh token; one that comes a second time ends its session (fault B126)."""
        refresh = issuer.refresh.read(refresh_token)
        session = None if refresh is None else await self._store.get(refresh.session_id)
        if refresh is None or session is None:
            raise TOKEN_REFUSED.error(field="token")
        player_id, session_id = session.player_id, session.session_id
        state = (await self._players.load(player_id)).state
        # The key may be older than the database: whoever is not in the log is nobody.
        if not state.is_registered or state.is_erased or session_id in state.revoked:
            raise TOKEN_REFUSED.error(field="token")
        refuse_out(state, self._now())
        expires_at = self._now() + REFRESH_LIFE
        renewal = await self._store.renew(session_id, refresh.generation, command_id, expires_at)
        if renewal == "reused":
            await self._revoke(player_id, session_id, "refresh_token_reused", "system:accounts")
        if not isinstance(renewal, Renewed):
            raise TOKEN_REFUSED.error(field="token")
        return _grant(issuer, player_id, session_id, renewal.generation, expires_at)

    async def sign_in(self, issuer: str, subject: str, session_id: str, expires_at: datetime) -> str:
        """The player of an outside issuer's subject, registered at the first sign-in; refused if out or revoked."""
        player_id = await self._subjects.player_of(issuer, subject)
        if isinstance(player_id, BarredUntil):
            raise PLAYER_BANNED.error(facts=ban_facts(player_id.until))
        state = (await self._players.load(player_id)).state
        if not state.is_registered:
            registered = await self._players.handle(
                player_id,
                RegisterPlayer(player_id),
                command_id=str(uuid5(_REGISTRATION_IDS, player_id)),
                actor=f"player:{player_id}",
            )
            accepted(registered, ALREADY_REGISTERED.code)
            state = (await self._players.load(player_id)).state
        refuse_out(state, self._now())
        session = await self._store.open(session_id, player_id, issuer, expires_at, str(uuid4()))
        if session.player_id != player_id or session.ended_at is not None or session_id in state.revoked:
            raise SESSION_REVOKED.error()
        await self._store.see(session_id, expires_at)
        await self._make_room(player_id)
        return player_id

    async def list_open(self, player_id: str) -> Sequence[Session]:
        """A player's sessions that have not ended, the last used first."""
        return await self._store.open_sessions(player_id)

    async def revoke(self, player_id: str, session_id: str) -> None:
        """Ends one session of a player."""
        session = await self._store.get(session_id)
        if session is None or session.player_id != player_id:
            raise SESSION_NOT_FOUND.error(field="session_id")
        await self._revoke(player_id, session_id, "signed_out", f"player:{player_id}")

    async def revoke_others(self, player_id: str, kept_session_id: str) -> int:
        """Ends every session of a player but one; gives how many."""
        others = [
            session.session_id
            for session in await self._store.open_sessions(player_id)
            if session.session_id != kept_session_id
        ]
        for session_id in others:
            await self._revoke(player_id, session_id, "signed_out", f"player:{player_id}")
        return len(others)

    async def _make_room(self, player_id: str) -> None:
        for session in (await self._store.open_sessions(player_id))[MOST_SESSIONS:]:
            await self._revoke(player_id, session.session_id, "too_many", "system:accounts")

    async def _revoke(self, player_id: str, session_id: str, reason: RevocationReason, actor: str) -> None:
        outcome = await self._players.handle(
            player_id,
            RevokeSession(session_id, reason),
            command_id=str(uuid5(_REVOCATION_IDS, f"{session_id} {reason}")),
            actor=actor,
        )
        accepted(outcome, SESSION_REVOKED.code)
        await self._store.end(session_id)


def _grant(issuer: Issuer, player_id: str, session_id: str, generation: int, expires_at: datetime) -> Granted:
    refresh_token = issuer.refresh.write(session_id, generation)
    return Granted(issuer.issue(player_id, session_id), refresh_token, expires_at)
