"""What is asked of the projection: pages of a table, a player's standing, weeks, trophies and skills."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, LiteralString

import msgspec

from libs.eventlog.connections import Connection, ReaderPool
from libs.eventlog.errors import LogUnavailableError
from services.league.league_week import Entry
from services.league.policy import LEAGUES, Feat, League
from services.league.standings import STANDINGS

_CONNECTIONS: Final = 4

_PAGE: LiteralString = """
    SELECT * FROM (
        SELECT row_number() OVER (ORDER BY points DESC, reached_at, player_id) AS place, player_id::text, points,
               matches, wins, abandoned, reached_at
        FROM week_points WHERE game = %(game)s AND week = %(week)s AND league = %(league)s
    ) AS placed WHERE place >= %(from_place)s ORDER BY place LIMIT %(limit)s
"""
_ONE: LiteralString = """
    SELECT * FROM (
        SELECT row_number() OVER (ORDER BY points DESC, reached_at, player_id) AS place, player_id::text, points,
               matches, wins, abandoned, reached_at
        FROM week_points WHERE game = %(game)s AND week = %(week)s AND league = %(league)s
    ) AS placed WHERE player_id = %(player)s
"""
_PLAYERS: LiteralString = """
    SELECT count(*) FROM week_points WHERE game = %(game)s AND week = %(week)s AND league = %(league)s
"""
_LEAGUE: LiteralString = """
    SELECT coalesce(
        (SELECT league FROM week_points WHERE game = %(game)s AND week = %(week)s AND player_id = %(player)s::uuid),
        (SELECT next_league FROM placements
         WHERE game = %(game)s AND player_id = %(player)s::uuid AND week < %(week)s ORDER BY week DESC LIMIT 1),
        1
    )
"""
_STATUS: LiteralString = "SELECT status FROM weeks WHERE game = %(game)s AND week = %(week)s"
_WEEKS: LiteralString = (
    "SELECT week, status, closes_at FROM weeks WHERE game = %s ORDER BY week DESC LIMIT %s"
)
_ENDED: LiteralString = "SELECT game, week FROM weeks WHERE status = 'ended' ORDER BY week, game LIMIT 100"
_TROPHIES: LiteralString = """
    SELECT game, week, league, place, points FROM trophies
    WHERE player_id = %(player)s::uuid AND (%(game)s::text IS NULL OR game = %(game)s)
    ORDER BY week DESC, game LIMIT %(limit)s
"""
_MEDALS: LiteralString = """
    SELECT wins, match_id::text FROM medals WHERE game = %s AND player_id = %s::uuid ORDER BY wins
"""
_ACHIEVEMENTS: LiteralString = """
    SELECT feat, match_id::text, version, ended_at FROM achievements
    WHERE game = %s AND player_id = %s::uuid ORDER BY ended_at, feat
"""
_TOTALS: LiteralString = "SELECT wins, matches FROM players WHERE game = %s AND player_id = %s::uuid"
_SKILLS: LiteralString = """
    SELECT player_id::text, mu, sigma FROM players WHERE game = %s AND player_id = ANY(%s::uuid[])
"""
_ENTRIES: LiteralString = """
    SELECT league, player_id::text, points, reached_at FROM week_points WHERE game = %s AND week = %s
"""
_HEADS: LiteralString = "SELECT partition, position FROM public.partition_counters"
_BEHIND: LiteralString = """
    SELECT EXISTS (
        SELECT FROM projected_positions
        JOIN unnest(%s::smallint[], %s::bigint[]) AS head (partition, position) USING (partition)
        WHERE projected_positions.position < head.position
    )
"""


Values = Mapping[str, object] | Sequence[object]


class Row(msgspec.Struct, frozen=True):
    """A player's row of a table."""

    place: int
    player_id: str
    points: int
    matches: int
    wins: int
    abandoned: int
    reached_at: datetime


class Trophy(msgspec.Struct, frozen=True):
    """A place among the first three."""

    game: str
    week: date
    league: int
    place: int
    points: int


class Achievement(msgspec.Struct, frozen=True):
    """A feat, and the event that earned it: the version of the match's table."""

    feat: Feat
    match_id: str
    version: int
    ended_at: datetime


class Reads:
    """Reads the projection over a few connections; every method raises LogUnavailableError."""

    def __init__(self, conninfo: str) -> None:
        """Connects when it is asked; the projection's tables must be there."""
        self._connections = ReaderPool(conninfo, size=_CONNECTIONS)

    async def page(self, game: str, week: str, league: int, from_place: int, limit: int) -> list[Row]:
        """The rows from a place on."""
        values = _where(game, week, league) | {"from_place": from_place, "limit": limit}
        return [Row(*row) for row in await self._fetch(_PAGE, values)]

    async def row(self, game: str, week: str, league: int, player_id: str) -> Row | None:
        """A player's row, if there is one in this table."""
        rows = await self._fetch(_ONE, _where(game, week, league) | {"player": player_id})
        return Row(*rows[0]) if rows else None

    async def players(self, game: str, week: str, league: int) -> int:
        """How many players a table has."""
        ((players,),) = await self._fetch(_PLAYERS, _where(game, week, league))
        return int(players)

    async def league(self, game: str, week: str, player_id: str) -> int:
        """The league in which the player plays this week."""
        values = {"game": game, "week": date.fromisoformat(week), "player": player_id}
        ((league,),) = await self._fetch(_LEAGUE, values)
        return int(league)

    async def is_closed(self, game: str, week: str) -> bool:
        """Whether the week's places stand."""
        rows = await self._fetch(_STATUS, {"game": game, "week": date.fromisoformat(week)})
        return rows == [("closed",)]

    async def weeks(self, game: str, limit: int) -> list[tuple[date, str, datetime]]:
        """The newest weeks: Monday, status, when it closes."""
        return [(week, status, at) for week, status, at in await self._fetch(_WEEKS, (game, limit))]

    async def ended_weeks(self) -> list[tuple[str, str]]:
        """Games and weeks that are over and not closed, the earliest first."""
        return [(game, week.isoformat()) for game, week in await self._fetch(_ENDED, ())]

    async def trophies(self, player_id: str, game: str | None, limit: int) -> list[Trophy]:
        """A player's newest trophies, of one game or of all."""
        values = {"player": player_id, "game": game, "limit": limit}
        return [Trophy(*row) for row in await self._fetch(_TROPHIES, values)]

    async def medals(self, game: str, player_id: str) -> list[tuple[int, str]]:
        """A player's medals in a game: wins, and the match that was counted last."""
        return [(wins, match) for wins, match in await self._fetch(_MEDALS, (game, player_id))]

    async def achievements(self, game: str, player_id: str) -> list[Achievement]:
        """A player's achievements in a game, the oldest first."""
        return [Achievement(*row) for row in await self._fetch(_ACHIEVEMENTS, (game, player_id))]

    async def totals(self, game: str, player_id: str) -> tuple[int, int]:
        """A player's wins and matches in a game, all weeks together."""
        rows = await self._fetch(_TOTALS, (game, player_id))
        return (int(rows[0][0]), int(rows[0][1])) if rows else (0, 0)

    async def skills(self, game: str, player_ids: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Mean and deviation of the players that were ever rated."""
        rows = await self._fetch(_SKILLS, (game, list(player_ids)))
        return {player_id: (mu, sigma) for player_id, mu, sigma in rows}

    async def entries(self, game: str, week: str) -> dict[League, tuple[Entry, ...]]:
        """What every player of a week has, by league."""
        entries: dict[League, list[Entry]] = {league: [] for league in LEAGUES}
        for league, *entry in await self._fetch(_ENTRIES, (game, date.fromisoformat(week))):
            entries[LEAGUES[league - 1]].append(Entry(*entry))
        return {league: tuple(found) for league, found in entries.items() if found}

    async def heads(self) -> dict[int, int]:
        """How far the log has come, by partition."""
        return dict(await self._fetch(_HEADS, ()))

    async def has_reached(self, heads: dict[int, int]) -> bool:
        """Whether the projection has come as far as this."""
        ((is_behind,),) = await self._fetch(_BEHIND, (list(heads), list(heads.values())))
        return not is_behind

    async def is_reachable(self) -> bool:
        """Whether the database answers now."""
        try:
            await self._fetch("SELECT 1", ())
        except LogUnavailableError:
            return False
        return True

    async def close(self) -> None:
        """Closes the connections."""
        await self._connections.close()

    async def _fetch(self, statement: LiteralString, values: Values) -> list[tuple[Any, ...]]:
        run: Callable[[Connection], Awaitable[list[tuple[Any, ...]]]] = _read(statement, values)
        return await self._connections.run(run)


def _read(
    statement: LiteralString, values: Values
) -> Callable[[Connection], Awaitable[list[tuple[Any, ...]]]]:
    async def run(connection: Connection) -> list[tuple[Any, ...]]:
        async with connection.transaction():
            await connection.execute(
                "SELECT set_config('search_path', %s, true)", (f"{STANDINGS.schema}, public",)
            )
            cursor = await connection.execute(statement, values)
            return await cursor.fetchall()

    return run


def _where(game: str, week: str, league: int) -> dict[str, Any]:
    return {"game": game, "week": date.fromisoformat(week), "league": league}
