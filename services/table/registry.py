"""The event types that the table's log holds, under the names by which they are stored."""

from __future__ import annotations

from libs.eventlog.registry import EventRegistry
from libs.rules.truco.events import EVENT_TYPES as TRUCO_EVENT_TYPES
from services.table.events import EVENT_TYPES, TableEvent


def table_registry() -> EventRegistry[TableEvent]:
    """The registry of the table's own events and of every game's."""
    registry: EventRegistry[TableEvent] = EventRegistry()
    for name, event_type in {**EVENT_TYPES, **TRUCO_EVENT_TYPES}.items():
        registry.register(name, event_type)
    return registry


REGISTRY = table_registry()
