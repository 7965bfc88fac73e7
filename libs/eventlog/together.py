"""One command over several aggregates of one service: seat a player at a table, form a match.

Their streams are loaded together and its events appended all or nothing, each stream with its expected version. Every
stream that the decision rests on gets at least one event: what it does not write to, `(stream, version)` cannot guard.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from libs.eventlog.aggregates import (
    COMMAND_ID_REUSED,
    Aggregates,
    Limits,
    append_in_turns,
    known_state,
    retry_delay_s,
)
from libs.eventlog.committed import Committed, CommittedCommand
from libs.eventlog.decider import Command, Rejection
from libs.eventlog.decision import Folded, fold, hash_body, to_append
from libs.eventlog.errors import (
    AppendTimeoutError,
    ContentionError,
    EmptyDecisionError,
    EventLogError,
)
from libs.eventlog.metrics import CommandResult
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand, Appended, Conflict, Duplicate
from libs.eventlog.warm import Turn

State = TypeVar("State")
Body = TypeVar("Body")
Event = TypeVar("Event")

MOST_MEMBERS: Final = 64
"""Aggregates of one command: each holds its stream's turn and its partition's counter row."""


class Member(NamedTuple):
    """An aggregate that takes part in a command."""

    category: str
    id: str


DecideTogether = Callable[
    [Mapping[Member, State], Command[Body]], Mapping[Member, Sequence[Event]] | Rejection
]
"""The events of a command for each member (at least one for each), or why it is refused. Pure, as `decide` is."""


class CommittedTogether(msgspec.Struct, Generic[State, Event], frozen=True):
    """The answer to a command that was appended to all of its members' streams, `duplicate` when that was before."""

    commands: Mapping[Member, CommittedCommand[State, Event]]
    duplicate: bool = False


class _Place(NamedTuple):
    """A member whose turn is held. A command's places are in the order of their streams."""

    member: Member
    aggregates: Aggregates[Any, Any, Any]
    turn: Turn[Any]


class Together(Generic[State, Body, Event]):
    """Decides commands over aggregates of several runtimes, which share one store.

    The runtimes keep what is theirs: their deciders fold and publish the events and say the deadlines, their listeners
    hear of each stream, and their outages are passed on first. The command has no `secret`: it draws nothing.
    """

    def __init__(
        self,
        decide: DecideTogether[State, Body, Event],
        *runtimes: Runtime[Any, Any, Any],
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
    ) -> None:
        self._decide = decide
        self._aggregates = {runtime.category: runtime.aggregates for runtime in runtimes}
        if len({id(one.store) for one in self._aggregates.values()}) != 1:
            raise ValueError("a command over several aggregates needs runtimes of one store")
        first = runtimes[0].aggregates
        self._store, self._now, self._observations = first.store, first.now, first.observations
        self._limits = limits

    async def handle(
        self,
        members: Collection[Member],
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
    ) -> CommittedTogether[State, Event] | Rejection:
        """Decide a command on all members at once and make the decision durable: the steps of `Runtime.handle`.

        The streams' turns are taken in the order of their names, so that two such commands cannot wait for each other.
        A conflict on any stream has all of them decided again. The same id for other members is another body.

        Raises as `Runtime.handle` does, and ValueError for no members, more than `MOST_MEMBERS`, or an unknown category.
        """
        chosen = self._ordered(members)
        command = Command(
            command_id, actor, at or self._now(), body, b"", correlation_id, causation_id, trace
        )
        digest = _hash_with_members(body_hash or hash_body(body), chosen)
        label, started = "+".join(sorted({member.category for member in chosen})), time.perf_counter()
        try:
            async with asyncio.timeout(self._limits.timeout_s if timeout_s is None else timeout_s):
                answer = await self._handle(chosen, command, digest, label)
        except TimeoutError as error:
            self._observe(label, "failed", AppendTimeoutError.__name__, started)
            raise AppendTimeoutError(f"command {command_id} was not answered in time") from error
        except EventLogError as error:
            self._observe(label, "failed", type(error).__name__, started)
            raise
        if isinstance(answer, Rejection):
            self._observe(label, "rejected", answer.code, started)
        else:
            self._observe(label, "duplicate" if answer.duplicate else "committed", "", started)
        return answer

    def _ordered(self, members: Collection[Member]) -> list[Member]:
        """The members without repetition, in the order in which every command takes their turns."""
        chosen = set(members)
        if not 1 <= len(chosen) <= MOST_MEMBERS:
            raise ValueError(f"a command has 1 to {MOST_MEMBERS} members, not {len(chosen)}")
        unknown = {member.category for member in chosen} - self._aggregates.keys()
        if unknown:
            raise ValueError(f"no runtime was given for {', '.join(sorted(unknown))}")
        return sorted(chosen, key=lambda member: self._aggregates[member.category].stream(member.id))

    async def _handle(
        self, members: Sequence[Member], command: Command[Body], body_hash: bytes, label: str
    ) -> CommittedTogether[State, Event] | Rejection:
        places: list[_Place] = []
        try:
            for member in members:
                aggregates = self._aggregates[member.category]
                places.append(_Place(member, aggregates, await aggregates.take_turn(member.id)))
            for place in places:
                await place.aggregates.make_ready(place.turn)
            return await self._decide_in_turns(places, command, body_hash, label)
        finally:
            for place in places:
                place.turn.release()

    async def _decide_in_turns(
        self, places: Sequence[_Place], command: Command[Body], body_hash: bytes, label: str
    ) -> CommittedTogether[State, Event] | Rejection:
        for attempt in range(self._limits.attempts):
            if attempt:
                self._observations.conflict(label)
                await asyncio.sleep(retry_delay_s(attempt))
                for place in places:
                    await place.aggregates.catch_up(place.turn.warm)
            states = {place.member: known_state(place.turn.warm) for place in places}
            events = self._decide(states, command)
            if isinstance(events, Rejection):
                refusal = await self._confirm(places, command.id, body_hash, events)
                if refusal is not None:
                    return refusal
                continue
            folded = _fold_all(places, events)
            append = to_append(command, body_hash, tuple(one.write for one in folded))
            keep = partial(_keep, places, folded, append)
            turns = [place.turn for place in places]
            outcome = await append_in_turns(self._store, places[0].aggregates.warm, turns, append, keep)
            if isinstance(outcome, CommittedTogether):
                return outcome
            if not isinstance(outcome, Conflict):
                return await self._first_outcome(places, command.id, body_hash)
        raise ContentionError(f"{label}: {self._limits.attempts} decisions were overtaken by other writers")

    async def _confirm(
        self, places: Sequence[_Place], command_id: str, body_hash: bytes, refusal: Rejection
    ) -> CommittedTogether[State, Event] | Rejection | None:
        """The refusal if every stream still stands where it was decided on, the first outcome of a known id, else None.

        Heads are looked at one after another. Versions only grow, so if none has moved by its look, all of them stood
        there at the first one: the refusal was right at that moment.
        """
        has_moved = False
        for place in places:
            warm = place.turn.warm
            head = await self._store.head(warm.stream, command_id, body_hash)
            if head.command is not None:
                return await self._first_outcome(places, command_id, body_hash)
            has_moved = has_moved or head.version != warm.version
        return None if has_moved else refusal

    async def _first_outcome(
        self, places: Sequence[_Place], command_id: str, body_hash: bytes
    ) -> CommittedTogether[State, Event] | Rejection:
        """What became of a command id the first time, read from each of its streams."""
        commands: dict[Member, CommittedCommand[State, Event]] = {}
        for place in places:
            warm = place.turn.warm
            known = (await self._store.head(warm.stream, command_id, body_hash)).command
            if not isinstance(known, Duplicate):
                return Rejection(COMMAND_ID_REUSED)
            first = await place.aggregates.first_outcome(warm, known)
            assert isinstance(first, Committed)
            commands[place.member] = first.command
        return CommittedTogether(commands, duplicate=True)

    def _observe(self, label: str, result: CommandResult, code: str, started: float) -> None:
        self._observations.command(label, result, code, time.perf_counter() - started)


def _fold_all(places: Sequence[_Place], events: Mapping[Member, Sequence[Any]]) -> list[Folded[Any, Any]]:
    missing = [place.member for place in places if not events.get(place.member)]
    if missing or len(events) != len(places):
        raise EmptyDecisionError(
            f"a command over several aggregates decides events for each of its members and no others, not for {missing or set(events)}"
        )
    return [
        fold(
            place.aggregates.decider,
            place.aggregates.registry,
            place.turn.warm.stream,
            known_state(place.turn.warm),
            place.turn.warm.version,
            events[place.member],
        )
        for place in places
    ]


def _keep(
    places: Sequence[_Place],
    folded: Sequence[Folded[Any, Any]],
    command: AppendCommand,
    outcome: Appended,
) -> CommittedTogether[Any, Any]:
    """What was appended is the state of each stream now."""
    return CommittedTogether(
        {
            place.member: place.aggregates.keep(place.turn.warm, one.steps, command, number, outcome)
            for number, (place, one) in enumerate(zip(places, folded, strict=True))
        }
    )


def _hash_with_members(body_hash: bytes, members: Sequence[Member]) -> bytes:
    names = "\n".join(f"{member.category} {member.id}" for member in members)
    return blake2b(body_hash + names.encode(), digest_size=16).digest()
