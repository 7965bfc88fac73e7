"""The servers that the other tests stand on."""

import nats
import psycopg
import pytest


def test_two_tests_never_share_a_database_part_one(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE facts (id int PRIMARY KEY)")


def test_two_tests_never_share_a_database_part_two(database: str) -> None:
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT to_regclass('facts')").fetchone()
    assert found == (None,)


def test_the_server_asks_for_the_password(postgres_server: str) -> None:
    without = " ".join(part for part in postgres_server.split() if not part.startswith("password="))
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(without, dbname="postgres")


def test_services_find_none_of_their_databases(clean_postgres: str) -> None:
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE carteado_table")


def test_services_still_find_none_of_their_databases(clean_postgres: str) -> None:
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE carteado_table")


async def test_streams_of_an_earlier_test_are_gone_part_one(nats_url: str) -> None:
    client = await nats.connect(nats_url)
    await client.jetstream().add_stream(name="earlier", subjects=["earlier.>"])
    await client.jetstream().publish("earlier.one", b"1")
    await client.close()


async def test_streams_of_an_earlier_test_are_gone_part_two(nats_url: str) -> None:
    client = await nats.connect(nats_url)
    assert await client.jetstream().streams_info() == []
    await client.close()
