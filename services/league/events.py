"""What stands in the log of the Liga: ids, outcomes, points and places. Never a name: erasing a person leaves nothing to delete.

These structs are the storage format. Every event that scores names the policy that it was scored by.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from libs.eventlog.registry import EventRegistry
from services.league.policy import Feat, League, Outcome


class MatchScored(msgspec.Struct, frozen=True):
    """A match gave a player points. `total` and `reached_at` are the week's after it; `percent` the bonus of the day."""

    game: str
    week: str
    player_id: str
    match_id: str
    ended_at: datetime
    outcome: Outcome
    percent: int
    points: int
    total: int
    reached_at: datetime
    policy: str


class LateMatchScored(msgspec.Struct, frozen=True):
    """The correction by a result that came after the week's closing: points change, places and moves stand."""

    game: str
    week: str
    player_id: str
    match_id: str
    ended_at: datetime
    outcome: Outcome
    percent: int
    points: int
    total: int
    reached_at: datetime
    policy: str


class MatchRescored(msgspec.Struct, frozen=True):
    """The correction of a match's points: `because_match_id` ended before it on that day, and came later."""

    game: str
    week: str
    player_id: str
    match_id: str
    percent: int
    points: int
    total: int
    because_match_id: str
    policy: str


class PlayerWeekSealed(msgspec.Struct, frozen=True):
    """The player's week takes no correction any more."""

    total: int


PlayerWeekEvent = MatchScored | LateMatchScored | MatchRescored | PlayerWeekSealed


class ResultCounted(msgspec.Struct, frozen=True):
    """A match in a player's standing over the weeks: wins, matches and skill after it."""

    game: str
    player_id: str
    match_id: str
    wins: int
    matches: int
    mu: float
    sigma: float
    policy: str


class MedalWon(msgspec.Struct, frozen=True):
    """So many wins in a game; `match_id` was counted as the last of them."""

    game: str
    player_id: str
    wins: int
    match_id: str
    policy: str


class StandingBegun(msgspec.Struct, frozen=True):
    """A player's year in a game begins with what was reached before it."""

    game: str
    player_id: str
    year: int
    wins: int
    matches: int
    mu: float
    sigma: float


class StandingEnded(msgspec.Struct, frozen=True):
    """The year is over: what was reached goes on in the next one that the player plays in."""

    game: str
    player_id: str
    year: int
    wins: int
    matches: int


StandingEvent = StandingBegun | ResultCounted | MedalWon | StandingEnded


class AchievementWon(msgspec.Struct, frozen=True):
    """A feat that the log of a match shows: the event at this version of its table earned it."""

    game: str
    player_id: str
    feat: Feat
    match_id: str
    version: int
    ended_at: datetime
    policy: str


class WeekOpened(msgspec.Struct, frozen=True):
    """The first result of a game's week has come."""

    game: str
    week: str
    closes_at: datetime
    policy: str


class WeekEnded(msgspec.Struct, frozen=True):
    """The week is over: from here on it is to be closed."""

    game: str
    week: str


class Placed(msgspec.Struct, frozen=True):
    """A player's place in a closed week, and the league of the next one."""

    player_id: str
    place: int
    points: int
    next_league: League


class PlayersPlaced(msgspec.Struct, frozen=True):
    """Places of a league's closed week, in order; a large league takes several of these."""

    game: str
    week: str
    league: League
    players: tuple[Placed, ...]
    policy: str


class TrophyWon(msgspec.Struct, frozen=True):
    """A place among the first three of a league's week."""

    game: str
    week: str
    league: League
    player_id: str
    place: int
    points: int
    policy: str


class WeekClosed(msgspec.Struct, frozen=True):
    """Places, trophies and moves of the week stand. `players` had a counted match then."""

    game: str
    week: str
    players: int
    closed_at: datetime
    policy: str


LeagueWeekEvent = WeekOpened | WeekEnded | PlayersPlaced | TrophyWon | WeekClosed

LeagueEvent = PlayerWeekEvent | StandingEvent | AchievementWon | LeagueWeekEvent

EVENT_TYPES: dict[str, type[LeagueEvent]] = {
    "league.match_scored": MatchScored,
    "league.late_match_scored": LateMatchScored,
    "league.match_rescored": MatchRescored,
    "league.player_week_sealed": PlayerWeekSealed,
    "league.result_counted": ResultCounted,
    "league.medal_won": MedalWon,
    "league.standing_begun": StandingBegun,
    "league.standing_ended": StandingEnded,
    "league.achievement_won": AchievementWon,
    "league.week_opened": WeekOpened,
    "league.week_ended": WeekEnded,
    "league.players_placed": PlayersPlaced,
    "league.trophy_won": TrophyWon,
    "league.week_closed": WeekClosed,
}
"""The registered names, as stored."""


def league_events() -> EventRegistry[LeagueEvent]:
    """The registry of all streams of the Liga."""
    registry: EventRegistry[LeagueEvent] = EventRegistry()
    for name, event_type in EVENT_TYPES.items():
        registry.register(name, event_type)
    return registry


REGISTRY = league_events()
