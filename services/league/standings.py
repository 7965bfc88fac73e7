"""The projection of the Liga: tables by place, standings, trophies, medals and achievements. Ids and numbers, nothing else.

Which league a week is played in follows from another stream than its points do. The two come in any order, from two
partitions at once, so every event is applied under one lock and sees what the other has written.
"""

from __future__ import annotations

from datetime import date
from typing import LiteralString, assert_never
from uuid import UUID

from libs.eventlog.connections import Connection
from libs.eventlog.projection import LogEvent, Projection, read_tables
from services.league.events import (
    REGISTRY,
    AchievementWon,
    LateMatchScored,
    LeagueEvent,
    MatchRescored,
    MatchScored,
    MedalWon,
    PlayersPlaced,
    PlayerWeekSealed,
    ResultCounted,
    StandingBegun,
    StandingEnded,
    TrophyWon,
    WeekClosed,
    WeekEnded,
    WeekOpened,
)
from services.league.policy import LEAGUES, League

_LOCK: LiteralString = (
    "SELECT pg_advisory_xact_lock(hashtext('league standings'), hashtext(current_schema()))"
)
_SCORE: LiteralString = """
    INSERT INTO week_points AS known
        (game, week, player_id, league, points, reached_at, matches, wins, abandoned)
    VALUES (%(game)s, %(week)s, %(player)s, coalesce((
        SELECT next_league FROM placements
        WHERE game = %(game)s AND player_id = %(player)s AND week < %(week)s ORDER BY week DESC LIMIT 1
    ), 1), %(total)s, %(reached_at)s, 1, %(won)s, %(abandoned)s)
    ON CONFLICT (game, week, player_id) DO UPDATE
        SET points = excluded.points, reached_at = excluded.reached_at, matches = known.matches + 1,
            wins = known.wins + excluded.wins, abandoned = known.abandoned + excluded.abandoned
"""
_MATCH: LiteralString = """
    INSERT INTO match_points (player_id, match_id, game, week, ended_at, outcome, percent, points, is_late)
    VALUES (%(player)s, %(match)s, %(game)s, %(week)s, %(ended_at)s, %(outcome)s, %(percent)s, %(points)s, %(late)s)
"""
_RESCORE: LiteralString = """
    UPDATE week_points SET points = %s WHERE game = %s AND week = %s AND player_id = %s
"""
_RESCORE_MATCH: LiteralString = (
    "UPDATE match_points SET percent = %s, points = %s WHERE player_id = %s AND match_id = %s"
)
_COUNT: LiteralString = """
    INSERT INTO players (game, player_id, wins, matches, mu, sigma) VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (game, player_id) DO UPDATE
        SET wins = excluded.wins, matches = excluded.matches, mu = excluded.mu, sigma = excluded.sigma
        WHERE players.matches < excluded.matches
"""
_MEDAL: LiteralString = "INSERT INTO medals (game, player_id, wins, match_id) VALUES (%s, %s, %s, %s)"
_OPEN: LiteralString = "INSERT INTO weeks (game, week, status, closes_at) VALUES (%s, %s, 'running', %s)"
_STATUS: LiteralString = "UPDATE weeks SET status = %s WHERE game = %s AND week = %s"
_PLACE: LiteralString = """
    INSERT INTO placements (game, week, league, player_id, place, points, next_league)
    SELECT %(game)s, %(week)s, %(league)s, placed.*
    FROM unnest(%(players)s::uuid[], %(places)s::integer[], %(points)s::integer[], %(next)s::smallint[]) AS placed
"""
_MOVE: LiteralString = """
    UPDATE week_points SET league = placed.next_league
    FROM unnest(%(players)s::uuid[], %(next)s::smallint[]) AS placed (player_id, next_league)
    WHERE game = %(game)s AND week_points.player_id = placed.player_id AND week > %(week)s AND NOT EXISTS (
        SELECT FROM placements later
        WHERE later.game = %(game)s AND later.player_id = placed.player_id
          AND later.week > %(week)s AND later.week < week_points.week
    )
"""
_TROPHY: LiteralString = """
    INSERT INTO trophies (player_id, week, game, league, place, points) VALUES (%s, %s, %s, %s, %s, %s)
"""
_ACHIEVEMENT: LiteralString = """
    INSERT INTO achievements (game, player_id, feat, match_id, version, ended_at) VALUES (%s, %s, %s, %s, %s, %s)
"""


def league_number(league: League) -> int:
    """1 for bronze to 6 for pro, as the rows and the contracts have it."""
    return LEAGUES.index(league) + 1


async def _apply(connection: Connection, logged: LogEvent[LeagueEvent]) -> None:
    event = logged.event
    await connection.execute(_LOCK)
    match event:
        case MatchScored():
            await _score(connection, event, is_late=False)
        case LateMatchScored():
            await _score(connection, event, is_late=True)
        case MatchRescored():
            player = UUID(event.player_id)
            await connection.execute(
                _RESCORE, (event.total, event.game, date.fromisoformat(event.week), player)
            )
            await connection.execute(
                _RESCORE_MATCH, (event.percent, event.points, player, UUID(event.match_id))
            )
        case ResultCounted():
            row = (event.game, UUID(event.player_id), event.wins, event.matches, event.mu, event.sigma)
            await connection.execute(_COUNT, row)
        case MedalWon():
            await connection.execute(
                _MEDAL, (event.game, UUID(event.player_id), event.wins, UUID(event.match_id))
            )
        case AchievementWon():
            won = (event.game, UUID(event.player_id), event.feat, UUID(event.match_id))
            await connection.execute(_ACHIEVEMENT, (*won, event.version, event.ended_at))
        case WeekOpened():
            await connection.execute(_OPEN, (event.game, date.fromisoformat(event.week), event.closes_at))
        case WeekEnded():
            await connection.execute(_STATUS, ("ended", event.game, date.fromisoformat(event.week)))
        case WeekClosed():
            await connection.execute(_STATUS, ("closed", event.game, date.fromisoformat(event.week)))
        case PlayersPlaced():
            await _place(connection, event)
        case TrophyWon():
            week, league = date.fromisoformat(event.week), league_number(event.league)
            trophy = (UUID(event.player_id), week, event.game, league, event.place, event.points)
            await connection.execute(_TROPHY, trophy)
        case PlayerWeekSealed() | StandingBegun() | StandingEnded():
            return
        case _:
            assert_never(event)


async def _score(connection: Connection, event: MatchScored | LateMatchScored, *, is_late: bool) -> None:
    row = {
        "game": event.game,
        "week": date.fromisoformat(event.week),
        "player": UUID(event.player_id),
        "match": UUID(event.match_id),
        "ended_at": event.ended_at,
        "outcome": event.outcome,
        "percent": event.percent,
        "points": event.points,
        "total": event.total,
        "reached_at": event.reached_at,
        "won": int(event.outcome == "win"),
        "abandoned": int(event.outcome == "abandoned"),
        "late": is_late,
    }
    await connection.execute(_SCORE, row)
    await connection.execute(_MATCH, row)


async def _place(connection: Connection, event: PlayersPlaced) -> None:
    row = {
        "game": event.game,
        "week": date.fromisoformat(event.week),
        "league": league_number(event.league),
        "players": [UUID(placed.player_id) for placed in event.players],
        "places": [placed.place for placed in event.players],
        "points": [placed.points for placed in event.players],
        "next": [league_number(placed.next_league) for placed in event.players],
    }
    await connection.execute(_PLACE, row)
    await connection.execute(_MOVE, row)


STANDINGS = Projection(
    name="standings",
    version=2,
    tables=read_tables("services.league", "standings.sql"),
    registry=REGISTRY,
    apply=_apply,
)
