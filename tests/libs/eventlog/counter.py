"""A toy decider for tests of the log: a counter that is started, added to, runs out by itself and ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import blake2b

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import Outage


class Start(msgspec.Struct, frozen=True, tag=True):
    """Begin; `patience_s` is how long each turn may take, 0 for for ever."""

    patience_s: float = 0


class Add(msgspec.Struct, frozen=True, tag=True):
    """Add a number, 1 to 100, as that many ones when `one_by_one`; only in this turn, if one is named."""

    number: int
    one_by_one: bool = False
    note: str = ""
    turn: int | None = None


class End(msgspec.Struct, frozen=True, tag=True):
    """End the stream."""


class RunOut(msgspec.Struct, frozen=True, tag=True):
    """What the deadline does to a turn."""

    turn: int


class Move(msgspec.Struct, frozen=True, tag=True):
    """Move the running deadline after an outage."""

    until: datetime


class Started(msgspec.Struct, frozen=True, tag=True):
    """It began."""

    patience_s: float
    due_at: datetime | None


class Added(msgspec.Struct, frozen=True, tag=True):
    """A number was added."""

    number: int
    due_at: datetime | None = None
    note: str = ""


class RanOut(msgspec.Struct, frozen=True, tag=True):
    """A turn passed without a number."""

    turn: int
    due_at: datetime | None


class Moved(msgspec.Struct, frozen=True, tag=True):
    """The deadline was moved."""

    due_at: datetime


class Ended(msgspec.Struct, frozen=True, tag=True):
    """It ended."""

    total: int


Body = Start | Add | End | RunOut | Move
Event = Started | Added | RanOut | Moved | Ended


class State(msgspec.Struct, frozen=True):
    """The counter."""

    started: bool = False
    ended: bool = False
    total: int = 0
    turn: int = 0
    missed: int = 0
    patience_s: float = 0
    due_at: datetime | None = None


class Counter:
    """The decider."""

    category = "counter"

    def initial(self) -> State:
        return State()

    def decide(self, state: State, command: Command[Body]) -> Sequence[Event] | Rejection:
        body = command.body
        if isinstance(body, Start):
            if state.started:
                return Rejection("ALREADY_STARTED")
            return [Started(body.patience_s, _due(command.at, body.patience_s))]
        if not state.started:
            return Rejection("NOT_STARTED")
        if state.ended:
            return Rejection("ENDED")
        due_at = _due(command.at, state.patience_s)
        match body:
            case Add(number, one_by_one, note, turn):
                if turn is not None and turn != state.turn:
                    return Rejection("STALE")
                if not 1 <= number <= 100:
                    return Rejection("OUT_OF_RANGE", {"number": str(number)})
                if one_by_one:
                    return [Added(1, due_at) for _ in range(number)]
                return [Added(number, due_at, note)]
            case RunOut(turn):
                return [RanOut(turn, due_at)] if turn == state.turn else Rejection("STALE")
            case Move(until):
                return [Moved(until)]
            case End():
                return [Ended(state.total)]

    def evolve(self, state: State, event: Event) -> State:
        replace = msgspec.structs.replace
        match event:
            case Started(patience_s, due_at):
                return replace(state, started=True, patience_s=patience_s, due_at=due_at)
            case Added(number, due_at):
                return replace(state, total=state.total + number, turn=state.turn + 1, due_at=due_at)
            case RanOut(turn, due_at):
                return replace(state, turn=turn + 1, missed=state.missed + 1, due_at=due_at)
            case Moved(due_at):
                return replace(state, due_at=due_at)
            case Ended():
                return replace(state, ended=True, due_at=None)

    def deadlines(self, state: State) -> Sequence[Deadline]:
        return [] if state.due_at is None else [Deadline(state.due_at, RunOut(state.turn))]

    def is_ended(self, state: State) -> bool:
        return state.ended

    def state_hash(self, state: State) -> bytes:
        facts = f"{state.started} {state.ended} {state.total} {state.turn} {state.missed}"
        return blake2b(facts.encode(), digest_size=32).digest()

    def view(self, state: State, viewer: str) -> int:
        return state.total

    def observe(self, event: Event, before: State, after: State, viewer: str) -> int | None:
        return after.total

    def publish(self, event: Event, before: State, after: State) -> PublicMessage | None:
        if isinstance(event, Added):
            return PublicMessage("carteado.counter.added.v1", str(after.total).encode())
        if isinstance(event, Ended):
            return PublicMessage("carteado.counter.ended.v1", str(event.total).encode())
        return None


def _due(at: datetime, patience_s: float) -> datetime | None:
    return at + timedelta(seconds=patience_s) if patience_s else None


COUNTER = Counter()


def registry() -> EventRegistry[Event]:
    """The counter's events."""
    events: EventRegistry[Event] = EventRegistry()
    events.register("CounterStarted", Started)
    events.register("CounterAdded", Added)
    events.register("CounterRanOut", RanOut)
    events.register("CounterMoved", Moved)
    events.register("CounterEnded", Ended)
    return events


def after_outage(state: State, outage: Outage) -> Body | None:
    """Give the turn the time that the outage took."""
    if state.due_at is None:
        return None
    return Move(state.due_at + (outage.ended_at - outage.began_at))
