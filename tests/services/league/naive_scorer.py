"""A second, independent scorer of the Liga, as plain as can be, to compare the service with.

It shares no code with the service: it takes all closed tables at once, in any order and as often as they come, and
works the whole table out from the start, with the published numbers written here once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from carteado.table.v1.events_pb2 import TableClosed

HOME = ZoneInfo("America/Sao_Paulo")
RANQUEADA, PERSON, FINISHED, ABANDONED = 2, 1, 1, 2
POINTS = {"win": 100, "draw": 50, "loss": 10}


class Line(NamedTuple):
    """A line of a table, in the order of the table."""

    player_id: str
    points: int
    matches: int
    wins: int
    abandoned: int
    reached_at: datetime


def score(tables: Iterable[TableClosed]) -> dict[tuple[str, str], list[Line]]:
    """The lines by place for each (game, week's Monday), all leagues of the game together."""
    results = {}
    for table in tables:
        if table.room != RANQUEADA or "@" in table.preset or table.result.reason not in (FINISHED, ABANDONED):
            continue
        for seat in table.seats:
            if seat.kind == PERSON:
                outcome = _outcome(table, seat.index)
                if outcome is not None:
                    ended = table.ended_at.ToDatetime(tzinfo=UTC)
                    results[seat.player_id, table.table_id] = (table.preset, ended, outcome)
    of_day = defaultdict(list)
    for (player, match), (game, ended, outcome) in results.items():
        of_day[player, game, ended.astimezone(HOME).date()].append((ended, match, outcome))
    lines = {}
    for (player, game, day), matches in of_day.items():
        monday = (day - timedelta(days=day.weekday())).isoformat()
        for number, (ended, _, outcome) in enumerate(sorted(matches)):
            if outcome == "abandoned":
                points = -200
            else:
                points = POINTS[outcome] * 3 // 2 if number < 3 else POINTS[outcome]
            known = lines.get((game, monday, player), Line(player, 0, 0, 0, 0, ended))
            lines[game, monday, player] = Line(
                player,
                known.points + points,
                known.matches + 1,
                known.wins + (outcome == "win"),
                known.abandoned + (outcome == "abandoned"),
                max(known.reached_at, ended),
            )
    weeks = defaultdict(list)
    for (game, monday, _), line in lines.items():
        weeks[game, monday].append(line)
    return {
        key: sorted(found, key=lambda line: (-line.points, line.reached_at, line.player_id))
        for key, found in weeks.items()
    }


def _outcome(table: TableClosed, seat: int) -> str | None:
    if seat in table.result.abandoned_seats:
        return "abandoned"
    if table.result.reason == ABANDONED:
        return None
    side = seat if table.preset in ("mau-mau", "cacheta") else seat % 2
    winners = list(table.result.winners)
    if winners == [side]:
        return "win"
    return "draw" if side in winners or not winners else "loss"
