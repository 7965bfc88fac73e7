"""Closes the weeks that are over: by themselves after Monday 00:10, or when an operator says so.

The deadline of a week's stream says that it is over. Who has what then is read from the projection, once it has come
as far as the log had, and goes into the command, so that the decision is pure. Two that close at once close once.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

import structlog

from libs.eventlog.decider import Rejection
from libs.eventlog.decision import hash_body
from libs.eventlog.errors import EventLogError, LogUnavailableError
from libs.eventlog.runtime import Runtime
from services.league.calendar import closes_at
from services.league.errors import ERRORS, WEEK_ALREADY_CLOSED, WEEK_NOT_FOUND, WEEK_NOT_OVER
from services.league.events import LeagueWeekEvent
from services.league.league_week import CloseWeek, EndWeek, LeagueWeekCommand, LeagueWeekState, league_week_id
from services.league.reads import Reads

Weeks = Runtime[LeagueWeekState, LeagueWeekCommand, LeagueWeekEvent]

SETTLE_S: Final = 15.0
"""Longer than a command may take: after it nothing that came before the closing is still on its way to the log."""

PATIENCE_S: Final = 600.0
"""How long results that still wait on the message bus hold a closing up."""

_IDS: Final = UUID("0d7b4a3c-8f0e-5a44-9a52-3d5b9a0f6f61")
LOOK_EVERY_S: Final = 5.0
_ACTOR: Final = "service:league"
_PROJECTED_EVERY_S: Final = 0.1
_LOOKS: Final = 300


class Closing:
    """Closes weeks; every replica may, at the same time."""

    def __init__(
        self,
        weeks: Weeks,
        reads: Reads,
        now: Callable[[], datetime],
        *,
        wake_projector: Callable[[], None],
        backlog: Callable[[], Awaitable[bool]],
        settle_s: float = SETTLE_S,
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        """`backlog` says whether results that the Liga has not counted yet wait on the message bus."""
        self._weeks = weeks
        self._reads = reads
        self._now = now
        self._wake_projector = wake_projector
        self._backlog = backlog
        self._settle_s = settle_s
        self._look_every_s = look_every_s
        self._waits_since: dict[tuple[str, str], float] = {}

    async def run(self) -> None:
        """Closes what is over until cancelled; an outage is waited out."""
        log = structlog.get_logger("closing")
        while True:
            try:
                await self.close_ended()
            except EventLogError as error:
                log.warning("weeks could not be closed", error=repr(error))
            await asyncio.sleep(self._look_every_s * random.uniform(0.8, 1.2))  # noqa: S311 - jitter

    async def close_ended(self) -> int:
        """Closes every week that is over, the earliest first; gives how many. Raises EventLogError."""
        closed = 0
        ended = await self._reads.ended_weeks()
        has_backlog = bool(ended) and await self._backlog()
        for game, week in ended:
            if (self._now() - closes_at(week)).total_seconds() < self._settle_s:
                continue
            since = self._waits_since.setdefault((game, week), time.monotonic())
            if has_backlog and time.monotonic() - since < PATIENCE_S:
                continue
            del self._waits_since[game, week]
            await self._place(game, week, _ACTOR)
            closed += 1
        return closed

    async def close(self, game: str, week: str, actor: str) -> int:
        """An operator closes a week, earlier ones first; gives its players. Raises ServiceError and EventLogError."""
        stream = league_week_id(game, week)
        state = (await self._weeks.load(stream)).state
        if state.status == "none":
            raise WEEK_NOT_FOUND.error()
        if state.status == "running":
            ended = await self._weeks.handle(
                stream, EndWeek(week), command_id=_id("end", game, week), actor=actor
            )
            if isinstance(ended, Rejection) and ended.code == WEEK_NOT_OVER.code:
                raise WEEK_NOT_OVER.error()
        if state.status != "closed":
            if (self._now() - closes_at(week)).total_seconds() < self._settle_s:
                raise WEEK_NOT_OVER.error()
            await self._until_projected()
            for earlier_game, earlier in await self._reads.ended_weeks():
                if earlier_game == game and earlier < week:
                    await self._place(game, earlier, actor)
            await self._place(game, week, actor)
        return (await self._weeks.load(stream)).state.players

    async def _place(self, game: str, week: str, actor: str) -> None:
        await self._until_projected()
        answer = await self._weeks.handle(
            league_week_id(game, week),
            CloseWeek(await self._reads.entries(game, week)),
            command_id=_id("close", game, week),
            # Another replica may have read more by now: the first one's closing is the closing.
            body_hash=hash_body(("close", game, week)),
            actor=actor,
        )
        if isinstance(answer, Rejection) and answer.code != WEEK_ALREADY_CLOSED.code:
            raise ERRORS[answer.code].error()

    async def _until_projected(self) -> None:
        """Waits until the projection knows all that the log has now; raises LogUnavailableError when that takes too long."""
        heads = await self._reads.heads()
        self._wake_projector()
        for _ in range(_LOOKS):
            if await self._reads.has_reached(heads):
                return
            await asyncio.sleep(_PROJECTED_EVERY_S)
        raise LogUnavailableError("the projection of the Liga is too far behind to close a week")


def _id(what: str, game: str, week: str) -> str:
    return str(uuid5(_IDS, f"{what} {game} {week}"))
