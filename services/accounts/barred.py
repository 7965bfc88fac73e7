"""Tells gateways who is kept out: all of it when they start, then what is new, by a cursor of time.

Rows are written in transactions of at most ten seconds, so one may be seen later than its time says. The last page of a
round therefore gives a cursor from half a minute ago: the next round brings the last rows again, which harms nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, LiteralString

import msgspec

from services.accounts.tables import PlainTables

Cause = Literal["session_revoked", "banned", "erased"]

PAGE = 5_000
_OVERLAP_US = 30_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST_US = 250_000_000_000_000_000  # in the year 9892: what Postgres and Python both can say

# The first round leaves out what was lifted already; later ones tell of it.
_CHANGED: LiteralString = """
    SELECT id::text, cause, until, (extract(epoch FROM changed_at) * 1000000)::bigint
    FROM projection_standing_v1.barred
    WHERE changed_at >= %(after)s AND (%(is_later)s OR until IS NULL OR until > now())
    ORDER BY changed_at, id LIMIT %(page)s
"""
_NOW: LiteralString = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"


class Barred(msgspec.Struct, frozen=True):
    """A session or a player who is kept out, until when (None: for ever; in the past: no longer)."""

    id: str
    cause: Cause
    until: datetime | None


class BarredPage(msgspec.Struct, frozen=True):
    """A page of changes, and the cursor to ask with next."""

    barred: Sequence[Barred]
    cursor: int
    has_more: bool


class BarredList:
    """Reads the projection."""

    def __init__(self, tables: PlainTables) -> None:
        """The projection `standing` must be there."""
        self._tables = tables

    async def page(self, after: int) -> BarredPage:
        """What changed since a cursor, 0 for all that counts now. Raises LogUnavailableError."""
        ((now_us,),) = await self._tables.execute(_NOW)
        since = _EPOCH + timedelta(microseconds=min(after, _LATEST_US))
        rows = await self._tables.execute_named(
            _CHANGED, {"after": since, "is_later": after > 0, "page": PAGE}
        )
        barred = [Barred(*row[:3]) for row in rows]
        if len(rows) == PAGE:
            return BarredPage(barred, rows[-1][3], True)
        return BarredPage(barred, max(0, now_us - _OVERLAP_US), False)
