"""What must be true of every finished match beyond a clean replay: its secret, its draws and its result.

Shared by `carteado log verify` and the shadow worker. It goes event by event, so that who has little time may pause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

import msgspec

from libs.eventlog.committed import Step
from libs.rules.shuffle import Draws, commitment
from services.table.clocks import end_of_match
from services.table.events import TableEnded, TableEvent, TableOpened
from services.table.state import TableState
from services.table.view import OwnEvent

T = TypeVar("T")

ProblemKind = Literal["commitment", "draw", "label", "result"]


class Problem(msgspec.Struct, frozen=True):
    """Something that must not be; `text` names no card."""

    kind: ProblemKind
    version: int
    text: str


class MatchCheck:
    """Checks one finished match; `check` is given its steps in order."""

    def __init__(self, opened: TableOpened, ended: TableEnded) -> None:
        """`opened` and `ended` are its first and its last event."""
        self._opened = opened
        self._ended = ended
        secret = bytes.fromhex(ended.secret)
        entropy = [bytes.fromhex(item) for item in opened.entropy]
        self._draws = WatchedDraws(secret, opened.table_id, entropy)
        self._used: set[str] = set()

    def check(self, step: Step[TableState, TableEvent]) -> Iterator[Problem]:
        """What is wrong with this event."""
        event = step.event
        if isinstance(event, TableOpened):
            if commitment(bytes.fromhex(self._ended.secret)).hex() != event.commitment:
                text = "the revealed secret is not the one that the first event commits to"
                yield Problem("commitment", step.version, text)
        elif isinstance(event, TableEnded):
            if end_of_match(step.before, event.ended_at, bytes.fromhex(event.secret)) != event:
                yield Problem("result", step.version, "the result is not the one that the match came to")
        elif not isinstance(event, OwnEvent):
            if not step.before.game.is_fair(event, step.before.game_state, self._draws):
                yield Problem("draw", step.version, "the cards are not those that the secret deals")
            for label in self._draws.take_labels():
                if label in self._used:
                    yield Problem("label", step.version, f"the draw {label} was made before")
                self._used.add(label)


class WatchedDraws(Draws):
    """Draws that remember which labels they were asked for: each label may serve one event of a match."""

    def __init__(self, secret: bytes, match_id: str, entropy: Sequence[bytes] = ()) -> None:
        """See `Draws`."""
        super().__init__(secret, match_id, entropy)
        self._labels: list[str] = []

    def take_labels(self) -> Sequence[str]:
        """The labels since the last time this was asked."""
        labels, self._labels = self._labels, []
        return labels

    def below(self, label: str, bound: int) -> int:
        """See `Draws.below`."""
        self._labels.append(label)
        return super().below(label, bound)

    def shuffled(self, label: str, items: Sequence[T]) -> list[T]:
        """See `Draws.shuffled`."""
        self._labels.append(label)
        return super().shuffled(label, items)
