"""The aggregates of one category as one replica knows them: kept up with the log, one decision at a time on each.

States are kept warm and never trusted: an append names the version it stands on, and what is not an append (a refusal,
a view) is given only after the stream's head was confirmed in the log. `Runtime` decides on one aggregate at a time and
`Together` on several, by the same steps.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, Generic, Never, TypeVar
from uuid import UUID, uuid5

import msgspec

from libs.eventlog.committed import Committed, CommittedCommand, Step, replay, replay_commands
from libs.eventlog.decider import Command, Decider, Rejection
from libs.eventlog.decision import decide, hash_body, next_deadline
from libs.eventlog.errors import ContentionError, EventLogError, LogCorruptError
from libs.eventlog.liveness import Liveness
from libs.eventlog.metrics import Observations
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import (
    AppendCommand,
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
Kept = TypeVar("Kept")

COMMAND_ID_REUSED: Final = "COMMAND_ID_REUSED"
"""The code of a refusal that is the log's own: this command id was used for another body."""

OUTAGE_ACTOR: Final = "system:outage"

_DERIVED_IDS: Final = UUID("5b1f6f0e-2f0c-5d5e-9c63-7a3f3c1f8f4e")
_MAX_PAGE: Final = 10_000

log = logging.getLogger(__name__)

OnCommitted = Callable[[str, CommittedCommand[State, Event]], None]
OnOutage = Callable[[State, Outage], Body | None]
OnDeadline = Callable[[str, datetime | None], None]


class Limits(msgspec.Struct, frozen=True):
    """The bounds of a runtime: warm streams, commands waiting per stream, decisions per command, seconds per command."""

    warm_streams: int = 10_000
    waiting_per_stream: int = 64
    attempts: int = 8
    timeout_s: float = 10.0


class Aggregates(Generic[State, Body, Event]):
    """One decider's streams on this replica. Its parameters are those of `Runtime`."""

    def __init__(
        self,
        decider: Decider[State, Body, Event, Never, object, object],
        registry: EventRegistry[Event],
        store: EventStore,
        *,
        secret_for: Callable[[str], bytes],
        on_committed: OnCommitted[State, Event] | None,
        now: Callable[[], datetime],
        liveness: Liveness | None,
        on_outage: OnOutage[State, Body] | None,
        limits: Limits,
        observations: Observations,
    ) -> None:
        self.decider = decider
        self.registry = registry
        self.store = store
        self.secret_for = secret_for
        self.now = now
        self.limits = limits
        self.observations = observations
        self.on_deadline: OnDeadline | None = None
        self.warm: WarmStreams[State] = WarmStreams(
            size=limits.warm_streams, max_waiting=limits.waiting_per_stream
        )
        self._on_committed = on_committed
        self._liveness = liveness
        self._on_outage = on_outage

    @property
    def category(self) -> str:
        """The decider's category."""
        return self.decider.category

    def stream(self, id: str) -> str:
        """The stream of an aggregate. Raises StreamIdError."""
        return stream_id(self.decider.category, id)

    async def take_turn(self, id: str) -> Turn[State]:
        """Wait for an aggregate's turn. Raises StreamBusyError, StreamIdError."""
        return await self.warm.take_turn(self.stream(id), id)

    def is_ready(self, warm: WarmStream[State]) -> bool:
        """Whether `make_ready` would find nothing to do, as far as this replica knows."""
        if warm.known is None or warm.generation != self.store.generation:
            return False
        return self._next_outage(warm) is None

    async def make_ready(self, turn: Turn[State]) -> None:
        """Step 2 of `handle`: the state as this replica knows it, with no outage that its deadline does not know of."""
        warm = turn.warm
        if self._liveness is not None:
            await self._liveness.confirm()
        if warm.known is None or warm.generation != self.store.generation:
            await self.catch_up(warm)
        latest = self._next_outage(warm)
        if (
            latest is None
            or self._liveness is None
            or self._on_outage is None
            or warm.last_recorded_at is None
        ):
            return
        for outage in await self._liveness.outages_since(warm.last_recorded_at):
            await self._pass_outage(turn, outage, self._on_outage)
        warm.outages_until = latest.ended_at

    async def decide_in_turn(
        self, turn: Turn[State], command: Command[Body], body_hash: bytes
    ) -> Committed[State, Event] | Rejection:
        """Steps 3 to 8 of `handle`, on a warm state."""
        warm = turn.warm
        for attempt in range(self.limits.attempts):
            if attempt:
                self.observations.conflict(self.category)
                await asyncio.sleep(retry_delay_s(attempt))
                await self.catch_up(warm)
            decided = decide(
                self.decider, self.registry, warm.stream, known_state(warm), warm.version, command, body_hash
            )
            if isinstance(decided, Rejection):
                head = await self.store.head(warm.stream, command.id, body_hash)
                if head.command is not None:
                    return await self.first_outcome(warm, head.command)
                if head.version == warm.version:
                    return decided
                continue
            keep = partial(self.keep, warm, decided.steps, decided.append, 0)
            outcome = await append_in_turns(self.store, self.warm, (turn,), decided.append, keep)
            if isinstance(outcome, CommittedCommand):
                return Committed(outcome)
            if not isinstance(outcome, Conflict):
                return await self.first_outcome(warm, outcome)
        raise ContentionError(
            f"{warm.stream}: {self.limits.attempts} decisions were overtaken by other writers"
        )

    def keep(
        self,
        warm: WarmStream[State],
        steps: tuple[Step[State, Event], ...],
        command: AppendCommand,
        place: int,
        outcome: Appended,
    ) -> CommittedCommand[State, Event]:
        """Step 6 of `handle`: what was appended is the state now. `place` is the stream's among the command's writes."""
        span = outcome.spans[place]
        committed = CommittedCommand(
            warm.stream,
            span.from_version,
            span.to_version,
            steps,
            command.id,
            command.actor,
            outcome.recorded_at,
        )
        warm.set(committed.after, committed.to_version, committed.recorded_at)
        self.announce_deadline(warm)
        if self._on_committed is not None:
            self._on_committed(warm.id, committed)
        return committed

    async def first_outcome(
        self, warm: WarmStream[State], known: Duplicate | DuplicateMismatch
    ) -> Committed[State, Event] | Rejection:
        """Step 7 of `handle`: what became of a command id the first time, read from the log."""
        if isinstance(known, DuplicateMismatch):
            return Rejection(COMMAND_ID_REUSED)
        await self.catch_up(warm)
        stored = await self.read(warm.stream, 0, known.to_version)
        state, version = replay(
            self.decider, self.registry, stored[: known.from_version], self.decider.initial(), 0
        )
        (command,) = replay_commands(
            self.decider, self.registry, stored[known.from_version :], state, version
        )
        return Committed(command, duplicate=True)

    async def catch_up(self, warm: WarmStream[State]) -> None:
        """Read what the log has beyond the warm state, and tell the listener what it was not told of the stream."""
        generation, started = self.store.generation, time.perf_counter()
        state, version = self.decider.initial(), 0
        if warm.known is not None and warm.generation == generation:
            state, version = known_state(warm), warm.version
        stored = await self.read(warm.stream, version, None)
        told = len(stored) if warm.told_version is None else warm.told_version - version
        state, version = replay(self.decider, self.registry, stored[:told], state, version)
        commands = replay_commands(self.decider, self.registry, stored[told:], state, version)
        if commands:
            state, version = commands[-1].after, commands[-1].to_version
        warm.generation = generation
        warm.set(state, version, stored[-1].recorded_at if stored else warm.last_recorded_at)
        self.announce_deadline(warm)
        self.observations.replayed(self.category, len(stored), time.perf_counter() - started)
        if self._on_committed is not None:
            for command in commands:
                self._on_committed(warm.id, command)

    async def read(self, stream: str, after_version: int, up_to_version: int | None) -> Sequence[StoredEvent]:
        """All events in a range, page by page."""
        page = await self.store.read(stream, after_version, up_to_version, _MAX_PAGE)
        if len(page) < _MAX_PAGE:
            return page
        stored = list(page)
        while len(page) == _MAX_PAGE:
            page = await self.store.read(stream, stored[-1].version, up_to_version, _MAX_PAGE)
            stored.extend(page)
        return stored

    def announce_deadline(self, warm: WarmStream[State]) -> None:
        """Say when something next happens by itself in a warm stream."""
        if self.on_deadline is not None:
            deadline = next_deadline(self.decider, known_state(warm))
            self.on_deadline(warm.id, None if deadline is None else deadline.due_at)

    def own_command(self, id: str, name: str, actor: str, body: Body) -> Command[Body]:
        """A command that nobody gave: its id follows from `name`, so that it happens once on all replicas.

        The aggregate's secret goes into it too, so that no client can use the id up for a command of its own.
        """
        secret = self.secret_for(id)
        return Command(str(uuid5(_DERIVED_IDS, f"{name} {secret.hex()}")), actor, self.now(), body, secret)

    def _next_outage(self, warm: WarmStream[State]) -> Outage | None:
        """The latest outage, if the stream has not been asked about it; a stream without events has nothing to move."""
        latest = None if self._liveness is None or self._on_outage is None else self._liveness.latest
        if latest is None or warm.last_recorded_at is None or warm.outages_until == latest.ended_at:
            return None
        return latest

    async def _pass_outage(self, turn: Turn[State], outage: Outage, on_outage: OnOutage[State, Body]) -> None:
        """Have the decider move a running deadline that an outage fell into. One id per outage: it happens once."""
        state = known_state(turn.warm)
        deadline = next_deadline(self.decider, state)
        if deadline is None or outage.began_at >= deadline.due_at:
            return
        body = on_outage(state, outage)
        if body is None:
            return
        name = f"outage {turn.warm.stream} {outage.began_at.isoformat()}"
        command = self.own_command(turn.warm.id, name, OUTAGE_ACTOR, body)
        await self.decide_in_turn(turn, command, hash_body(body))


async def append_in_turns(
    store: EventStore,
    warm: WarmStreams[Any],
    turns: Sequence[Turn[Any]],
    command: AppendCommand,
    keep: Callable[[Appended], Kept],
) -> Kept | Duplicate | DuplicateMismatch | Conflict:
    """Append what was decided in these turns; `keep` is told when it is in the log, also when the caller has gone.

    The caller may be cancelled meanwhile: the turns are then held until the outcome is known. When it cannot be known,
    the states are forgotten. Raises as `EventStore.append` does.
    """
    under_way = asyncio.ensure_future(store.append(command))
    try:
        outcome = await asyncio.shield(under_way)
    except asyncio.CancelledError:
        if not under_way.cancelled():
            warm.run(_finish([turn.hand_over() for turn in turns], under_way, keep))
        raise
    except EventLogError:
        for turn in turns:
            turn.warm.forget()
        raise
    return keep(outcome) if isinstance(outcome, Appended) else outcome


async def _finish(
    turns: Sequence[Turn[Any]], under_way: Awaitable[AppendOutcome], keep: Callable[[Appended], object]
) -> None:
    """The rest of a command whose caller has gone."""
    is_kept = False
    try:
        outcome = await under_way
        if isinstance(outcome, Appended):
            keep(outcome)
            is_kept = True
    except EventLogError as error:
        log.info("a command whose caller has gone was not appended: %s", error)
    finally:
        for turn in turns:
            if not is_kept:
                turn.warm.forget()
            turn.release()


def known_state(warm: WarmStream[State]) -> State:
    """The warm state. Raises LogCorruptError before it was read, which is a bug here."""
    if warm.known is None:
        raise LogCorruptError(f"{warm.stream} is used before it was read")
    return warm.known[0]


def retry_delay_s(attempt: int) -> float:
    """How long to wait before a decision that was overtaken is taken again, in seconds; longer each time."""
    return random.uniform(0, 0.002 * 2**attempt)  # noqa: S311 - jitter
