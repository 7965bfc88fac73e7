from __future__ import annotations

import asyncio

import psycopg
import pytest

from libs.eventlog.errors import DatabaseNewerThanCodeError, MigrationChangedError, PartitionCountError
from libs.eventlog.migrations import LOG_MIGRATIONS, Migration, find_migrations, migrate
from libs.eventlog.postgres import PostgresStore

ONE = Migration(1, "one", "CREATE TABLE one (x integer)")
TWO = Migration(2, "two", "CREATE TABLE two (x integer); INSERT INTO two VALUES (1)")
BROKEN = Migration(2, "broken", "CREATE TABLE two (x integer); INSERT INTO two VALUES ('x')")


def rows(conninfo: str, query: str) -> list[tuple]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return connection.execute(query).fetchall()


def test_the_migrations_of_the_log_are_numbered_from_one():
    assert [migration.number for migration in LOG_MIGRATIONS] == list(range(1, len(LOG_MIGRATIONS) + 1))
    assert find_migrations("libs.eventlog.sql") == LOG_MIGRATIONS


async def test_each_migration_is_applied_once(database):
    assert await migrate(database, "x", [ONE]) == [ONE]
    assert await migrate(database, "x", [ONE]) == []
    assert await migrate(database, "x", [ONE, TWO]) == [TWO]
    assert rows(database, "SELECT number, name FROM schema_migrations ORDER BY number") == [
        (1, "one"),
        (2, "two"),
    ]


async def test_many_replicas_migrate_at_once(database):
    applied = await asyncio.gather(*(migrate(database) for _ in range(6)))
    assert sorted(len(some) for some in applied) == [0] * 5 + [len(LOG_MIGRATIONS)]


async def test_components_are_numbered_apart(database):
    await migrate(database, "x", [ONE])
    assert await migrate(database, "y", [Migration(1, "other", "CREATE TABLE other (x integer)")]) != []


async def test_a_migration_that_fails_leaves_nothing_of_itself(database):
    with pytest.raises(psycopg.Error):
        await migrate(database, "x", [ONE, BROKEN])
    assert rows(database, "SELECT number FROM schema_migrations") == [(1,)]
    assert rows(database, "SELECT to_regclass('two')") == [(None,)]
    assert await migrate(database, "x", [ONE, TWO]) == [TWO]


async def test_a_database_of_a_newer_release_is_refused(database):
    await migrate(database, "x", [ONE, TWO])
    with pytest.raises(
        DatabaseNewerThanCodeError, match=r"migration 2 \(two\) of x, this release knows up to 1"
    ):
        await migrate(database, "x", [ONE])


async def test_a_log_of_a_newer_release_is_refused_at_start(database):
    newer = Migration(len(LOG_MIGRATIONS) + 1, "newer", "SELECT 1")
    await migrate(database, migrations=[*LOG_MIGRATIONS, newer])
    with pytest.raises(DatabaseNewerThanCodeError):
        await PostgresStore.open(database)


async def test_a_migration_that_was_edited_is_refused(database):
    await migrate(database, "x", [ONE])
    with pytest.raises(MigrationChangedError, match=r"migration 1 \(one\)"):
        await migrate(database, "x", [Migration(1, "one", "CREATE TABLE one (y integer)")])


async def test_another_number_of_partitions_is_refused(database):
    await migrate(database)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE log_settings SET partitions = 32")
    with pytest.raises(PartitionCountError, match="32 partitions, this release has 16"):
        await migrate(database)
