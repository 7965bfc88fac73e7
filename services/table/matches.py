"""The projection `matches`: a row for every match, so that lists need not read the matches themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, LiteralString

from psycopg import sql

from libs.eventlog.connections import Connection
from libs.eventlog.projection import LogEvent, Projection, read_tables
from libs.eventlog.streams import parse_stream
from services.table.events import TableEnded, TableEvent, TableOpened
from services.table.registry import REGISTRY

_OPEN: Final[LiteralString] = """
    INSERT INTO matches (table_id, preset, rules_version, players, robots, status, began_at)
    VALUES (%s, %s, %s, %s, %s, 'running', %s)
"""
_END: Final[LiteralString] = """
    UPDATE matches SET status = %s, ended_at = %s, winners = %s, score = %s, abandoned_seats = %s WHERE table_id = %s
"""
_LIST: Final[LiteralString] = (
    "SELECT table_id, preset, status, score FROM {}.matches WHERE table_id = ANY(%s)"
)


async def _apply(connection: Connection, logged: LogEvent[TableEvent]) -> None:
    event = logged.event
    match event:
        case TableOpened():
            players = [seat.player_id for seat in event.seats]
            robots = [seat.robot for seat in event.seats]
            row = (
                event.table_id,
                event.preset,
                event.rules_version,
                players,
                robots,
                logged.stored.recorded_at,
            )
            await connection.execute(_OPEN, row)
        case TableEnded():
            table_id = parse_stream(logged.stored.stream).id
            lists = (list(event.winners), list(event.score), list(event.abandoned_seats))
            await connection.execute(_END, (event.reason, event.ended_at, *lists, table_id))
        case _:
            pass  # a game's own events and the clocks change no row


MATCHES = Projection(
    "matches",
    1,
    read_tables("services.table", "matches.sql"),
    REGISTRY,
    _apply,
    reads=(TableOpened, TableEnded),
)


async def listed_matches(
    connection: Connection, table_ids: Sequence[str]
) -> Mapping[str, tuple[str, str, Sequence[int]]]:
    """Preset, status and score of the matches that the projection knows, by table id. Raises psycopg.Error."""
    query = sql.SQL(_LIST).format(sql.Identifier(MATCHES.schema))
    cursor = await connection.execute(query, (list(table_ids),))
    return {
        table_id: (preset, status, score or ()) for table_id, preset, status, score in await cursor.fetchall()
    }
