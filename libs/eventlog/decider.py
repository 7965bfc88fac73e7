"""The one form that every stateful thing of the platform has: a decider.

Pure functions of a state. None does I/O, reads a clock or draws a random number: time, entropy and ids come in with
the command, and their outcome goes into the event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")
Viewer = TypeVar("Viewer", contravariant=True)
View = TypeVar("View", covariant=True)
Update = TypeVar("Update", covariant=True)


class Command(msgspec.Struct, Generic[Body], frozen=True):
    """A command as it reaches `decide`: what is wanted, and all that a pure function may not fetch for itself.

    `id` is made by the client (a UUID as text): the same id again gets the first outcome. `at` is the database's time
    when the command was received. `secret` is the aggregate's secret for draws (empty where a service draws nothing).
    """

    id: str
    actor: str
    at: datetime
    body: Body
    secret: bytes = b""
    correlation_id: str = ""
    causation_id: str = ""
    trace: str = ""


class Rejection(msgspec.Struct, frozen=True):
    """An answer, not an error: a code from the service's closed list and facts that explain it. Nothing changed."""

    code: str
    facts: Mapping[str, str] = {}


class Deadline(msgspec.Struct, frozen=True):
    """What happens by itself at `due_at` if nothing happens before: the command with this body is given.

    `body` names the turn that it belongs to, so that a late one does nothing.
    """

    due_at: datetime
    body: Any


class PublicMessage(msgspec.Struct, frozen=True):
    """What the other services may know of an event: a subject such as `carteado.table.closed.v1` and protobuf bytes."""

    subject: str
    data: bytes


class Decider(Protocol[State, Body, Event, Viewer, View, Update]):
    """An aggregate. See docs/decisions/0002-decider.md."""

    @property
    def category(self) -> str:
        """The first part of the stream ids, such as `table`."""

    def initial(self) -> State:
        """The state before any event."""

    def decide(self, state: State, command: Command[Body]) -> Sequence[Event] | Rejection:
        """The events of a command (at least one), or why it is refused."""

    def evolve(self, state: State, event: Event) -> State:
        """The state after an event; never fails on an event once accepted and holds no rule."""

    def deadlines(self, state: State) -> Sequence[Deadline]:
        """What happens by itself, and when."""

    def is_ended(self, state: State) -> bool:
        """Whether the stream takes no more events."""

    def state_hash(self, state: State) -> bytes:
        """A hash of the aggregate's facts, stored with the last event of each command; empty where none is kept."""

    def view(self, state: State, viewer: Viewer) -> View:
        """A value built only from what this viewer may know."""

    def observe(self, event: Event, before: State, after: State, viewer: Viewer) -> Update | None:
        """What this viewer is told of an event, or None."""

    def publish(self, event: Event, before: State, after: State) -> PublicMessage | None:
        """The public message that an event becomes, or None."""
