"""Live updates: each viewer of a table gets every command's update once, in order, with nothing left out.

A subscription is always in one of two ways of going on: *following*, where each commit is pushed to it as it happens,
or *catching up*, where it reads from the log what it does not have yet, then gets what was committed meanwhile. Whatever
it misses in between makes it catch up.
An update is built and serialised once per viewer, not once per subscription.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import datetime
from typing import Any

import structlog

from libs.eventlog.background import run_once
from libs.eventlog.errors import EventLogError
from libs.eventlog.runtime import Loaded, Runtime
from libs.service.errors import INTERNAL, UNAVAILABLE
from services.table.commands import TableCommand
from services.table.decider import TABLE
from services.table.events import TableEvent
from services.table.messages import SharedView, update_head
from services.table.state import TableState
from services.table.updates import CommitUpdates, Frame, TableCommit
from services.table.view import Viewer
from services.table.watching import refusal

TableRuntime = Runtime[TableState, TableCommand, TableEvent]

MAX_READING = 2
"""Subscriptions that read the log at once: a thousand viewers that come back must not keep players from acting."""

MAX_GAP = 400
"""Versions: a viewer that is further behind gets a marked view instead of every update."""

MAX_KEPT = 64
"""Commits kept for a subscription while it reads the log; if there are more, it reads again."""

log = structlog.get_logger()


class Subscription:
    """One viewer's wish to see a table. `deliver` takes a frame; `end` is told the code with which it is over."""

    def __init__(
        self,
        table_id: str,
        actor: str | None,
        last_version: int,
        deliver: Callable[[Frame], None],
        end: Callable[[str], None],
    ) -> None:
        """`actor` is who looks, None for a spectator; the seat is found when the table is first loaded."""
        self.table_id = table_id
        self.actor = actor
        self.viewer: Viewer = None
        self.sent = last_version
        self.deliver = deliver
        self.end = end
        self.is_following = False
        self.kept: deque[TableCommit] = deque(maxlen=MAX_KEPT)
        self.is_over = False
        self.is_admitted = False


class LiveTables:
    """The subscriptions of one replica."""

    def __init__(self, runtime: TableRuntime, now: Callable[[], datetime]) -> None:
        self._runtime = runtime
        self._now = now
        self._by_table: dict[str, set[Subscription]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._reading = asyncio.Semaphore(MAX_READING)
        self._looks: dict[str, asyncio.Task[Loaded[TableState]]] = {}

    @property
    def count(self) -> int:
        """How many subscriptions there are."""
        return sum(len(group) for group in self._by_table.values())

    def attach(self, subscription: Subscription) -> None:
        """Begins to serve a subscription; it hears of the table at once."""
        self._by_table.setdefault(subscription.table_id, set()).add(subscription)
        self._start_catching_up(subscription)

    def detach(self, subscription: Subscription) -> None:
        """Ends a subscription; it hears no more."""
        subscription.is_over = True
        group = self._by_table.get(subscription.table_id)
        if group is not None:
            group.discard(subscription)
            if not group:
                del self._by_table[subscription.table_id]

    def committed(self, table_id: str, commit: TableCommit) -> None:
        """Pushes a commit to its table's followers. Called in the order of versions."""
        updates = CommitUpdates(commit, self._now())
        for subscription in tuple(self._by_table.get(table_id, ())):
            if not subscription.is_following:
                subscription.kept.append(commit)
            elif subscription.sent == commit.from_version:
                self._deliver(subscription, updates.frame(subscription.viewer))
            elif subscription.sent < commit.from_version:
                subscription.is_following = False
                self._start_catching_up(subscription)

    @property
    def watched(self) -> list[str]:
        """The tables that have viewers here."""
        return list(self._by_table)

    def hinted(self, table_id: str, version: int) -> None:
        """A table may be at this version: who follows it and is behind reads what it lacks from the log."""
        for subscription in tuple(self._by_table.get(table_id, ())):
            if subscription.is_following and subscription.sent < version:
                subscription.is_following = False
                self._start_catching_up(subscription)

    async def close(self) -> None:
        """Ends the tasks that catch up."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _catch_up(self, subscription: Subscription) -> None:
        """Reads what the subscription lacks, until nothing is left out between that and what was kept meanwhile."""
        try:
            while not subscription.is_over and not subscription.is_following:
                subscription.kept.clear()
                await self._read_on(subscription)
                subscription.is_following = self._give_kept(subscription)
        except EventLogError:
            log.warning("a subscription could not be served", table=subscription.table_id, exc_info=True)
            self._end(subscription, UNAVAILABLE.code)

    async def _read_on(self, subscription: Subscription) -> None:
        loaded = await asyncio.shield(self._look(subscription.table_id))
        if not loaded.state.is_open:
            self._end(subscription, "TABLE_NOT_FOUND")
            return
        if subscription.actor is not None:
            subscription.viewer = loaded.state.seat_of(subscription.actor)
        if subscription.viewer is None and not subscription.is_admitted:
            others = self._spectators(subscription.table_id)
            windows = 0 if subscription.actor is None else others.count(subscription.actor)
            code = refusal(loaded.state, len(others), windows)
            if code:
                self._end(subscription, code)
                return
        subscription.is_admitted = True
        behind = loaded.version - subscription.sent
        if behind and (subscription.sent == 0 or not 0 < behind <= MAX_GAP):
            self._deliver(subscription, self._view_frame(subscription, loaded))
        elif behind:
            async with self._reading:
                missed = await self._runtime.history(subscription.table_id, subscription.sent)
            is_over = loaded.state.ended is not None
            for commit in missed:
                updates = CommitUpdates(commit, self._now(), is_over=is_over)
                self._deliver(subscription, updates.frame(subscription.viewer))
                await asyncio.sleep(0)

    def _look(self, table_id: str) -> asyncio.Task[Loaded[TableState]]:
        """A look at the table in the log, for all who want one before it begins: they often come together, when a table opens.

        Who comes once it has begun needs another one, as what was committed in between would be missed.
        """
        look = self._looks.get(table_id)
        if look is None:
            look = self._looks[table_id] = asyncio.create_task(self._load(table_id))
            self._tasks.add(look)
            look.add_done_callback(self._tasks.discard)
        return look

    async def _load(self, table_id: str) -> Loaded[TableState]:
        try:
            await self._reading.acquire()
        finally:
            del self._looks[table_id]
        try:
            return await self._runtime.load(table_id)
        finally:
            self._reading.release()

    def _spectators(self, table_id: str) -> list[str | None]:
        """Who watches the table, each subscription's actor."""
        group = self._by_table.get(table_id, ())
        return [other.actor for other in group if other.is_admitted and other.viewer is None]

    def _give_kept(self, subscription: Subscription) -> bool:
        """Delivers the commits that were made while the log was read; whether nothing is missing before them."""
        for commit in subscription.kept:
            if commit.from_version > subscription.sent:
                return False
            if commit.from_version == subscription.sent:
                self._deliver(subscription, CommitUpdates(commit, self._now()).frame(subscription.viewer))
        subscription.kept.clear()
        return True

    def _end(self, subscription: Subscription, code: str) -> None:
        if not subscription.is_over:
            self.detach(subscription)
            subscription.end(code)

    def _deliver(self, subscription: Subscription, frame: Frame) -> None:
        if not subscription.is_over:
            subscription.sent = frame[2]
            subscription.deliver(frame)

    def _view_frame(self, subscription: Subscription, loaded: Loaded[TableState]) -> Frame:
        view = TABLE.view(loaded.state, subscription.viewer)
        head = update_head(
            table_id=subscription.table_id,
            from_version=subscription.sent,
            to_version=loaded.version,
            at=self._now(),
            is_resync=subscription.sent != 0,
        )
        field = SharedView(view, loaded.version).field(view)
        return head + field, subscription.sent, loaded.version

    def _start_catching_up(self, subscription: Subscription) -> None:
        task = run_once(self._catch_up(subscription), f"a viewer of table {subscription.table_id}")

        def over(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and task.exception() is not None:
                self._end(subscription, INTERNAL.code)

        self._tasks.add(task)
        task.add_done_callback(over)
