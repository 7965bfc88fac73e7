"""The event types that the table's log holds, under the names by which they are stored."""

from __future__ import annotations

from libs.eventlog.registry import EventRegistry
from libs.rules.registry import FAMILIES
from services.table.events import EVENT_TYPES, TableEvent


def table_registry() -> EventRegistry[TableEvent]:
    """The registry of the table's own events and of every game's."""
    registry: EventRegistry[TableEvent] = EventRegistry()
    for names in (EVENT_TYPES, *(family.event_types for family in FAMILIES)):
        for name, event_type in names.items():
            registry.register(name, event_type)
    return registry


REGISTRY = table_registry()
