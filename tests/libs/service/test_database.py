"""A service finds its own database, made if it was missing; a Postgres that does not come is an error in time."""

import asyncio
import time

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from libs.service.database import DatabaseUnavailableError, ensure_database


async def test_a_missing_database_is_created_and_an_existing_one_kept(clean_postgres):
    own = make_conninfo(clean_postgres, dbname="carteado_accounts")
    await ensure_database(own, "accounts")
    with psycopg.connect(own) as connection:
        connection.execute("create table kept (x int)")
    await ensure_database(own, "accounts")
    with psycopg.connect(own) as connection:
        assert connection.execute("select to_regclass('kept') is not null").fetchone() == (True,)


async def test_replicas_that_start_together_agree(clean_postgres):
    own = make_conninfo(clean_postgres, dbname="carteado_table")
    await asyncio.gather(*(ensure_database(own, "table") for _ in range(6)))
    with psycopg.connect(own) as connection:
        assert connection.execute("select 1").fetchone() == (1,)


async def test_a_postgres_that_does_not_come_is_an_error_in_time(free_address):
    host, port = free_address.split(":")
    began_s = time.monotonic()
    with pytest.raises(DatabaseUnavailableError, match=r"Postgres did not answer within 0\.3 s") as failed:
        await ensure_database(f"host={host} port={port} user=x password=hunter2", "table", wait_s=0.3)
    assert time.monotonic() - began_s < 10
    assert "hunter2" not in str(failed.value)


async def test_a_role_that_may_not_create_databases_is_told_what_to_do(clean_postgres):
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as administrator:
        administrator.execute("create role without_rights login password 'hunter2'")
        try:
            with pytest.raises(
                DatabaseUnavailableError, match=r"give the role CREATEDB, or create carteado_table"
            ):
                await ensure_database(
                    make_conninfo(clean_postgres, user="without_rights", password="hunter2"), "table"
                )
        finally:
            administrator.execute("drop role without_rights")
