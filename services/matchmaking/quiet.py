"""What the deciders of matchmaking have in common: nothing of them is published, hashed or hidden from operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from libs.eventlog.decider import Deadline, PublicMessage

State = TypeVar("State")
Event = TypeVar("Event")


class Quiet(Generic[State, Event]):
    """The part of a decider whose facts are told to nobody outside."""

    def deadlines(self, _state: State) -> Sequence[Deadline]:
        """Nothing happens by itself; what is under way is driven on by `Starter`."""
        return ()

    def state_hash(self, _state: State) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: State, _viewer: None) -> State:
        """All of it; it holds ids alone."""
        return state

    def observe(self, event: Event, _before: State, _after: State, _viewer: None) -> Event:
        """The event itself."""
        return event

    def publish(self, _event: Event, _before: State, _after: State) -> PublicMessage | None:
        """Nothing."""
        return None
