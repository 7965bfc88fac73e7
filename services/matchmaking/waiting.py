"""The projection of what waits: open tables, tickets, matches that are not over."""

from __future__ import annotations

from typing import LiteralString
from uuid import UUID

from libs.eventlog.connections import Connection
from libs.eventlog.projection import LogEvent, Projection, read_tables
from services.matchmaking.events import (
    REGISTRY,
    MatchFormed,
    MatchmakingEvent,
    MatchOver,
    MatchStarted,
    MatchVoided,
    PlayerFreed,
    PlayerMatched,
    PlayerQueued,
    SeatLeft,
    SeatTaken,
    TableDeserted,
    TableFilled,
    TableOpened,
)

_OPEN: LiteralString = "INSERT INTO open_tables (table_id, preset, seats, opened_at) VALUES (%s, %s, array_fill(NULL::uuid, ARRAY[%s]), %s)"
_SEAT: LiteralString = "UPDATE open_tables SET seats[%s] = %s, taken = taken + %s WHERE table_id = %s"
_CLOSE: LiteralString = "DELETE FROM open_tables WHERE table_id = %s"
_QUEUE: LiteralString = "INSERT INTO tickets (player_id, ticket_id, preset, since) VALUES (%s, %s, %s, %s)"
_UNQUEUE: LiteralString = "DELETE FROM tickets WHERE player_id = %s"
_FORM: LiteralString = "INSERT INTO matches (match_id, status, formed_at) VALUES (%s, 'formed', %s)"
_STATUS: LiteralString = "UPDATE matches SET status = %s WHERE match_id = %s"
_OVER: LiteralString = "DELETE FROM matches WHERE match_id = %s"


async def _apply(connection: Connection, logged: LogEvent[MatchmakingEvent]) -> None:
    match logged.event:
        case TableOpened() as opened:
            row = (UUID(opened.table_id), opened.preset, opened.seats, opened.at)
            await connection.execute(_OPEN, row)
        case SeatTaken() as taken:
            seat = (taken.seat + 1, UUID(taken.player_id), 1, UUID(taken.table_id))
            await connection.execute(_SEAT, seat)
        case SeatLeft() as left:
            await connection.execute(_SEAT, (left.seat + 1, None, -1, UUID(left.table_id)))
        case TableFilled() | TableDeserted() as closed:
            await connection.execute(_CLOSE, (UUID(closed.table_id),))
        case PlayerQueued() as queued:
            ticket = (UUID(queued.player_id), UUID(queued.ticket_id), queued.preset, queued.at)
            await connection.execute(_QUEUE, ticket)
        case PlayerMatched() | PlayerFreed() as gone:
            await connection.execute(_UNQUEUE, (UUID(gone.player_id),))
        case MatchFormed() as formed:
            await connection.execute(_FORM, (UUID(formed.match_id), formed.at))
        case MatchStarted() as started:
            await connection.execute(_STATUS, ("started", UUID(started.match_id)))
        case MatchVoided() as voided:
            await connection.execute(_STATUS, ("voided", UUID(voided.match_id)))
        case MatchOver() as over:
            await connection.execute(_OVER, (UUID(over.match_id),))
        case _:
            return


WAITING = Projection(
    name="waiting",
    version=1,
    tables=read_tables("services.matchmaking", "waiting.sql"),
    registry=REGISTRY,
    apply=_apply,
)
