"""What operators wrote about players: the table `operator_notes`. The log holds the ids of the notes alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from services.accounts.tables import PlainTables


class Note(msgspec.Struct, frozen=True):
    """A note, who wrote it (`operator:<login>`) and when."""

    note_id: str
    note: str
    written_by: str
    written_at: datetime


class NoteStore:
    """The table `operator_notes`. Everything here raises LogUnavailableError."""

    def __init__(self, tables: PlainTables) -> None:
        """The table must be there (`migrate_tables`)."""
        self._tables = tables

    async def keep(self, note_id: str, player_id: str, note: str, written_by: str) -> None:
        """Keeps a note; said again under its id, the first one stays."""
        await self._tables.execute(
            "INSERT INTO operator_notes (note_id, player_id, note, written_by) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT DO NOTHING",
            UUID(note_id),
            UUID(player_id),
            note,
            written_by,
        )

    async def about(self, player_id: str) -> Sequence[Note]:
        """The notes about a player, in the order in which they were written."""
        rows = await self._tables.execute(
            "SELECT note_id::text, note, written_by, written_at FROM operator_notes WHERE player_id = %s "
            "ORDER BY written_at, note_id",
            UUID(player_id),
        )
        return [Note(*row) for row in rows]

    async def drop(self, note_id: str) -> None:
        """Deletes a note whose command was refused."""
        await self._tables.execute("DELETE FROM operator_notes WHERE note_id = %s", UUID(note_id))

    async def forget(self, player_id: str) -> None:
        """Deletes what was written about a player."""
        await self._tables.execute("DELETE FROM operator_notes WHERE player_id = %s", UUID(player_id))
