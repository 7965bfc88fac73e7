"""Group commit: what waits is appended together, in one statement, on one connection.

While a statement is under way the next group gathers. Under load two groups take turns: each takes half of what is in
flight, so that the database commits one while the callers of the other decide, and neither waits for the other to be
idle. A statement that fails as a whole is tried again command by
command, so that one poisoned command does not take others with it. When the connection is lost during a statement its
outcome is not known: the same commands are sent again on a new connection, and the log, which knows their ids, answers
what became of them.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import msgspec

from libs.eventlog.background import end, run_in_background
from libs.eventlog.errors import AppendTimeoutError, EventLogError, LogUnavailableError, UnstorableError
from libs.eventlog.linger import Linger
from libs.eventlog.metrics import NoObservations, Observations
from libs.eventlog.store import AppendCommand, AppendOutcome, Outage


class StatementRefusedError(EventLogError):
    """The database refused a statement for what is in it. Nothing of it was appended."""


class ConnectionLostError(EventLogError):
    """The connection was lost: what was sent on it may have been done or not."""


class Writer(Protocol):
    """The one connection that appends."""

    async def write(self, commands: Sequence[AppendCommand]) -> Sequence[AppendOutcome]:
        """Append a group in one statement; no stream stands twice in it.

        Raises StatementRefusedError, LogUnavailableError (nothing was appended), ConnectionLostError (not known).
        """

    async def beat(self, outage_after_s: float) -> Outage | None:
        """See `EventStore.beat`. Raises LogUnavailableError, ConnectionLostError."""

    async def close(self) -> None:
        """Close the connection."""


class AppenderLimits(msgspec.Struct, frozen=True):
    """Bounds: commands that may wait, commands in a statement, seconds that one waits while the log is away.

    A command waits for less time than an outage takes to be one: what was decided before an outage is not appended
    after it, where it might undo the time that the outage rule gives back. Groups are halved from `halved_from` commands
    in flight on: with fewer a statement costs more than deciding does, and two small ones cost more than one.
    """

    waiting: int = 4_096
    group: int = 512
    halved_from: int = 16
    patience_s: float = 2.5
    reconnect_first_s: float = 0.02
    reconnect_most_s: float = 0.5


class _Waiting(msgspec.Struct):
    """A command and whoever waits for its outcome. `is_in_doubt` once it was sent and nothing came back."""

    command: AppendCommand
    outcome: asyncio.Future[AppendOutcome]
    expires_at: float
    is_in_doubt: bool = False


class _Beat(msgspec.Struct):
    outage_after_s: float
    done: asyncio.Future[Outage | None]
    expires_at: float


class Appender:
    """Groups appends. `open_writer` opens a new connection and raises LogUnavailableError when it cannot.

    `on_appended` is told the commands of each group that was committed, which wakes whoever sends public messages on.
    `generation` grows with each lost connection.
    """

    def __init__(
        self,
        open_writer: Callable[[], Awaitable[Writer]],
        *,
        limits: AppenderLimits = AppenderLimits(),  # noqa: B008 - a frozen value
        observations: Observations | None = None,
        linger: Linger | None = None,
    ) -> None:
        self._open_writer = open_writer
        self._limits = limits
        self._observations: Observations = observations or NoObservations()
        self._linger = linger or Linger()
        self._waiting: deque[_Waiting] = deque()
        self._under_way: Sequence[_Waiting] = ()
        self._last_group = 0
        self._beats: deque[_Beat] = deque()
        self._wake = asyncio.Event()
        self._writer: Writer | None = None
        self._task: asyncio.Task[None] | None = None
        self._expiring: asyncio.Task[None] | None = None
        self._is_closed = False
        self.on_appended: Callable[[Sequence[AppendCommand]], None] | None = None
        self.generation = 0

    async def start(self) -> None:
        """Connect, and begin to append. Raises LogUnavailableError."""
        self._writer = await self._open_writer()
        self._task = run_in_background(self._run(), "appender")
        self._expiring = run_in_background(self._expire_in_time(), "expiry of appends")

    async def close(self) -> None:
        """Append what waits, then close the connection. What cannot be appended is answered as such."""
        self._is_closed = True
        self._wake.set()
        try:
            if self._task is not None:
                await self._task
        finally:
            if self._expiring is not None:
                await end(self._expiring)
        if self._writer is not None:
            await self._writer.close()
            self._writer = None

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection to append on."""
        return self._writer is not None

    def append(self, command: AppendCommand) -> asyncio.Future[AppendOutcome]:
        """Queue a command; the future gets its outcome. See `EventStore.append` for what it raises.

        Raises LogUnavailableError at once when the queue is full or the appender closed.
        """
        if self._is_closed:
            raise LogUnavailableError("the log is closed")
        if len(self._waiting) >= self._limits.waiting:
            raise LogUnavailableError(f"{len(self._waiting)} commands wait to be appended")
        outcome: asyncio.Future[AppendOutcome] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(command, outcome, time.monotonic() + self._limits.patience_s))
        self._wake.set()
        return outcome

    def beat(self, outage_after_s: float) -> asyncio.Future[Outage | None]:
        """Beat through the append connection, between two groups. Raises LogUnavailableError (also in the future)."""
        if self._is_closed:
            raise LogUnavailableError("the log is closed")
        done: asyncio.Future[Outage | None] = asyncio.get_running_loop().create_future()
        self._beats.append(_Beat(outage_after_s, done, time.monotonic() + self._limits.patience_s))
        self._wake.set()
        return done

    async def _run(self) -> None:
        try:
            await self._loop()
        finally:
            # Also when this task ends by a bug: nobody waits for ever, and the error is raised by `close`.
            self._is_closed = True
            for waiting in (*self._under_way, *self._waiting):
                _fail(waiting.outcome, LogUnavailableError("the log is closed"))
            for beat in self._beats:
                _fail(beat.done, LogUnavailableError("the log is closed"))

    async def _loop(self) -> None:
        while not (self._is_closed and not self._waiting and not self._beats):
            await self._wake.wait()
            if not self._waiting and not self._beats:
                self._wake.clear()
                continue
            writer = self._writer or await self._reconnect()
            if writer is None:
                continue
            try:
                await self._work(writer)
            except ConnectionLostError:
                await self._lose(writer)

    async def _work(self, writer: Writer) -> None:
        if self._beats:
            await self._run_beats(writer)
        if not self._waiting:
            return
        delay_s = self._linger.delay_s(time.monotonic())
        if delay_s and len(self._waiting) < self._limits.group:
            await asyncio.sleep(delay_s)
        group = self._under_way = self._take_group()
        if group:
            await self._commit(writer, group)
        self._under_way = ()

    async def _run_beats(self, writer: Writer) -> None:
        while self._beats and self._beats[0].done.done():
            self._beats.popleft()  # nobody waits for it any more
        if not self._beats:
            return
        beat = self._beats[0]
        try:
            latest = await writer.beat(beat.outage_after_s)
        except EventLogError as error:
            self._beats.popleft()
            _fail(beat.done, LogUnavailableError(f"the beat was not committed: {error}"))
            if isinstance(error, ConnectionLostError):
                raise
            return
        self._beats.popleft()
        if not beat.done.done():
            beat.done.set_result(latest)

    def _take_group(self) -> list[_Waiting]:
        """The next commands, at most one for each stream; the others keep their order for the next group."""
        group: list[_Waiting] = []
        streams: set[str] = set()
        left: list[_Waiting] = []
        now = time.monotonic()
        # The callers of the last group are deciding now, if they come again.
        in_flight = len(self._waiting) + self._last_group
        most = self._limits.group
        if in_flight >= self._limits.halved_from:
            most = min(most, (in_flight + 1) // 2)
        while self._waiting and len(group) < most:
            waiting = self._waiting.popleft()
            if waiting.outcome.done() or _expire(waiting, now):
                continue
            theirs = [write.stream for write in waiting.command.writes]
            if streams.isdisjoint(theirs):
                group.append(waiting)
            else:
                left.append(waiting)
            # A command that stays behind also holds its streams, so that order is kept.
            streams.update(theirs)
        self._waiting.extendleft(reversed(left))
        self._last_group = len(group)
        return group

    async def _commit(self, writer: Writer, group: list[_Waiting]) -> None:
        started = time.monotonic()
        try:
            outcomes = await writer.write([waiting.command for waiting in group])
        except StatementRefusedError as error:
            if len(group) == 1:
                _fail(
                    group[0].outcome,
                    UnstorableError(f"the log refused command {group[0].command.id}: {error}"),
                )
                return
            for index, waiting in enumerate(group):
                try:
                    await self._commit(writer, [waiting])
                except ConnectionLostError:
                    # The one that was under way has been put back; those after it were never sent.
                    self._waiting.extendleft(reversed(group[index + 1 :]))
                    raise
            return
        except LogUnavailableError as error:
            for waiting in group:
                _fail(waiting.outcome, LogUnavailableError(str(error)))
            return
        except ConnectionLostError:
            for waiting in group:
                waiting.is_in_doubt = True
            self._waiting.extendleft(reversed(group))
            raise
        now = time.monotonic()
        for waiting, outcome in zip(group, outcomes, strict=True):
            if not waiting.outcome.done():
                waiting.outcome.set_result(outcome)
        self._linger.note((waiting.command.writes[0].stream for waiting in group), now)
        self._observations.group(len(group), now - started)
        if self.on_appended is not None:
            self.on_appended([waiting.command for waiting in group])

    async def _lose(self, writer: Writer) -> None:
        """The connection is gone: from here on nothing that was kept warm may be trusted."""
        self.generation += 1
        self._writer = None
        self._observations.connection_lost()
        await writer.close()

    async def _reconnect(self) -> Writer | None:
        """Open a new connection; None when it cannot be, after a pause that grows, and what waited too long is answered."""
        delay_s = self._limits.reconnect_first_s
        while self._waiting or self._beats:
            try:
                self._writer = await self._open_writer()
            except LogUnavailableError:
                await asyncio.sleep(delay_s * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
                delay_s = min(delay_s * 2, self._limits.reconnect_most_s)
                self._expire_waiting()
            else:
                self._expire_waiting()
                return self._writer
        return None

    async def _expire_in_time(self) -> None:
        """Answer commands on time also while a statement or a new connection is waited for, which may take seconds more."""
        while True:
            await asyncio.sleep(self._limits.patience_s / 10)
            # The first is the oldest.
            if self._waiting and self._waiting[0].expires_at <= time.monotonic():
                self._expire_commands()

    def _expire_commands(self) -> None:
        now = time.monotonic()
        self._waiting = deque(
            waiting for waiting in self._waiting if not waiting.outcome.done() and not _expire(waiting, now)
        )

    def _expire_waiting(self) -> None:
        self._expire_commands()
        now = time.monotonic()
        for beat in self._beats:
            if beat.expires_at <= now:
                _fail(beat.done, LogUnavailableError("no beat can be committed"))
        self._beats = deque(beat for beat in self._beats if not beat.done.done())


def _expire(waiting: _Waiting, now: float) -> bool:
    if waiting.expires_at > now:
        return False
    if waiting.is_in_doubt:
        error: EventLogError = AppendTimeoutError(
            f"the connection was lost while command {waiting.command.id} was appended: send the same id again"
        )
    else:
        error = LogUnavailableError(f"command {waiting.command.id} waited too long and was not appended")
    _fail(waiting.outcome, error)
    return True


def _fail(
    future: asyncio.Future[AppendOutcome] | asyncio.Future[Outage | None], error: EventLogError
) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # whoever waited may have gone; that is no error of its own
