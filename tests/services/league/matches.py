"""Closed tables as the table service tells them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed

GAME = "truco-paulista"
MONDAY = datetime(2026, 11, 2, 3, tzinfo=UTC)
"""Monday, 2 November 2026, 00:00 in São Paulo."""
WEEK = "2026-11-02"
NEXT_WEEK = "2026-11-09"

PLAYERS = [str(UUID(int=number, version=4)) for number in range(1, 13)]


def closed(
    players: Sequence[str] = tuple(PLAYERS[:4]),
    winners: Sequence[int] = (0,),
    *,
    ended_at: datetime = MONDAY + timedelta(hours=20),
    match_id: str | None = None,
    abandoned: Sequence[int] = (),
    reason: view_pb2.EndReason.ValueType = view_pb2.END_REASON_FINISHED,
    game: str = GAME,
    room: view_pb2.Room.ValueType = view_pb2.ROOM_RANQUEADA,
    robots: Sequence[int] = (),
) -> TableClosed:
    """A match that is over."""
    table = TableClosed(table_id=match_id or str(uuid4()), preset=game, rules_version=1, room=room)
    for index, player_id in enumerate(players):
        is_robot = index in robots
        table.seats.add(
            index=index,
            kind=view_pb2.SEAT_KIND_ROBOT if is_robot else view_pb2.SEAT_KIND_PERSON,
            player_id="" if is_robot else player_id,
        )
    table.result.CopyFrom(
        view_pb2.Result(reason=reason, winners=winners, score=(12, 7), abandoned_seats=abandoned)
    )
    table.ended_at.FromDatetime(ended_at)
    return table
