"""Forward-only SQL migrations, run by a service when it starts, under a lock.

A migration is a file `NNNN_name.sql`, applied once, in order, each in a transaction of its own, and never edited. A
service may have migrations of its own beside the log's: each set is a *component* with its own numbers.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib import resources
from typing import Final

import msgspec
import psycopg

from libs.eventlog.errors import DatabaseNewerThanCodeError, MigrationChangedError, PartitionCountError
from libs.eventlog.streams import PARTITIONS

_FILE: Final = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_LOCK: Final = 0x63617274  # one lock for all components of a database
_LOCK_TIMEOUT_S: Final = 60
_CONNECT_TIMEOUT_S: Final = 10

EVENT_LOG: Final = "eventlog"
"""The component of the log's own migrations."""


class Migration(msgspec.Struct, frozen=True):
    """One step of a schema."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text: an applied migration is never edited."""
        return sha256(self.sql.encode()).hexdigest()


def find_migrations(package: str) -> tuple[Migration, ...]:
    """The migrations that lie in a package, such as `libs.eventlog.sql`, by number.

    Raises ValueError when the numbers are not 1, 2, 3… .
    """
    found = []
    for file in resources.files(package).iterdir():
        match = _FILE.fullmatch(file.name)
        if match is not None:
            found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations of {package} are not numbered 0001, 0002, …")
    return tuple(found)


LOG_MIGRATIONS: Final = find_migrations("libs.eventlog.sql")


async def migrate(
    conninfo: str, component: str = EVENT_LOG, migrations: Sequence[Migration] = LOG_MIGRATIONS
) -> Sequence[Migration]:
    """Bring a database to this code's schema; gives what was applied now. Safe to run from every replica at once.

    Raises DatabaseNewerThanCodeError, MigrationChangedError, PartitionCountError, and psycopg.Error when the database
    cannot be reached or a statement fails (then that migration left nothing).
    """
    async with schema_lock(conninfo) as connection:
        applied = await _applied(connection, component)
        _check(applied, component, migrations)
        missing = [migration for migration in migrations if migration.number not in applied]
        for migration in missing:
            async with connection.transaction():
                # A migration is a file of this repository, not a value from outside.
                await connection.execute(migration.sql.encode())
                await connection.execute(
                    "INSERT INTO schema_migrations (component, number, name, checksum) VALUES (%s, %s, %s, %s)",
                    (component, migration.number, migration.name, migration.checksum),
                )
        if component == EVENT_LOG:
            await _check_partitions(connection)
        return missing


@asynccontextmanager
async def schema_lock(conninfo: str) -> AsyncIterator[psycopg.AsyncConnection[tuple[object, ...]]]:
    """A connection that alone may change this database's schema for as long as the block lasts.

    Raises psycopg.Error when the database cannot be reached or another replica holds the lock for too long.
    """
    connecting = psycopg.AsyncConnection.connect(
        conninfo, autocommit=True, connect_timeout=_CONNECT_TIMEOUT_S
    )
    async with await connecting as connection:
        await connection.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT_S}s'")
        await connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        yield connection


async def _applied(
    connection: psycopg.AsyncConnection[tuple[object, ...]], component: str
) -> dict[int, tuple[str, str]]:
    await connection.execute(
        """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            component  text        NOT NULL,
            number     integer     NOT NULL,
            name       text        NOT NULL,
            checksum   text        NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (component, number)
        )
        """
    )
    cursor = await connection.execute(
        "SELECT number, name, checksum FROM schema_migrations WHERE component = %s", (component,)
    )
    return {
        int(str(number)): (str(name), str(checksum)) for number, name, checksum in await cursor.fetchall()
    }


def _check(applied: dict[int, tuple[str, str]], component: str, migrations: Sequence[Migration]) -> None:
    known = {migration.number: migration for migration in migrations}
    newest = max(applied, default=0)
    if newest > len(known):
        raise DatabaseNewerThanCodeError(
            f"the database has migration {newest} ({applied[newest][0]}) of {component}, this release knows up to "
            f"{len(known)}: start the newer release, or restore a backup from before it"
        )
    for number, (name, checksum) in applied.items():
        if known[number].checksum != checksum:
            raise MigrationChangedError(
                f"migration {number} ({name}) of {component} was applied with another text; migrations are never edited"
            )


async def _check_partitions(connection: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
    cursor = await connection.execute("SELECT partitions FROM log_settings")
    row = await cursor.fetchone()
    if row is None or row[0] != PARTITIONS:
        found = None if row is None else row[0]
        raise PartitionCountError(
            f"the database was made with {found} partitions, this release has {PARTITIONS}"
        )
