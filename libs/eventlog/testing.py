"""The given/when/then helper, for tests of deciders: no store, no clock, no I/O.

given(counter, Started()).when(Add(2), at=NOON, actor="ana").then(Added(2))
given(counter).when(Add(2)).then_rejected("NOT_STARTED")
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Generic, Never, TypeVar

import msgspec

from libs.eventlog.decider import Command, Deadline, Decider, Rejection

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Given(Generic[State, Body, Event]):
    """A decider and the state that some events made."""

    def __init__(
        self,
        decider: Decider[State, Body, Event, Never, object, object],
        events: Sequence[Event],
        state: State,
    ) -> None:
        self._decider = decider
        self.events = tuple(events)
        self.state = state

    def when(
        self,
        body: Body,
        *,
        at: datetime = NOON,
        actor: str = "someone",
        id: str = "00000000-0000-4000-8000-000000000001",  # noqa: A002 - the word of the domain
        secret: bytes = b"",
    ) -> When[State, Body, Event]:
        """Decide a command on this state, twice: the same state and command must give the same result."""
        command = Command(id, actor, at, body, secret)
        outcome = self._decider.decide(self.state, command)
        again = self._decider.decide(self.state, command)
        assert _as_value(outcome) == _as_value(again), f"{body!r} was decided differently the second time"
        return When(self._decider, self, command, outcome)


class When(Generic[State, Body, Event]):
    """What a command was decided to."""

    def __init__(
        self,
        decider: Decider[State, Body, Event, Never, object, object],
        given_: Given[State, Body, Event],
        command: Command[Body],
        outcome: Sequence[Event] | Rejection,
    ) -> None:
        self._decider = decider
        self._given = given_
        self.command = command
        self.outcome = outcome

    def then(self, *events: Event) -> Given[State, Body, Event]:
        """Exactly these events; gives the state after them, to go on from."""
        assert not isinstance(self.outcome, Rejection), f"refused with {self.outcome!r}"
        assert tuple(self.outcome) == events, f"decided {tuple(self.outcome)!r}"
        return self.accepted()

    def accepted(self) -> Given[State, Body, Event]:
        """Any events, at least one; gives the state after them, to look at or to go on from."""
        assert not isinstance(self.outcome, Rejection), f"refused with {self.outcome!r}"
        assert self.outcome, "accepted without an event"
        state = self._given.state
        for event in self.outcome:
            state = self._decider.evolve(state, event)
        return Given(self._decider, (*self._given.events, *self.outcome), state)

    def then_rejected(self, code: str, **facts: str) -> Rejection:
        """A refusal with this code, and with these facts among its own."""
        assert isinstance(self.outcome, Rejection), f"accepted with {tuple(self.outcome)!r}"
        assert self.outcome.code == code, f"refused with {self.outcome!r}"
        assert facts.items() <= dict(self.outcome.facts).items(), f"refused with {self.outcome!r}"
        return self.outcome


def given(
    decider: Decider[State, Body, Event, Never, object, object], *events: Event, state: State | None = None
) -> Given[State, Body, Event]:
    """The state that these events make, from the initial one or from `state`."""
    current = decider.initial() if state is None else state
    for event in events:
        current = decider.evolve(current, event)
    return Given(decider, events, current)


def assert_laws(
    decider: Decider[State, Body, Event, Never, object, object],
    commands: Sequence[Command[Body]],
) -> State:
    """Play commands from the initial state and check the laws that hold for every decider; gives the last state.

    `evolve` takes what `decide` emits; the same state and command give the same result; replay equals play; a refusal
    has a code; deadlines and hash are functions of the state; an ended state refuses every command.
    """
    state, events = decider.initial(), list[Event]()
    for command in commands:
        outcome, again = decider.decide(state, command), decider.decide(state, command)
        assert _as_value(outcome) == _as_value(again), f"{command!r} was decided differently the second time"
        if isinstance(outcome, Rejection):
            assert outcome.code, f"{command!r} was refused without a code"
            continue
        assert outcome, f"{command!r} was accepted without an event"
        assert not decider.is_ended(state), f"{command!r} was accepted by an ended state"
        for event in outcome:
            state = decider.evolve(state, event)
            events.append(event)
    replayed = decider.initial()
    for event in events:
        replayed = decider.evolve(replayed, event)
    assert replayed == state, "replay does not equal play"
    assert decider.state_hash(replayed) == decider.state_hash(state), (
        "the hash is not a function of the state"
    )
    assert _deadlines(decider.deadlines(replayed)) == _deadlines(decider.deadlines(state))
    if decider.is_ended(state):
        for command in commands:
            assert isinstance(decider.decide(state, command), Rejection), (
                f"an ended state accepted {command!r}"
            )
    return state


def _as_value(outcome: Sequence[Event] | Rejection) -> object:
    return (outcome.code, dict(outcome.facts)) if isinstance(outcome, Rejection) else tuple(outcome)


def _deadlines(deadlines: Sequence[Deadline]) -> list[tuple[datetime, bytes]]:
    return [
        (deadline.due_at, msgspec.json.encode(deadline.body, order="deterministic")) for deadline in deadlines
    ]
