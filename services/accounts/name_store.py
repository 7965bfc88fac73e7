"""Where display names are kept: plain tables beside the log, because a name can be changed and erased.

A name belongs to whoever's row for its key came first: the table's primary key is the only arbiter of a race.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from libs.eventlog.connections import Connection
from services.accounts.name_keys import KEYS_VERSION, name_key
from services.accounts.suggestions import similar_names
from services.accounts.tables import PlainTables, fetch

HELD = timedelta(days=30)
"""How long a name that was given up or erased stays taken, so that nobody passes for its owner at once."""

MOST_HELD = 5
"""Names that are held for one player: whoever tries out more loses the oldest, or one player could keep thousands taken."""

ORPHAN_AFTER_S = 60
"""A claim whose player was not registered within this time was cut short, and anyone may have the name."""

_PAGE = 500

_CLAIM = """
    INSERT INTO name_claims (key, player_id) VALUES (%s, %s)
    ON CONFLICT (key) DO UPDATE SET player_id = excluded.player_id, claimed_at = now(), held_until = NULL
        WHERE name_claims.player_id = excluded.player_id OR name_claims.held_until <= now()
    RETURNING key
"""
_OWNER = """
    SELECT player_id::text, held_until IS NULL AND claimed_at < now() - make_interval(secs => %s)
    FROM name_claims WHERE key = %s
"""
_HOLD_OTHERS = """
    UPDATE name_claims SET held_until = now() + %s
    WHERE player_id = %s AND key <> %s AND held_until IS NULL
"""
_FREE_OLDEST = """
    DELETE FROM name_claims WHERE key IN (
        SELECT key FROM name_claims WHERE player_id = %s AND held_until IS NOT NULL
        ORDER BY held_until DESC, key OFFSET %s
    )
"""
_FIRST = """
    INSERT INTO display_names (player_id, name, first_key, keys_version) VALUES (%s, %s, %s, %s)
    ON CONFLICT (player_id) DO NOTHING RETURNING name
"""
_RENAME = """
    INSERT INTO display_names (player_id, name, first_key, keys_version) VALUES (%s, %s, %s, %s)
    ON CONFLICT (player_id) DO UPDATE
        SET name = excluded.name, set_at = now(), keys_version = excluded.keys_version
"""


class Named(msgspec.Struct, frozen=True):
    """The player has this name."""

    name: str


class Taken(msgspec.Struct, frozen=True):
    """Somebody else has the name. `orphan` is whose claim it is if nobody was registered with it in time."""

    orphan: str | None = None


class RegisteredAs(msgspec.Struct, frozen=True):
    """The player was registered with another name."""


class NameStore:
    """The tables `display_names` and `name_claims`. Everything here raises LogUnavailableError."""

    def __init__(self, tables: PlainTables) -> None:
        """The tables must be there (`migrate_tables`)."""
        self._tables = tables

    async def register(self, player_id: str, name: str) -> Named | Taken | RegisteredAs:
        """Gives a new player their first name; said again, gives the name that the player has now."""
        key = name_key(name)

        async def work(connection: Connection) -> Named | Taken | RegisteredAs:
            # Whoever registers the same player at the same time waits here for this transaction's end.
            if await fetch(connection, _FIRST, UUID(player_id), name, key, KEYS_VERSION):
                taken = await _claim(connection, player_id, key)
                if taken is None:
                    return Named(name)
                await fetch(connection, "DELETE FROM display_names WHERE player_id = %s", UUID(player_id))
                return taken
            ((current, first_key),) = await fetch(
                connection, "SELECT name, first_key FROM display_names WHERE player_id = %s", UUID(player_id)
            )
            return Named(current) if bytes(first_key or name_key(current)) == key else RegisteredAs()

        return await self._tables.transact(work)

    async def rename(self, player_id: str, name: str) -> Named | Taken:
        """Gives a player another name, or their first; the old one is held for `HELD`, of several the last `MOST_HELD`."""
        key = name_key(name)

        async def work(connection: Connection) -> Named | Taken:
            if (taken := await _claim(connection, player_id, key)) is not None:
                return taken
            await fetch(connection, _HOLD_OTHERS, HELD, UUID(player_id), key)
            await fetch(connection, _FREE_OLDEST, UUID(player_id), MOST_HELD)
            await fetch(connection, _RENAME, UUID(player_id), name, key, KEYS_VERSION)
            return Named(name)

        return await self._tables.transact(work)

    async def suggestion(self, name: str) -> str | None:
        """A name like this one that nobody has now, or None if none of a few is free."""
        candidates = {name_key(candidate): candidate for candidate in similar_names(name)}
        rows = await self._tables.execute(
            "SELECT key FROM name_claims WHERE key = ANY(%s) AND (held_until IS NULL OR held_until > now())",
            list(candidates),
        )
        taken = {bytes(key) for (key,) in rows}
        return next((candidate for key, candidate in candidates.items() if key not in taken), None)

    async def names(self, player_ids: Sequence[str]) -> Mapping[str, str]:
        """The names that are known, by player id."""
        rows = await self._tables.execute(
            "SELECT player_id::text, name FROM display_names WHERE player_id = ANY(%s)",
            [UUID(player_id) for player_id in player_ids],
        )
        return dict(rows)

    async def find(self, name: str) -> tuple[str, str] | None:
        """The id and name of the player who has this name, or one that looks like it."""
        rows = await self._tables.execute(
            "SELECT n.player_id::text, n.name FROM name_claims c JOIN display_names n USING (player_id) "
            "WHERE c.key = %s AND c.held_until IS NULL",
            name_key(name),
        )
        return rows[0] if rows else None

    async def release(self, player_id: str) -> None:
        """Deletes a player's name; it is held for `HELD` without saying whose it was."""

        async def work(connection: Connection) -> None:
            await fetch(connection, "DELETE FROM display_names WHERE player_id = %s", UUID(player_id))
            await fetch(
                connection,
                "UPDATE name_claims SET player_id = NULL, held_until = coalesce(held_until, now() + %s) "
                "WHERE player_id = %s",
                HELD,
                UUID(player_id),
            )

        await self._tables.transact(work)

    async def drop_orphan(self, player_id: str) -> None:
        """Frees the name of a player who was never registered."""

        async def work(connection: Connection) -> None:
            await fetch(connection, "DELETE FROM display_names WHERE player_id = %s", UUID(player_id))
            await fetch(connection, "DELETE FROM name_claims WHERE player_id = %s", UUID(player_id))

        await self._tables.transact(work)

    async def key_all(self) -> None:
        """Claims the names that older rules know: those of before there were claims, or of an older table.

        The first of two that look alike keeps it; the other gets the suggestion, and may choose again.
        """
        while rows := await self._tables.execute(
            "SELECT player_id::text, name FROM display_names WHERE keys_version < %s "
            "ORDER BY set_at, player_id LIMIT %s",
            KEYS_VERSION,
            _PAGE,
        ):
            for player_id, name in rows:
                await self._key(player_id, name)

    async def _key(self, player_id: str, name: str) -> None:
        for candidate in (name, *similar_names(name)):
            if isinstance(await self.rename(player_id, candidate), Named):
                break
        await self._tables.execute(
            "UPDATE display_names SET keys_version = %s, first_key = coalesce(first_key, %s) WHERE player_id = %s",
            KEYS_VERSION,
            name_key(name),
            UUID(player_id),
        )


async def _claim(connection: Connection, player_id: str, key: bytes) -> Taken | None:
    """Takes a name's key, waiting for whoever is about to; None if it is the player's now."""
    if await fetch(connection, _CLAIM, key, UUID(player_id)):
        return None
    owners = await fetch(connection, _OWNER, ORPHAN_AFTER_S, key)
    return Taken(owners[0][0] if owners and owners[0][1] else None)
