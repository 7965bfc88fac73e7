"""What a command did: its events, each with the state before and after it.

The runtime gives these to whoever tells viewers what happened; the log is read back into the same values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Generic, Never, TypeVar

import msgspec

from libs.eventlog.decider import Decider
from libs.eventlog.errors import LogCorruptError
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import StoredEvent

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")


class Step(msgspec.Struct, Generic[State, Event], frozen=True):
    """One event of a command: the version it made, and the states around it."""

    version: int
    event: Event
    before: State
    after: State


class CommittedCommand(msgspec.Struct, Generic[State, Event], frozen=True):
    """A command as it stands in the log: it took its stream from `from_version` to `to_version`."""

    stream: str
    from_version: int
    to_version: int
    steps: tuple[Step[State, Event], ...]
    command_id: str
    actor: str
    recorded_at: datetime

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in order."""
        return tuple(step.event for step in self.steps)

    @property
    def before(self) -> State:
        """The state before the command."""
        return self.steps[0].before

    @property
    def after(self) -> State:
        """The state after the command."""
        return self.steps[-1].after


class Committed(msgspec.Struct, Generic[State, Event], frozen=True):
    """The answer to a command that was appended; `duplicate` when that happened the first time this id was given."""

    command: CommittedCommand[State, Event]
    duplicate: bool = False

    @property
    def version(self) -> int:
        """The stream's version after the command."""
        return self.command.to_version

    @property
    def from_version(self) -> int:
        """The stream's version before the command."""
        return self.command.from_version

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in order."""
        return self.command.events

    @property
    def before(self) -> State:
        """The state before the command."""
        return self.command.before

    @property
    def after(self) -> State:
        """The state after the command."""
        return self.command.after


def replay(
    decider: Decider[State, Body, Event, Never, object, object],
    registry: EventRegistry[Event],
    stored: Iterable[StoredEvent],
    state: State,
    version: int,
) -> tuple[State, int]:
    """The state after the stored events, which must follow `version` without a hole.

    Raises UnknownEventError for what this release cannot read, LogCorruptError for a hole.
    """
    evolve = decider.evolve
    for event in stored:
        version += 1
        state = evolve(state, _decode(registry, event, version))
    return state, version


def replay_commands(
    decider: Decider[State, Body, Event, Never, object, object],
    registry: EventRegistry[Event],
    stored: Sequence[StoredEvent],
    state: State,
    version: int,
) -> list[CommittedCommand[State, Event]]:
    """The commands that the stored events come from, in order, each event with the states around it.

    `stored` begins with the first event of a command. Raises as `replay` does.
    """
    commands: list[CommittedCommand[State, Event]] = []
    start = 0
    for end in range(1, len(stored) + 1):
        if end < len(stored) and stored[end].command_id is None:
            continue
        first, steps, from_version = stored[start], [], version
        for event in stored[start:end]:
            version += 1
            decoded = _decode(registry, event, version)
            after = decider.evolve(state, decoded)
            steps.append(Step(version, decoded, state, after))
            state = after
        commands.append(
            CommittedCommand(
                first.stream,
                from_version,
                version,
                tuple(steps),
                first.command_id or "",
                first.actor,
                first.recorded_at,
            )
        )
        start = end
    return commands


def _decode(registry: EventRegistry[Event], stored: StoredEvent, version: int) -> Event:
    """The event that must stand at this version."""
    if stored.version != version:
        raise LogCorruptError(f"{stored.stream} has version {stored.version} where {version} must stand")
    return registry.decode(
        stored.name,
        stored.schema_version,
        stored.payload,
        stream=stored.stream,
        version=version,
        partition=stored.partition,
        position=stored.position,
    )
