"""The projection of accounts: who is whose friend, who blocks whom, who is kept out. Ids and times, nothing else."""

from __future__ import annotations

from datetime import datetime
from typing import LiteralString, assert_never
from uuid import UUID

from libs.eventlog.connections import Connection
from libs.eventlog.projection import LogEvent, Projection, read_tables
from libs.eventlog.registry import EventRegistry
from libs.service.tokens import LONGEST_TOKEN_LIFE
from services.accounts.events import (
    FriendshipBegan,
    FriendshipEnded,
    FriendshipRequested,
    PairEvent,
    PlayerBanned,
    PlayerBlocked,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerUnbanned,
    PlayerUnblocked,
    SessionRevoked,
    register_pair_events,
    register_player_events,
)

AccountsEvent = PlayerEvent | PairEvent

_RELATE: LiteralString = """
    INSERT INTO relations (player_id, other_id, status, since, version) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (player_id, other_id) DO UPDATE
        SET status = excluded.status, since = excluded.since, version = excluded.version
"""
_BLOCK: LiteralString = """
    INSERT INTO relations (player_id, other_id, status, since, blocked_at, version)
    VALUES (%(by)s, %(other)s, 'none', %(at)s, %(blocked_at)s, %(version)s)
    ON CONFLICT (player_id, other_id) DO UPDATE
        SET blocked_at = excluded.blocked_at, version = excluded.version
"""
_BAR: LiteralString = """
    INSERT INTO barred (id, cause, until, changed_at) VALUES (%s, %s, %s, clock_timestamp())
    ON CONFLICT (id) DO UPDATE
        SET cause = excluded.cause, until = excluded.until, changed_at = excluded.changed_at
"""


async def _apply(connection: Connection, logged: LogEvent[AccountsEvent]) -> None:
    event, at, version = logged.event, logged.stored.recorded_at, logged.stored.version
    match event:
        case PlayerRegistered():
            return
        case SessionRevoked():
            await _bar(connection, event.session_id, "session_revoked", event.until)
        case PlayerBanned():
            await _bar(connection, event.player_id, "banned", event.until)
        case PlayerUnbanned():
            await _bar(connection, event.player_id, "banned", at)
        case PlayerErased():
            await _bar(connection, event.player_id, "erased", at + LONGEST_TOKEN_LIFE)
        case FriendshipRequested():
            await _relate(connection, event.by, event.other, ("asked", "asked_by_other"), at, version)
        case FriendshipBegan():
            await _relate(connection, event.by, event.other, ("friends", "friends"), at, version)
        case FriendshipEnded():
            await _relate(connection, event.by, event.other, ("none", "none"), at, version)
        case PlayerBlocked():
            await _block(connection, event.by, event.other, at, version, is_blocked=True)
        case PlayerUnblocked():
            await _block(connection, event.by, event.other, at, version, is_blocked=False)
        case _:
            assert_never(event)


async def _bar(connection: Connection, subject_id: str, cause: str, until: datetime | None) -> None:
    await connection.execute(_BAR, (UUID(subject_id), cause, until))


async def _relate(
    connection: Connection, by: str, other: str, statuses: tuple[str, str], at: datetime, version: int
) -> None:
    for player_id, other_id, status in ((by, other, statuses[0]), (other, by, statuses[1])):
        await connection.execute(_RELATE, (UUID(player_id), UUID(other_id), status, at, version))


async def _block(
    connection: Connection, by: str, other: str, at: datetime, version: int, *, is_blocked: bool
) -> None:
    row = {
        "by": UUID(by),
        "other": UUID(other),
        "at": at,
        "blocked_at": at if is_blocked else None,
        "version": version,
    }
    await connection.execute(_BLOCK, row)


def _registry() -> EventRegistry[AccountsEvent]:
    registry: EventRegistry[AccountsEvent] = EventRegistry()
    register_player_events(registry)
    register_pair_events(registry)
    return registry


STANDING = Projection(
    name="standing",
    version=1,
    tables=read_tables("services.accounts", "standing.sql"),
    registry=_registry(),
    apply=_apply,
)
