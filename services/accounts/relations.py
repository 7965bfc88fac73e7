"""Reads how players stand to each other, from the projection: never ahead of the log, and at most a moment behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, LiteralString
from uuid import UUID

import msgspec

from services.accounts.tables import PlainTables

Status = Literal["friends", "asked", "asked_by_other"]

_CAUGHT_UP_WITHIN_S = 1.0
_LOOK_EVERY_S = 0.02

# Whoever was erased stands in nobody's list; the rows stay, with two ids and nothing else.
_FRIENDS: LiteralString = """
    SELECT r.other_id::text, r.status, r.since FROM projection_standing_v1.relations r
    WHERE r.player_id = %s AND r.status <> 'none' AND NOT EXISTS (
        SELECT FROM projection_standing_v1.barred b WHERE b.id = r.other_id AND b.cause = 'erased'
    )
    ORDER BY r.since DESC, r.other_id
"""
_BLOCKS: LiteralString = """
    SELECT r.other_id::text, 'blocked', r.blocked_at FROM projection_standing_v1.relations r
    WHERE r.player_id = %s AND r.blocked_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM projection_standing_v1.barred b WHERE b.id = r.other_id AND b.cause = 'erased'
    )
    ORDER BY r.blocked_at DESC, r.other_id
"""
_VERSION: LiteralString = """
    SELECT max(version) FROM projection_standing_v1.relations
    WHERE (player_id, other_id) IN ((%s, %s), (%s, %s))
"""


class Friend(msgspec.Struct, frozen=True):
    """A friend, or who may become one."""

    other_id: str
    status: Status
    since: datetime


class Blocked(msgspec.Struct, frozen=True):
    """Whom a player blocks."""

    other_id: str
    status: Literal["blocked"]
    since: datetime


class Relations:
    """Everything here raises LogUnavailableError."""

    def __init__(self, tables: PlainTables) -> None:
        """The projection `standing` must be there."""
        self._tables = tables

    async def friends(self, player_id: str) -> Sequence[Friend]:
        """A player's friends and requests, the latest first."""
        return [Friend(*row) for row in await self._tables.execute(_FRIENDS, UUID(player_id))]

    async def blocks(self, player_id: str) -> Sequence[Blocked]:
        """Whom a player blocks, the latest first."""
        return [Blocked(*row) for row in await self._tables.execute(_BLOCKS, UUID(player_id))]

    async def follow(self, one: str, other: str, version: int) -> None:
        """Waits until the rows of a pair show this version of its stream; not for ever, they will show it anyway."""
        ids = (UUID(one), UUID(other), UUID(other), UUID(one))
        ends_at_s = asyncio.get_running_loop().time() + _CAUGHT_UP_WITHIN_S
        while asyncio.get_running_loop().time() < ends_at_s:
            ((shown,),) = await self._tables.execute(_VERSION, *ids)
            if shown is not None and shown >= version:
                return
            await asyncio.sleep(_LOOK_EVERY_S)
