"""What the command `carteado log` and the analysts' views must know of the log of matchmaking."""

from __future__ import annotations

from libs.eventlog.projection import Projection
from libs.eventlog.registry import EventRegistry
from services.matchmaking.events import REGISTRY, MatchmakingEvent
from services.matchmaking.waiting import WAITING


class MatchmakingLog:
    """The log of matchmaking: players, open tables and matches; satisfies `libs.cli.log_source.ServiceLog`."""

    name = "matchmaking"
    registry: EventRegistry[MatchmakingEvent] = REGISTRY
    projections: tuple[Projection[MatchmakingEvent], ...] = (WAITING,)


MATCHMAKING_LOG = MatchmakingLog()
