"""Which player a subject of an outside issuer is: the table `sign_in_subjects`. A subject never stands in the log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from uuid import UUID, uuid4

import msgspec

from libs.eventlog.connections import Connection
from services.accounts.tables import PlainTables, fetch


class Subject(msgspec.Struct, frozen=True):
    """Who somebody is at an outside issuer."""

    issuer: str
    subject: str
    first_seen_at: datetime


class BarredUntil(msgspec.Struct, frozen=True):
    """The subject's player was erased while banned; None: for ever."""

    until: datetime | None


class SubjectStore:
    """The tables `sign_in_subjects` and `barred_subjects`. Everything here raises LogUnavailableError."""

    def __init__(self, tables: PlainTables) -> None:
        """The tables must be there (`migrate_tables`)."""
        self._tables = tables

    async def player_of(self, issuer: str, subject: str) -> str | BarredUntil:
        """The player of a subject; at its first sign-in a new id, drawn at random so that nobody can compute it."""

        async def work(connection: Connection) -> str | BarredUntil:
            barred = await fetch(
                connection,
                "SELECT until FROM barred_subjects WHERE subject_hash = %s AND (until IS NULL OR until > now())",
                _hash(issuer, subject),
            )
            if barred:
                return BarredUntil(barred[0][0])
            await fetch(
                connection,
                "INSERT INTO sign_in_subjects (issuer, subject, player_id) VALUES (%s, %s, %s) "
                "ON CONFLICT (issuer, subject) DO NOTHING",
                issuer,
                subject,
                uuid4(),
            )
            ((player_id,),) = await fetch(
                connection,
                "SELECT player_id::text FROM sign_in_subjects WHERE issuer = %s AND subject = %s",
                issuer,
                subject,
            )
            return str(player_id)

        return await self._tables.transact(work)

    async def subjects_of(self, player_id: str) -> Sequence[Subject]:
        """By which subjects a player signs in."""
        rows = await self._tables.execute(
            "SELECT issuer, subject, first_seen_at FROM sign_in_subjects WHERE player_id = %s",
            UUID(player_id),
        )
        return [Subject(*row) for row in rows]

    async def forget(self, player_id: str, barred: BarredUntil | None) -> None:
        """Deletes a player's subjects; of one who is banned a hash stays until the ban ends."""

        async def work(connection: Connection) -> None:
            rows = await fetch(
                connection,
                "DELETE FROM sign_in_subjects WHERE player_id = %s RETURNING issuer, subject",
                UUID(player_id),
            )
            for issuer, subject in rows if barred is not None else ():
                await fetch(
                    connection,
                    "INSERT INTO barred_subjects (subject_hash, until) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                    _hash(issuer, subject),
                    barred.until if barred else None,
                )

        await self._tables.transact(work)


def _hash(issuer: str, subject: str) -> bytes:
    return blake2b(f"{issuer}\0{subject}".encode(), digest_size=16, person=b"subject").digest()
