"""The given/when/then helper, for tests of deciders: no store, no clock, no I/O.

given(counter, Started()).when(Add(2), at=NOON, actor="ana").then(Added(2))
given(counter).when(Add(2)).then_rejected("NOT_STARTED")
given_together(decide, {ana: given(player), table: given(open_table)}).when(Claim(0)).then({ana: [Sat()], table: [Taken()]})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Generic, Never, TypeVar

import msgspec

from libs.eventlog.decider import Command, Deadline, Decider, Rejection
from libs.eventlog.together import DecideTogether, Member

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
        id: str = "00000000-0000-4000-8000-000000000001",
        secret: bytes = b"",
    ) -> When[State, Body, Event]:
        """Decide a command on this state, twice: the same state and command must give the same result."""
        command = Command(id, actor, at, body, secret)
        outcome = self._decider.decide(self.state, command)
        again = self._decider.decide(self.state, command)
        assert _as_value(outcome) == _as_value(again), f"{body!r} was decided differently the second time"
        return When(self._decider, self, command, outcome)

    def after(self, events: Sequence[Event]) -> Given[State, Body, Event]:
        """The state after more events."""
        state = self.state
        for event in events:
            state = self._decider.evolve(state, event)
        return Given(self._decider, (*self.events, *events), state)


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
        return self._given.after(self.outcome)

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
    return Given(decider, (), decider.initial() if state is None else state).after(events)


class GivenTogether(Generic[State, Body, Event]):
    """A decision over several aggregates, and the state that some events made of each."""

    def __init__(
        self, decide: DecideTogether[State, Body, Event], members: Mapping[Member, Given[Any, Any, Any]]
    ) -> None:
        self._decide = decide
        self.members = dict(members)

    def when(
        self,
        body: Body,
        *,
        at: datetime = NOON,
        actor: str = "someone",
        id: str = "00000000-0000-4000-8000-000000000001",
    ) -> WhenTogether[State, Body, Event]:
        """Decide a command on these states, twice: the same states and command must give the same result."""
        states = {member: one.state for member, one in self.members.items()}
        command = Command(id, actor, at, body)
        outcome, again = self._decide(states, command), self._decide(states, command)
        assert _together_as_value(outcome) == _together_as_value(again), (
            f"{body!r} was decided differently the second time"
        )
        return WhenTogether(self._decide, self.members, outcome)


class WhenTogether(Generic[State, Body, Event]):
    """What a command over several aggregates was decided to."""

    def __init__(
        self,
        decide: DecideTogether[State, Body, Event],
        members: Mapping[Member, Given[Any, Any, Any]],
        outcome: Mapping[Member, Sequence[Event]] | Rejection,
    ) -> None:
        self._decide = decide
        self._members = members
        self.outcome = outcome

    def then(self, events: Mapping[Member, Sequence[Event]]) -> GivenTogether[State, Body, Event]:
        """Exactly these events, at least one for each member; gives the states after them, to go on from."""
        assert not isinstance(self.outcome, Rejection), f"refused with {self.outcome!r}"
        assert _together_as_value(self.outcome) == _together_as_value(events), f"decided {self.outcome!r}"
        assert self.outcome.keys() == self._members.keys(), "a member has no event, or somebody else has"
        assert all(self.outcome.values()), "a member has no event"
        return GivenTogether(
            self._decide, {member: one.after(self.outcome[member]) for member, one in self._members.items()}
        )

    def then_rejected(self, code: str, **facts: str) -> Rejection:
        """A refusal with this code, and with these facts among its own."""
        assert isinstance(self.outcome, Rejection), f"accepted with {self.outcome!r}"
        assert self.outcome.code == code, f"refused with {self.outcome!r}"
        assert facts.items() <= dict(self.outcome.facts).items(), f"refused with {self.outcome!r}"
        return self.outcome


def given_together(
    decide: DecideTogether[State, Body, Event], members: Mapping[Member, Given[Any, Any, Any]]
) -> GivenTogether[State, Body, Event]:
    """A decision over several aggregates (`Together`) on the states that `given` made of each."""
    return GivenTogether(decide, members)


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


def _together_as_value(outcome: Mapping[Member, Sequence[Event]] | Rejection) -> object:
    if isinstance(outcome, Rejection):
        return outcome.code, dict(outcome.facts)
    return {member: tuple(events) for member, events in outcome.items()}


def _deadlines(deadlines: Sequence[Deadline]) -> list[tuple[datetime, bytes]]:
    return [
        (deadline.due_at, msgspec.json.encode(deadline.body, order="deterministic")) for deadline in deadlines
    ]
