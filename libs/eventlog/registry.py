"""Which events a service stores, under which names and schema versions.

Stored types are registered names, never class paths, so that code can move. A payload of an old version is *upcast*
when it is read; a stored event is never altered. What cannot be read stops the reader loudly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from libs.eventlog.errors import RegistryError, UnknownEventError, UnstorableError
from libs.eventlog.text import check_storable_json

Event = TypeVar("Event")

# A caster works on the decoded JSON object of one version; the values in it are any JSON.
Caster = Callable[[dict[str, Any]], dict[str, Any]]


class _Entry:
    """What is known of one event type."""

    __slots__ = ("casters", "decode", "name", "newer", "said", "schema_version", "type")

    def __init__(
        self,
        name: str,
        event_type: type[Any],
        schema_version: int,
        casters: Mapping[int, Caster],
        newer: Mapping[int, Caster],
    ) -> None:
        self.name = name
        self.said = f"event {name!r}"
        self.type = event_type
        self.schema_version = schema_version
        self.casters = dict(casters)
        self.newer = dict(newer)
        self.decode = msgspec.json.Decoder(event_type).decode


class EventRegistry(Generic[Event]):
    """Encodes and decodes the events of one service."""

    def __init__(self) -> None:
        self._by_name: dict[str, _Entry] = {}
        self._by_type: dict[type[Any], _Entry] = {}
        self._encoder: Final = msgspec.json.Encoder()

    def register(
        self,
        name: str,
        type: type[Event],
        schema_version: int = 1,
        upcasters: Mapping[int, Caster] | None = None,
        newer: Mapping[int, Caster] | None = None,
    ) -> None:
        """Register an event type (a msgspec Struct) under its stored name.

        `schema_version` is what is written. `upcasters[v]` takes a payload of version v to v + 1; there must be one for
        every older version. `newer[v]` reads a version that the *next* release will write, straight into this one: a
        new version is readable one release before it is written.

        Raises RegistryError for a name or type registered twice and for a chain of upcasters with a hole.
        """
        casters = dict(upcasters or {})
        ahead = dict(newer or {})
        if name in self._by_name:
            raise RegistryError(f"the event name {name!r} is registered twice")
        if type in self._by_type:
            raise RegistryError(f"the event type {type.__name__} is registered twice")
        if schema_version < 1 or sorted(casters) != list(range(1, schema_version)):
            raise RegistryError(
                f"{name!r} version {schema_version} needs an upcaster for each older version, from 1"
            )
        if any(version <= schema_version for version in ahead):
            raise RegistryError(f"{name!r}: `newer` reads versions above {schema_version} only")
        entry = _Entry(name, type, schema_version, casters, ahead)
        self._by_name[name] = entry
        self._by_type[type] = entry

    @property
    def names(self) -> tuple[str, ...]:
        """The registered names, in order of registration."""
        return tuple(self._by_name)

    def types(self) -> Iterable[tuple[str, int, type[Event]]]:
        """Name, written schema version and Struct of each registered event."""
        return ((entry.name, entry.schema_version, entry.type) for entry in self._by_name.values())

    def readable(self) -> Iterable[tuple[str, tuple[int, ...]]]:
        """Name of each registered event, and every schema version of it that this release reads."""
        return (
            (entry.name, (*range(1, entry.schema_version + 1), *sorted(entry.newer)))
            for entry in self._by_name.values()
        )

    def name_of(self, event: Event) -> str:
        """The stored name of an event. Raises RegistryError when its type is not registered."""
        return self._entry_of(event).name

    def encode(self, event: Event) -> tuple[str, int, bytes]:
        """Stored name, schema version and JSON payload of an event.

        Raises RegistryError when its type is not registered, UnstorableError when Postgres could not store it.
        """
        entry = self._entry_of(event)
        try:
            payload = self._encoder.encode(event)
        except UnicodeEncodeError as error:
            raise UnstorableError(
                f"event {entry.name!r} has a lone surrogate, which cannot be stored"
            ) from error
        check_storable_json(payload, entry.said)
        return entry.name, entry.schema_version, payload

    def decode(
        self,
        name: str,
        schema_version: int,
        payload: bytes | str,
        *,
        stream: str = "",
        version: int = 0,
        partition: int = -1,
        position: int = 0,
    ) -> Event:
        """The event of a stored payload. The last four only say, in an error, where it stands.

        Raises UnknownEventError for a name that is not registered, a version that this release cannot read, and a
        payload that does not fit its type.
        """
        entry = self._by_name.get(name)
        reason = "its type is not registered"
        if entry is not None:
            try:
                if schema_version == entry.schema_version:
                    event: Event = entry.decode(payload)
                    return event
                if schema_version < entry.schema_version or schema_version in entry.newer:
                    return self._cast(entry, schema_version, payload)
                reason = f"this release reads up to version {max(entry.newer, default=entry.schema_version)}"
            except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
                reason = f"its payload does not fit: {error!r}"
        raise UnknownEventError(
            name,
            schema_version,
            reason,
            stream=stream,
            version=version,
            partition=partition,
            position=position,
        )

    def _entry_of(self, event: Event) -> _Entry:
        entry = self._by_type.get(type(event))
        if entry is None:
            raise RegistryError(f"the event type {type(event).__name__} is not registered")
        return entry

    def _cast(self, entry: _Entry, schema_version: int, payload: bytes | str) -> Event:
        value = msgspec.json.decode(payload, type=dict[str, Any])
        if schema_version > entry.schema_version:
            value = entry.newer[schema_version](value)
        for old in range(schema_version, entry.schema_version):
            value = entry.casters[old](value)
        event: Event = msgspec.convert(value, entry.type)
        return event
