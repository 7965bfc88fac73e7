"""The one runtime that loads, decides, appends and replays any decider.

It keeps the states of a replica's streams warm and never trusts them: an append names the version it stands on, and
what is not an append (a refusal, a view) is given only after the stream's head was confirmed in the log.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final, Generic, Literal, Never, TypeVar
from uuid import UUID, uuid5

import msgspec

from libs.eventlog.committed import Committed, CommittedCommand, replay, replay_commands
from libs.eventlog.decider import Command, Decider, Rejection
from libs.eventlog.decision import Decided, decide, hash_body, next_deadline
from libs.eventlog.errors import (
    AppendTimeoutError,
    ContentionError,
    EventLogError,
    LogCorruptError,
)
from libs.eventlog.liveness import Liveness
from libs.eventlog.memory import utc_now
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import (
    Appended,
    AppendOutcome,
    Conflict,
    Duplicate,
    DuplicateMismatch,
    EventStore,
    Outage,
    StoredEvent,
)
from libs.eventlog.streams import stream_id
from libs.eventlog.warm import Turn, WarmStream, WarmStreams

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")

COMMAND_ID_REUSED: Final = "COMMAND_ID_REUSED"
"""The code of a refusal that is the log's own: this command id was used for another body."""

DEADLINE_ACTOR: Final = "system:deadline"
OUTAGE_ACTOR: Final = "system:outage"

_DERIVED_IDS: Final = UUID("5b1f6f0e-2f0c-5d5e-9c63-7a3f3c1f8f4e")
_MAX_PAGE: Final = 10_000


class Loaded(msgspec.Struct, Generic[State], frozen=True):
    """A state at a version that stands in the log; version 0 is the initial state of a stream without events."""

    state: State
    version: int


class Limits(msgspec.Struct, frozen=True):
    """The bounds of a runtime: warm streams, commands waiting per stream, decisions per command, seconds per command."""

    warm_streams: int = 10_000
    waiting_per_stream: int = 64
    attempts: int = 8
    timeout_s: float = 10.0


OnCommitted = Callable[[str, CommittedCommand[State, Event]], None]
OnOutage = Callable[[State, Outage], Body | None]
OnDeadline = Callable[[str, datetime | None], None]


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
        self._decider = decider
        self._registry = registry
        self._store = store
        self._secret_for = secret_for
        self._on_committed = on_committed
        self._on_deadline: OnDeadline | None = None
        self._now = now
        self._liveness = liveness
        self._on_outage = on_outage
        self._limits = limits
        self._observations: Observations = observations or NoObservations()
        self._warm: WarmStreams[State] = WarmStreams(
            size=limits.warm_streams, max_waiting=limits.waiting_per_stream
        )

    @property
    def category(self) -> str:
        """The decider's category."""
        return self._decider.category

    def stream(self, id: str) -> str:  # noqa: A002 - the word of the domain
        """The stream of an aggregate. Raises StreamIdError."""
        return stream_id(self._decider.category, id)

    def watch_deadlines(self, on_deadline: OnDeadline) -> None:
        """Have `on_deadline(id, due_at)` called whenever a warm stream's next deadline is learnt (None: there is none)."""
        self._on_deadline = on_deadline

    async def handle(
        self,
        id: str,  # noqa: A002 - the word of the domain
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
            at or self._now(),
            body,
            self._secret_for(id),
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

    async def load(self, id: str, at_version: int | None = None) -> Loaded[State]:  # noqa: A002
        """The state of a stream as it stands in the log now, or as it was at `at_version`.

        Does not wait for commands in flight. `at_version` above the head gives the head.

        Raises LogUnavailableError, UnknownEventError, StreamIdError.
        """
        stream = self.stream(id)
        if at_version is not None:
            stored = await self._read(stream, 0, at_version)
            return Loaded(*replay(self._decider, self._registry, stored, self._decider.initial(), 0))
        warm = self._warm.get(id)
        if warm is None or warm.known is None or warm.generation != self._store.generation:
            turn = await self._warm.take_turn(stream, id)
            try:
                await self._catch_up(turn.warm)
                return Loaded(_state(turn.warm), turn.warm.version)
            finally:
                turn.release()
        state, version = _state(warm), warm.version
        if (await self._store.head(stream)).version > version:
            state, version = replay(
                self._decider, self._registry, await self._read(stream, version, None), state, version
            )
        return Loaded(state, version)

    async def history(self, id: str, after_version: int = 0) -> list[CommittedCommand[State, Event]]:  # noqa: A002
        """The commands of a stream after a version, in order, each event with the states before and after it.

        A command that `after_version` falls into is given whole. Raises as `load` does.
        """
        stored = await self._read(self.stream(id), 0, None)
        start = next(
            (index for index, event in enumerate(stored) if event.version > after_version), len(stored)
        )
        while start > 0 and start < len(stored) and stored[start].command_id is None:
            start -= 1
        state, version = replay(self._decider, self._registry, stored[:start], self._decider.initial(), 0)
        return replay_commands(self._decider, self._registry, stored[start:], state, version)

    async def refresh(self, id: str, version: int) -> None:  # noqa: A002
        """Another replica says that a stream is at `version`: read the tail and tell the listener of it.

        Does nothing when the stream is not warm here or is as far. Raises as `load` does.
        """
        warm = self._warm.get(id)
        if warm is None or warm.told_version is None or warm.told_version >= version:
            return
        turn = await self._warm.take_turn(warm.stream, id)
        try:
            if turn.warm.told_version is None or turn.warm.told_version < version:
                await self._catch_up(turn.warm)
        finally:
            turn.release()

    async def fire_due(self, id: str) -> Committed[State, Event] | Rejection | None:  # noqa: A002
        """Give the command of a stream's earliest deadline if it is due by the database's clock; None if none is.

        Its id is derived from the stream, the time and the body, so that firing twice, or on two replicas, is harmless.

        Raises as `handle` does.
        """
        turn = await self._warm.take_turn(self.stream(id), id)
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                await self._make_ready(turn)
                now = self._now()
                deadline = next_deadline(self._decider, _state(turn.warm))
                if deadline is None or deadline.due_at > now:
                    self._announce_deadline(turn.warm)
                    return None
                self._observations.deadline_fired(self.category, (now - deadline.due_at).total_seconds())
                body_hash = hash_body(deadline.body)
                name = f"deadline {turn.warm.stream} {deadline.due_at.isoformat()} {body_hash.hex()}"
                command = self._own_command(id, name, DEADLINE_ACTOR, now, deadline.body)
                return await self._in_turn(turn, command, body_hash)
        except TimeoutError as error:
            raise AppendTimeoutError(f"the deadline of {id} was not decided in time") from error
        finally:
            turn.release()

    async def close(self) -> None:
        """Wait for commands whose callers have gone."""
        await self._warm.close()

    async def _handle(
        self,
        id: str,  # noqa: A002
        command: Command[Body],
        body_hash: bytes,
        timeout_s: float | None,
    ) -> Committed[State, Event] | Rejection:
        try:
            async with asyncio.timeout(self._limits.timeout_s if timeout_s is None else timeout_s):
                turn = await self._warm.take_turn(self.stream(id), id)
                try:
                    await self._make_ready(turn)
                    return await self._in_turn(turn, command, body_hash)
                finally:
                    turn.release()
        except TimeoutError as error:
            raise AppendTimeoutError(f"command {command.id} was not answered in time") from error

    async def _in_turn(
        self, turn: Turn[State], command: Command[Body], body_hash: bytes
    ) -> Committed[State, Event] | Rejection:
        """Steps 3 to 8 of `handle`, on a warm state."""
        warm = turn.warm
        for attempt in range(self._limits.attempts):
            if attempt:
                self._observations.conflict(self.category)
                await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311 - jitter
                await self._catch_up(warm)
            decided = decide(
                self._decider, self._registry, warm.stream, _state(warm), warm.version, command, body_hash
            )
            if isinstance(decided, Rejection):
                head = await self._store.head(warm.stream, command.id, body_hash)
                if head.command is not None:
                    return await self._first_outcome(warm, head.command)
                if head.version == warm.version:
                    return decided
                continue
            outcome = await self._append(turn, decided)
            if isinstance(outcome, Appended):
                return Committed(self._apply(warm, decided, outcome))
            if not isinstance(outcome, Conflict):
                return await self._first_outcome(warm, outcome)
        raise ContentionError(
            f"{warm.stream}: {self._limits.attempts} decisions were overtaken by other writers"
        )

    async def _append(self, turn: Turn[State], decided: Decided[State, Event]) -> AppendOutcome:
        """Append; when the caller goes meanwhile, the stream's turn is held until the outcome is known."""
        under_way = asyncio.ensure_future(self._store.append(decided.append))
        try:
            return await asyncio.shield(under_way)
        except asyncio.CancelledError:
            if not under_way.cancelled():
                self._warm.run(self._finish(turn.hand_over(), decided, under_way))
            raise
        except EventLogError:
            turn.warm.forget()
            raise

    async def _finish(
        self, turn: Turn[State], decided: Decided[State, Event], under_way: Awaitable[AppendOutcome]
    ) -> None:
        """The rest of a command whose caller has gone: keep the state and tell the listener, or forget the state."""
        try:
            outcome = await under_way
            if isinstance(outcome, Appended):
                self._apply(turn.warm, decided, outcome)
            else:
                turn.warm.forget()
        except EventLogError:
            turn.warm.forget()
        finally:
            turn.release()

    def _apply(
        self, warm: WarmStream[State], decided: Decided[State, Event], outcome: Appended
    ) -> CommittedCommand[State, Event]:
        """Step 6: what was appended is the state now."""
        command = decided.append
        committed = CommittedCommand(
            warm.stream,
            outcome.from_version,
            outcome.to_version,
            decided.steps,
            command.id,
            command.actor,
            outcome.recorded_at,
        )
        warm.set(committed.after, committed.to_version, committed.recorded_at)
        self._announce_deadline(warm)
        if self._on_committed is not None:
            self._on_committed(warm.id, committed)
        return committed

    async def _first_outcome(
        self, warm: WarmStream[State], known: Duplicate | DuplicateMismatch
    ) -> Committed[State, Event] | Rejection:
        """Step 7: what became of a command id the first time, read from the log."""
        if isinstance(known, DuplicateMismatch):
            return Rejection(COMMAND_ID_REUSED)
        await self._catch_up(warm)
        stored = await self._read(warm.stream, 0, known.to_version)
        state, version = replay(
            self._decider, self._registry, stored[: known.from_version], self._decider.initial(), 0
        )
        (command,) = replay_commands(
            self._decider, self._registry, stored[known.from_version :], state, version
        )
        return Committed(command, duplicate=True)

    async def _make_ready(self, turn: Turn[State]) -> None:
        """Step 2: the state as this replica knows it, with no outage that its deadline does not know of."""
        warm = turn.warm
        if self._liveness is not None:
            await self._liveness.confirm()
        if warm.known is None or warm.generation != self._store.generation:
            await self._catch_up(warm)
        if self._liveness is None or self._on_outage is None or self._liveness.latest is None:
            return
        if warm.last_recorded_at is None or warm.outages_until == self._liveness.latest.ended_at:
            return
        for outage in await self._liveness.outages_since(warm.last_recorded_at):
            await self._pass_outage(turn, outage, self._on_outage)
        warm.outages_until = self._liveness.latest.ended_at

    async def _pass_outage(self, turn: Turn[State], outage: Outage, on_outage: OnOutage[State, Body]) -> None:
        """Have the decider move a running deadline that an outage fell into. One id per outage: it happens once."""
        state = _state(turn.warm)
        deadline = next_deadline(self._decider, state)
        if deadline is None or outage.began_at >= deadline.due_at:
            return
        body = on_outage(state, outage)
        if body is None:
            return
        name = f"outage {turn.warm.stream} {outage.began_at.isoformat()}"
        command = self._own_command(turn.warm.id, name, OUTAGE_ACTOR, self._now(), body)
        await self._in_turn(turn, command, hash_body(body))

    async def _catch_up(self, warm: WarmStream[State]) -> None:
        """Read what the log has beyond the warm state, and tell the listener what it was not told of the stream."""
        generation, started = self._store.generation, time.perf_counter()
        state, version = self._decider.initial(), 0
        if warm.known is not None and warm.generation == generation:
            state, version = _state(warm), warm.version
        stored = await self._read(warm.stream, version, None)
        told = len(stored) if warm.told_version is None else warm.told_version - version
        state, version = replay(self._decider, self._registry, stored[:told], state, version)
        commands = replay_commands(self._decider, self._registry, stored[told:], state, version)
        if commands:
            state, version = commands[-1].after, commands[-1].to_version
        warm.generation = generation
        warm.set(state, version, stored[-1].recorded_at if stored else warm.last_recorded_at)
        self._announce_deadline(warm)
        self._observations.replayed(self.category, len(stored), time.perf_counter() - started)
        if self._on_committed is not None:
            for command in commands:
                self._on_committed(warm.id, command)

    async def _read(
        self, stream: str, after_version: int, up_to_version: int | None
    ) -> Sequence[StoredEvent]:
        """All events in a range, page by page."""
        page = await self._store.read(stream, after_version, up_to_version, _MAX_PAGE)
        if len(page) < _MAX_PAGE:
            return page
        stored = list(page)
        while len(page) == _MAX_PAGE:
            page = await self._store.read(stream, stored[-1].version, up_to_version, _MAX_PAGE)
            stored.extend(page)
        return stored

    def _announce_deadline(self, warm: WarmStream[State]) -> None:
        if self._on_deadline is not None:
            deadline = next_deadline(self._decider, _state(warm))
            self._on_deadline(warm.id, None if deadline is None else deadline.due_at)

    def _own_command(self, id: str, name: str, actor: str, at: datetime, body: Body) -> Command[Body]:  # noqa: A002
        return Command(str(uuid5(_DERIVED_IDS, name)), actor, at, body, self._secret_for(id))

    def _observe(
        self, result: Literal["committed", "duplicate", "rejected", "failed"], code: str, started: float
    ) -> None:
        self._observations.command(self.category, result, code, time.perf_counter() - started)


def _state(warm: WarmStream[State]) -> State:
    if warm.known is None:
        raise LogCorruptError(f"{warm.stream} is used before it was read")
    return warm.known[0]
