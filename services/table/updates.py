"""One command's updates, a message for each viewer; what all are told alike is written once.

A move goes to everybody at the table, so most of the service's time would go into saying the same thing again.
"""

from __future__ import annotations

from datetime import datetime

from libs.eventlog.committed import CommittedCommand
from services.table.decider import TABLE
from services.table.events import SeatClaimed, TableEvent
from services.table.messages import SharedView, event_field, update_head
from services.table.state import TableState
from services.table.view import Seen, Viewer, with_pseudonyms

TableCommit = CommittedCommand[TableState, TableEvent]

Frame = tuple[bytes, int, int]
"""A serialised TableUpdate, its from_version and its to_version."""


class CommitUpdates:
    """The updates of one commit. Each viewer's is built from that viewer's own view and is the same whoever asked before."""

    def __init__(self, commit: TableCommit, at: datetime, *, is_over: bool = False) -> None:
        """`at` is the server's time that the updates carry.

        `is_over` says that the match has ended by now: then those who have not played it are told pseudonyms, also in
        what happened before its end.
        """
        self._commit = commit
        self._at = at
        self._is_over = is_over
        self._head = b""
        self._shared: SharedView | None = None
        self._tells_alike = commit.after.game.tells_alike and not any(
            isinstance(step.event, SeatClaimed) for step in commit.steps
        )
        self._events: bytes | None = None
        self._told: dict[int, tuple[Seen, bytes]] = {}
        self._frames: dict[Viewer, Frame] = {}

    def frame(self, viewer: Viewer) -> Frame:
        """The viewer's update."""
        frame = self._frames.get(viewer)
        if frame is None:
            frame = self._frames[viewer] = self._build(viewer)
        return frame

    def _build(self, viewer: Viewer) -> Frame:
        commit = self._commit
        after = commit.after
        view = TABLE.view(after, viewer)
        if viewer is None and self._is_over:
            view = with_pseudonyms(view)
        if self._shared is None:
            self._head = update_head(
                table_id=view.table_id,
                from_version=commit.from_version,
                to_version=commit.to_version,
                at=self._at,
            )
            self._shared = SharedView(view, commit.to_version)
        update = self._head + self._told_to(viewer) + self._shared.field(view)
        return update, commit.from_version, commit.to_version

    def _told_to(self, viewer: Viewer) -> bytes:
        """The update's events for a viewer."""
        if self._events is not None:
            return self._events
        parts = []
        for step in self._commit.steps:
            seen = TABLE.observe(step.event, step.before, step.after, viewer)
            if seen is not None:
                parts.append(self._event(step.version, seen))
        events = b"".join(parts)
        if self._tells_alike:
            self._events = events
        return events

    def _event(self, version: int, seen: Seen) -> bytes:
        """What is told of an event; most events are told to everybody alike."""
        told = self._told.get(version)
        if told is None or told[0] != seen:
            told = self._told[version] = (seen, event_field(version, seen))
        return told[1]
