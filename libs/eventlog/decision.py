"""One decision, from a state and a command to what is appended. Pure: no store, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Generic, Never, TypeVar

import msgspec

from libs.eventlog.committed import Step
from libs.eventlog.decider import Command, Deadline, Decider, Rejection
from libs.eventlog.errors import EmptyDecisionError
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import AppendCommand, NewEvent, StreamWrite

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")


class Folded(msgspec.Struct, Generic[State, Event], frozen=True):
    """Events of one stream, with the states around them and as they are written."""

    steps: tuple[Step[State, Event], ...]
    write: StreamWrite


class Decided(msgspec.Struct, Generic[State, Event], frozen=True):
    """What a decider said: the events with the states around them, and the append that makes them true."""

    steps: tuple[Step[State, Event], ...]
    append: AppendCommand


def decide(
    decider: Decider[State, Body, Event, Never, object, object],
    registry: EventRegistry[Event],
    stream: str,
    state: State,
    version: int,
    command: Command[Body],
    body_hash: bytes,
) -> Decided[State, Event] | Rejection:
    """Decide a command on a stream's state at a version; fold and encode the events, and evaluate what is published.

    Raises EmptyDecisionError for a decider without an answer, UnstorableError for text that cannot be stored.
    """
    events = decider.decide(state, command)
    if isinstance(events, Rejection):
        return events
    if not events:
        raise EmptyDecisionError(f"{decider.category} decided {type(command.body).__name__} without an event")
    folded = fold(decider, registry, stream, state, version, events)
    return Decided(folded.steps, to_append(command, body_hash, (folded.write,)))


def fold(
    decider: Decider[State, Body, Event, Never, object, object],
    registry: EventRegistry[Event],
    stream: str,
    state: State,
    version: int,
    events: Sequence[Event],
) -> Folded[State, Event]:
    """The events of one stream after `version`: the states around them, and how they are written.

    Raises UnstorableError for text that cannot be stored.
    """
    steps, written, expected_version = [], [], version
    for event in events:
        after = decider.evolve(state, event)
        version += 1
        public = decider.publish(event, state, after)
        name, schema_version, payload = registry.encode(event)
        if public is None:
            written.append(NewEvent(name, schema_version, payload))
        else:
            written.append(NewEvent(name, schema_version, payload, public.subject, public.data))
        steps.append(Step(version, event, state, after))
        state = after
    deadline = next_deadline(decider, state)
    write = StreamWrite(
        stream,
        expected_version,
        tuple(written),
        None if deadline is None else deadline.due_at,
        decider.state_hash(state),
        decider.is_ended(state),
    )
    return Folded(tuple(steps), write)


def to_append(command: Command[Body], body_hash: bytes, writes: tuple[StreamWrite, ...]) -> AppendCommand:
    """What a command appends, with the metadata that it came with."""
    return AppendCommand(
        command.id,
        body_hash,
        writes,
        command.actor,
        command.correlation_id,
        command.causation_id,
        command.trace,
    )


def next_deadline(
    decider: Decider[State, Body, Event, Never, object, object], state: State
) -> Deadline | None:
    """The earliest of a state's deadlines, or None."""
    return min(decider.deadlines(state), key=lambda deadline: deadline.due_at, default=None)


def hash_body(body: object) -> bytes:
    """The hash that tells whether a repeated command id carries the same body: BLAKE2b-128 of its encoded form."""
    return blake2b(msgspec.json.encode(body, order="deterministic"), digest_size=16).digest()
