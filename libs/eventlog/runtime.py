"""The one runtime that loads, decides, appends and replays any decider, one aggregate at a time.

How it decides on one stream is `Aggregates`; a command over several is `Together`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime
from typing import Final, Generic, Literal, Never, TypeVar

import msgspec

from libs.eventlog.aggregates import (
    COMMAND_ID_REUSED,
    OUTAGE_ACTOR,
    Aggregates,
    Limits,
    OnCommitted,
    OnDeadline,
    OnOutage,
    known_state,
)
from libs.eventlog.committed import Committed, CommittedCommand, replay, replay_commands
from libs.eventlog.decider import Command, Decider, Rejection
from libs.eventlog.decision import hash_body, next_deadline
from libs.eventlog.errors import AppendTimeoutError, EventLogError
from libs.eventlog.liveness import Liveness
from libs.eventlog.memory import utc_now
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import EventStore

__all__ = [
    "COMMAND_ID_REUSED",
    "DEADLINE_ACTOR",
    "OUTAGE_ACTOR",
    "Limits",
    "Loaded",
    "OnCommitted",
    "OnOutage",
    "Runtime",
]

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")

DEADLINE_ACTOR: Final = "system:deadline"


class Loaded(msgspec.Struct, Generic[State], frozen=True):
    """A state at a version that stands in the log; version 0 is the initial state of a stream without events."""

    state: State
    version: int


class Runtime(Generic[State, Body, Event]):
    """Runs one decider on a log.

    `secret_for` gives an aggregate's secret for draws. `on_committed(id, command)` is called synchronously after each
    commit that this replica makes or finds while it keeps the stream warm, in commit order per stream: each
    `from_version` is the last `to_version`, also over lost connections. When a stream was dropped for room the calls
    begin anew, so a listener that finds a gap reads `history`. `now` is the database's time (`DatabaseClock.now`). `on_outage(state, outage)` gives the command body by
    which a running deadline is moved after an outage, or None.
    """

    def __init__(
        self,
        decider: Decider[State, Body, Event, Never, object, object],
        registry: EventRegistry[Event],
        store: EventStore,
        *,
        secret_for: Callable[[str], bytes] = lambda _: b"",
        on_committed: OnCommitted[State, Event] | None = None,
        now: Callable[[], datetime] = utc_now,
        liveness: Liveness | None = None,
        on_outage: OnOutage[State, Body] | None = None,
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
        observations: Observations | None = None,
    ) -> None:
        self.aggregates = Aggregates(
            decider,
            registry,
            store,
            secret_for=secret_for,
            on_committed=on_committed,
            now=now,
            liveness=liveness,
            on_outage=on_outage,
            limits=limits,
            observations=observations or NoObservations(),
        )

    @property
    def category(self) -> str:
        """The decider's category."""
        return self.aggregates.category

    def stream(self, id: str) -> str:
        """The stream of an aggregate. Raises StreamIdError."""
        return self.aggregates.stream(id)

    def watch_deadlines(self, on_deadline: OnDeadline) -> None:
        """Have `on_deadline(id, due_at)` called whenever a warm stream's next deadline is learnt (None: there is none)."""
        self.aggregates.on_deadline = on_deadline

    async def handle(
        self,
        id: str,
        body: Body,
        *,
        command_id: str,
        actor: str,
        body_hash: bytes | None = None,
        correlation_id: str = "",
        causation_id: str = "",
        trace: str = "",
        at: datetime | None = None,
        timeout_s: float | None = None,
    ) -> Committed[State, Event] | Rejection:
        """Decide a command and make the decision durable.

        1. stamp it with the database's time, and wait for the stream's turn (bounded);
        2. take the warm state, or read the log; after an outage, first move the running deadline;
        3. decide;
        4. a refusal: look the command id up and confirm the head. Known: answer the first outcome. Head moved: catch
           up and go to 3. Otherwise the refusal stands, and nothing has changed;
        5. events: fold them, evaluate what is published, append all with the version they stand on;
        6. appended: keep the state, tell the listener, answer;
        7. a duplicate: read its first outcome from the log and answer that;
        8. a conflict: another replica was faster. Catch up and go to 3, a bounded number of times.

        A stream without events is decided on the initial state: the decider says whether it may begin. `body_hash`
        tells a repeated command from another one under the same id; by default it is the hash of the encoded body, and
        an edge that has the bytes as received gives theirs. The hash must not depend on the release.

        Raises UnstorableError, StreamBusyError, ContentionError and LogUnavailableError (nothing was appended),
        AppendTimeoutError (not known: send the same id again), UnknownEventError (the stream cannot be read).
        """
        command = Command(
            command_id,
            actor,
            at or self.aggregates.now(),
            body,
            self.aggregates.secret_for(id),
            correlation_id,
            causation_id,
            trace,
        )
        started = time.perf_counter()
        try:
            answer = await self._handle(id, command, body_hash or hash_body(body), timeout_s)
        except EventLogError as error:
            self._observe("failed", type(error).__name__, started)
            raise
        if isinstance(answer, Rejection):
            self._observe("rejected", answer.code, started)
        else:
            self._observe("duplicate" if answer.duplicate else "committed", "", started)
        return answer

    async def load(self, id: str, at_version: int | None = None) -> Loaded[State]:
        """The state of a stream as it stands in the log now, or as it was at `at_version`.

        Does not wait for commands in flight, unless this is the stream's first look after an outage, which moves its
        running deadline. `at_version` above the head gives the head.

        Raises LogUnavailableError, UnknownEventError, StreamIdError, AppendTimeoutError.
        """
        one = self.aggregates
        stream = one.stream(id)
        if at_version is not None:
            stored = await one.read(stream, 0, at_version)
            return Loaded(*replay(one.decider, one.registry, stored, one.decider.initial(), 0))
        warm = one.warm.get(id)
        if warm is None or not one.is_ready(warm):
            return await self._load_in_turn(id)
        state, version = known_state(warm), warm.version
        if (await one.store.head(stream)).version > version:
            stored = await one.read(stream, version, None)
            state, version = replay(one.decider, one.registry, stored, state, version)
        return Loaded(state, version)

    async def history(self, id: str, after_version: int = 0) -> list[CommittedCommand[State, Event]]:
        """The commands of a stream after a version, in order, each event with the states before and after it.

        A command that `after_version` falls into is given whole. Raises as `load` does.
        """
        one = self.aggregates
        stored = await one.read(one.stream(id), 0, None)
        start = next(
            (index for index, event in enumerate(stored) if event.version > after_version), len(stored)
        )
        while start > 0 and start < len(stored) and stored[start].command_id is None:
            start -= 1
        state, version = replay(one.decider, one.registry, stored[:start], one.decider.initial(), 0)
        return replay_commands(one.decider, one.registry, stored[start:], state, version)

    async def refresh(self, id: str, version: int) -> None:
        """Another replica says that a stream is at `version`: read the tail and tell the listener of it.

        Does nothing when the stream is not warm here or is as far. Raises as `load` does.
        """
        warm = self.aggregates.warm.get(id)
        if warm is None or warm.told_version is None or warm.told_version >= version:
            return
        turn = await self.aggregates.take_turn(id)
        try:
            if turn.warm.told_version is None or turn.warm.told_version < version:
                await self.aggregates.catch_up(turn.warm)
        finally:
            turn.release()

    async def fire_due(self, id: str) -> Committed[State, Event] | Rejection | None:
        """Give the command of a stream's earliest deadline if it is due by the database's clock; None if none is.

        Its id is derived from the stream, the time and the body, so that firing twice, or on two replicas, is harmless.

        Raises as `handle` does.
        """
        one = self.aggregates
        turn = await one.take_turn(id)
        try:
            async with asyncio.timeout(one.limits.timeout_s):
                await one.make_ready(turn)
                deadline = next_deadline(one.decider, known_state(turn.warm))
                if deadline is None or one.now() < deadline.due_at:
                    # Who claims an overdue stream may know it as it was before another replica wrote to it.
                    await one.catch_up(turn.warm)
                    deadline = next_deadline(one.decider, known_state(turn.warm))
                late_s = 0.0 if deadline is None else (one.now() - deadline.due_at).total_seconds()
                if deadline is None or late_s < 0:
                    one.announce_deadline(turn.warm)
                    return None
                one.observations.deadline_fired(self.category, late_s)
                body_hash = hash_body(deadline.body)
                name = f"deadline {turn.warm.stream} {deadline.due_at.isoformat()} {body_hash.hex()}"
                command = one.own_command(id, name, DEADLINE_ACTOR, deadline.body)
                return await one.decide_in_turn(turn, command, body_hash)
        except TimeoutError as error:
            raise AppendTimeoutError(f"the deadline of {id} was not decided in time") from error
        finally:
            turn.release()

    async def close(self) -> None:
        """Wait for commands whose callers have gone."""
        await self.aggregates.warm.close()

    async def _handle(
        self,
        id: str,
        command: Command[Body],
        body_hash: bytes,
        timeout_s: float | None,
    ) -> Committed[State, Event] | Rejection:
        one = self.aggregates
        try:
            async with asyncio.timeout(one.limits.timeout_s if timeout_s is None else timeout_s):
                turn = await one.take_turn(id)
                try:
                    await one.make_ready(turn)
                    return await one.decide_in_turn(turn, command, body_hash)
                finally:
                    turn.release()
        except TimeoutError as error:
            raise AppendTimeoutError(f"command {command.id} was not answered in time") from error

    async def _load_in_turn(self, id: str) -> Loaded[State]:
        one = self.aggregates
        try:
            async with asyncio.timeout(one.limits.timeout_s):
                turn = await one.take_turn(id)
                try:
                    await one.make_ready(turn)
                    return Loaded(known_state(turn.warm), turn.warm.version)
                finally:
                    turn.release()
        except TimeoutError as error:
            raise AppendTimeoutError(f"{id} was not loaded in time") from error

    def _observe(
        self, result: Literal["committed", "duplicate", "rejected", "failed"], code: str, started: float
    ) -> None:
        self.aggregates.observations.command(self.category, result, code, time.perf_counter() - started)
