"""Deletes what has had its time, and what a crash or a race left of people who were erased.

Each statement is bounded and may run on every replica at once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import LiteralString

import structlog

from libs.eventlog.errors import EventLogError
from services.accounts.tables import PlainTables

_EVERY_S = 60.0

_EXPIRED: tuple[LiteralString, ...] = (
    # An ended session is kept for a while: its player may want to see it, and it must not open again.
    """
    DELETE FROM sessions WHERE session_id IN (
        SELECT session_id FROM sessions WHERE expires_at < now() - interval '90 days' LIMIT 1000
    )
    """,
    """
    DELETE FROM name_claims WHERE key IN (SELECT key FROM name_claims WHERE held_until < now() LIMIT 1000)
    """,
    """
    DELETE FROM barred_subjects WHERE subject_hash IN (
        SELECT subject_hash FROM barred_subjects WHERE until < now() LIMIT 1000
    )
    """,
    """
    DELETE FROM projection_standing_v1.barred WHERE id IN (
        SELECT id FROM projection_standing_v1.barred
        WHERE cause = 'session_revoked' AND until < now() - interval '1 day' LIMIT 1000
    )
    """,
)
_LEFT_OF_ERASED: LiteralString = """
    SELECT id::text FROM projection_standing_v1.barred b WHERE cause = 'erased' AND (
        EXISTS (SELECT FROM display_names WHERE player_id = b.id)
        OR EXISTS (SELECT FROM name_claims WHERE player_id = b.id)
        OR EXISTS (SELECT FROM sessions WHERE player_id = b.id)
        OR EXISTS (SELECT FROM sign_in_subjects WHERE player_id = b.id)
        OR EXISTS (SELECT FROM operator_notes WHERE player_id = b.id)
    ) LIMIT 100
"""


async def keep_house(tables: PlainTables, erase: Callable[[str], Awaitable[None]]) -> None:
    """Cleans up once a minute until cancelled; `erase` deletes what is left of one player. An outage is waited out."""
    log = structlog.get_logger("housekeeping")
    while True:
        try:
            await clean_up(tables, erase)
        except EventLogError as error:
            log.warning("could not clean up", error=repr(error))
        await asyncio.sleep(_EVERY_S * random.uniform(0.8, 1.2))  # noqa: S311 - jitter


async def clean_up(tables: PlainTables, erase: Callable[[str], Awaitable[None]]) -> None:
    """One round. Raises what the log raises."""
    for statement in _EXPIRED:
        await tables.execute(statement)
    for (player_id,) in await tables.execute(_LEFT_OF_ERASED):
        await erase(player_id)
