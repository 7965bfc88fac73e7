"""What the command `carteado log` and the analysts' views must know of the log of the Liga."""

from __future__ import annotations

from libs.eventlog.projection import Projection
from libs.eventlog.registry import EventRegistry
from services.league.events import REGISTRY, LeagueEvent
from services.league.standings import STANDINGS


class LeagueLog:
    """The log of the Liga: weeks of games and of players, and standings; satisfies `libs.cli.log_source.ServiceLog`."""

    name = "league"
    registry: EventRegistry[LeagueEvent] = REGISTRY
    projections: tuple[Projection[LeagueEvent], ...] = (STANDINGS,)


LEAGUE_LOG = LeagueLog()
