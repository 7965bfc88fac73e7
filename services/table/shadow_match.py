"""One finished match replayed from the log and compared with what was written when it was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from libs.eventlog.committed import Step
from libs.eventlog.errors import UnknownEventError
from libs.eventlog.store import StoredEvent
from services.table.decider import TABLE
from services.table.events import TableEnded, TableEvent, TableOpened
from services.table.match_check import MatchCheck, ProblemKind
from services.table.registry import REGISTRY
from services.table.state import TableState

Kind = Literal["state_hash", "version", "unreadable", "failed"] | ProblemKind
KINDS: tuple[Kind, ...] = (
    "state_hash",
    "version",
    "unreadable",
    "failed",
    "commitment",
    "draw",
    "label",
    "result",
)
"""What can differ: a command's hash, a hole, an event that can't be read or applied, then the problems of `MatchCheck`."""

_EVOLVE_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What a pure function can do when it meets an event that it should never have met."""


class Divergence(msgspec.Struct, frozen=True):
    """Where the replay differs from the log; `event` is the stored type's name. No card stands here."""

    kind: Kind
    version: int
    event: str


class Compared(msgspec.Struct, frozen=True):
    """One event was replayed; `hashes` counts the state hashes compared, and what differed is listed."""

    hashes: int = 0
    divergences: tuple[Divergence, ...] = ()


def replay_match(stored: Sequence[StoredEvent]) -> Iterator[Compared]:
    """Replays a finished match; gives something after each event, so that the caller may pause.

    Ends at the first divergence after which nothing more can be said: a hole, or an event that can't be read or applied.
    """
    ends = _ends_of(stored)
    if ends is None:
        yield Compared(divergences=(Divergence("unreadable", stored[-1].version, stored[-1].name),))
        return
    match = MatchCheck(*ends)
    state = TABLE.initial()
    for version, event in enumerate(stored, start=1):
        if event.version != version:
            yield Compared(divergences=(Divergence("version", event.version, event.name),))
            return
        try:
            step = _step(event, state)
            found = [Divergence(problem.kind, version, event.name) for problem in match.check(step)]
            hashes = int(event.state_hash is not None)
            if hashes and TABLE.state_hash(step.after) != event.state_hash:
                found.append(Divergence("state_hash", version, event.name))
        except UnknownEventError:
            yield Compared(divergences=(Divergence("unreadable", version, event.name),))
            return
        except _EVOLVE_ERRORS:
            yield Compared(divergences=(Divergence("failed", version, event.name),))
            return
        state = step.after
        yield Compared(hashes, tuple(found))


def _ends_of(stored: Sequence[StoredEvent]) -> tuple[TableOpened, TableEnded] | None:
    try:
        opened, ended = _decoded(stored[0]), _decoded(stored[-1])
    except UnknownEventError:
        return None
    return (opened, ended) if isinstance(opened, TableOpened) and isinstance(ended, TableEnded) else None


def _step(stored: StoredEvent, before: TableState) -> Step[TableState, TableEvent]:
    event = _decoded(stored)
    return Step(stored.version, event, before, TABLE.evolve(before, event))


def _decoded(stored: StoredEvent) -> TableEvent:
    return REGISTRY.decode(stored.name, stored.schema_version, stored.payload)
