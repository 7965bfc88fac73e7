"""Who has signed in where: the table `sessions`. That a session was *revoked* stands in the log; here it ends with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, LiteralString
from uuid import UUID

import msgspec

from libs.eventlog.connections import Connection
from services.accounts.tables import PlainTables, fetch

MOST_SESSIONS = 20
"""Sessions of one player at a time; the one that was used longest ago makes room."""

_SESSIONS: LiteralString = """
    SELECT session_id::text, player_id::text, issuer, opened_at, renewed_at, expires_at, generation, ended_at
    FROM sessions
"""


class Session(msgspec.Struct, frozen=True):
    """A place where a player has signed in. `generation` counts its renewals."""

    session_id: str
    player_id: str
    issuer: str
    opened_at: datetime
    renewed_at: datetime
    expires_at: datetime
    generation: int
    ended_at: datetime | None


class Renewed(msgspec.Struct, frozen=True):
    """The session goes on under this generation, now or since the same renewal came the first time."""

    generation: int


Renewal = Renewed | Literal["reused", "over"]
"""`reused`: the generation was renewed before, by another wish. `over`: the session has ended or never was."""


class SessionStore:
    """The table `sessions`. Everything here raises LogUnavailableError."""

    def __init__(self, tables: PlainTables) -> None:
        """The tables must be there (`migrate_tables`)."""
        self._tables = tables

    async def open(
        self, session_id: str, player_id: str, issuer: str, expires_at: datetime, renewal_id: str
    ) -> Session:
        """Opens a session unless it is there; gives it as it stands, also when it has ended."""

        async def work(connection: Connection) -> Session:
            await fetch(
                connection,
                "INSERT INTO sessions (session_id, player_id, issuer, expires_at, renewal_id) "
                "VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                UUID(session_id),
                UUID(player_id),
                issuer,
                expires_at,
                UUID(renewal_id),
            )
            (row,) = await fetch(connection, _SESSIONS + "WHERE session_id = %s", UUID(session_id))
            return Session(*row)

        return await self._tables.transact(work)

    async def get(self, session_id: str) -> Session | None:
        """The session as it stands, if it is known."""
        rows = await self._tables.execute(_SESSIONS + "WHERE session_id = %s", UUID(session_id))
        return Session(*rows[0]) if rows else None

    async def renew(self, session_id: str, generation: int, renewal_id: str, expires_at: datetime) -> Renewal:
        """Takes a session from this generation to the next, once; the same renewal again gets the same answer."""

        async def work(connection: Connection) -> Renewal:
            renewed = await fetch(
                connection,
                "UPDATE sessions SET generation = generation + 1, renewal_id = %s, renewed_at = now(), "
                "expires_at = %s "
                "WHERE session_id = %s AND generation = %s AND ended_at IS NULL AND expires_at > now() "
                "RETURNING generation",
                UUID(renewal_id),
                expires_at,
                UUID(session_id),
                generation,
            )
            if renewed:
                return Renewed(renewed[0][0])
            rows = await fetch(
                connection,
                "SELECT generation, renewal_id::text, ended_at IS NULL AND expires_at > now() FROM sessions "
                "WHERE session_id = %s",
                UUID(session_id),
            )
            if not rows or not rows[0][2]:
                return "over"
            current, made_by, _ = rows[0]
            is_same_wish = current == generation + 1 and made_by == renewal_id
            return Renewed(current) if is_same_wish else "reused"

        return await self._tables.transact(work)

    async def see(self, session_id: str, expires_at: datetime) -> None:
        """Notes that a token of an outside issuer was used in a session, and how long it lives."""
        await self._tables.execute(
            "UPDATE sessions SET renewed_at = now(), expires_at = greatest(expires_at, %s) "
            "WHERE session_id = %s AND ended_at IS NULL",
            expires_at,
            UUID(session_id),
        )

    async def end(self, session_id: str) -> None:
        """Ends a session, also one that has ended."""
        await self._tables.execute(
            "UPDATE sessions SET ended_at = coalesce(ended_at, now()) WHERE session_id = %s", UUID(session_id)
        )

    async def open_sessions(self, player_id: str) -> Sequence[Session]:
        """A player's sessions that have not ended, the last used first."""
        rows = await self._tables.execute(
            _SESSIONS + "WHERE player_id = %s AND ended_at IS NULL AND expires_at > now() "
            "ORDER BY renewed_at DESC, session_id",
            UUID(player_id),
        )
        return [Session(*row) for row in rows]

    async def all_sessions(self, player_id: str) -> Sequence[Session]:
        """Every session of a player that is still known."""
        rows = await self._tables.execute(
            _SESSIONS + "WHERE player_id = %s ORDER BY opened_at, session_id", UUID(player_id)
        )
        return [Session(*row) for row in rows]

    async def forget(self, player_id: str) -> None:
        """Deletes a player's sessions."""
        await self._tables.execute("DELETE FROM sessions WHERE player_id = %s", UUID(player_id))
