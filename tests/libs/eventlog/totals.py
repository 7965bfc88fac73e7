"""A toy projection over the counter's events: a row a counter, and a row a number over all partitions."""

from __future__ import annotations

from typing import Any

import psycopg

from libs.eventlog.connections import Connection
from libs.eventlog.projection import LogEvent, Projection
from libs.eventlog.streams import parse_stream
from tests.libs.eventlog.counter import Added, Ended, Event, Started, registry

TABLES = """
CREATE TABLE totals (
    counter text PRIMARY KEY,
    total   integer NOT NULL,
    added   integer NOT NULL,
    ended   boolean NOT NULL
);
CREATE TABLE numbers (number integer PRIMARY KEY, times integer NOT NULL);
"""


async def apply(connection: Connection, fact: LogEvent[Event]) -> None:
    """Deliberately not repeatable: applying an event twice, or not at all, shows."""
    counter = parse_stream(fact.stored.stream).id
    match fact.event:
        case Started():
            await connection.execute("INSERT INTO totals VALUES (%s, 0, 0, false)", (counter,))
        case Added(number):
            await connection.execute(
                "UPDATE totals SET total = total + %s, added = added + 1 WHERE counter = %s",
                (number, counter),
            )
            await connection.execute(
                """
                INSERT INTO numbers AS n VALUES (%s, 1)
                ON CONFLICT (number) DO UPDATE SET times = n.times + 1
                """,
                (number,),
            )
        case Ended():
            await connection.execute("UPDATE totals SET ended = true WHERE counter = %s", (counter,))
        case _:
            pass


TOTALS: Projection[Event] = Projection("totals", 1, TABLES, registry(), apply)


def rows(conninfo: str, schema: str = TOTALS.schema) -> tuple[list[Any], list[Any], list[Any]]:
    """All that the projection holds: totals, numbers, positions."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return (
            connection.execute(f"SELECT * FROM {schema}.totals ORDER BY counter").fetchall(),
            connection.execute(f"SELECT * FROM {schema}.numbers ORDER BY number").fetchall(),
            connection.execute(
                f"SELECT partition, position FROM {schema}.projected_positions ORDER BY partition"
            ).fetchall(),
        )


def reference(conninfo: str) -> tuple[list[Any], list[Any], list[Any]]:
    """The same, asked of the log itself."""
    added = "type = 'CounterAdded'"
    number = "(payload ->> 'number')::integer"
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return (
            connection.execute(
                f"""
                SELECT substr(stream, length('counter-00-') + 1), coalesce(sum({number}) FILTER (WHERE {added}), 0)::int,
                       count(*) FILTER (WHERE {added})::int, bool_or(type = 'CounterEnded')
                FROM events GROUP BY stream ORDER BY 1
                """
            ).fetchall(),
            connection.execute(
                f"SELECT {number}, count(*)::int FROM events WHERE {added} GROUP BY 1 ORDER BY 1"
            ).fetchall(),
            connection.execute(
                "SELECT partition, position FROM partition_counters ORDER BY partition"
            ).fetchall(),
        )
