"""What stands in the log of accounts: ids only. Names are in a plain table, where they can be erased."""

from __future__ import annotations

import msgspec

from libs.eventlog.registry import EventRegistry


class PlayerRegistered(msgspec.Struct, frozen=True):
    """A player exists from now on."""

    player_id: str


PlayerEvent = PlayerRegistered


def player_events() -> EventRegistry[PlayerEvent]:
    """The stored names and versions of a player's events."""
    registry: EventRegistry[PlayerEvent] = EventRegistry()
    registry.register("PlayerRegistered", PlayerRegistered)
    return registry
