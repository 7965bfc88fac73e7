"""Drives matches on: quota, table, confirmation; or, when that cannot be, everybody freed.

Every step may be done twice, by another replica, and after a death at any point: the match's stream says how far it has
come, and whatever is under way is looked through again every second.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid5

import structlog

from libs.eventlog.errors import EventLogError
from libs.eventlog.runtime import Runtime
from services.matchmaking.errors import ACCESS_REFUSED, MATCH_VOID
from services.matchmaking.match import ConfirmStart, EndMatch, MatchState, VoidMatch
from services.matchmaking.outside import ACCESS_TIMEOUT_S, TIMEOUT_S, AwayError, Billing, TableService
from services.matchmaking.player import Free, Requeue
from services.matchmaking.reads import Reads

ACTOR: Final = "service:matchmaking"
PATIENCE: Final = timedelta(seconds=60)
"""A match that could not be set up for so long comes to nothing."""
IN_DOUBT: Final = timedelta(seconds=ACCESS_TIMEOUT_S + TIMEOUT_S + 1)
"""How much later what was asked in its last moment is done, if it ever is."""
LOOK_EVERY_S: Final = 1.0

_IDS: Final = UUID("c5d0a2a5-70e5-5a1d-8f33-0d6ff9b2c1aa")
_MOST_AT_ONCE: Final = 16

log = structlog.get_logger()


class Starter:
    """Sets matches up and takes them down. Every method may run on every replica, and again."""

    def __init__(
        self,
        matches: Runtime[Any, Any, Any],
        players: Runtime[Any, Any, Any],
        billing: Billing,
        tables: TableService,
        reads: Reads,
        now: Callable[[], datetime],
    ) -> None:
        self._matches = matches
        self._players = players
        self._billing = billing
        self._tables = tables
        self._reads = reads
        self._now = now
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(_MOST_AT_ONCE)

    async def settle(self, match_id: str) -> None:
        """Drives one match as far as it goes now; joins in when that is under way here."""
        task = self._under_way.get(match_id)
        if task is None:
            task = asyncio.create_task(self._settle(match_id))
            self._under_way[match_id] = task
            task.add_done_callback(lambda _: self._under_way.pop(match_id, None))
        await asyncio.shield(task)

    async def run(self) -> None:
        """Looks through what is under way until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S * random.uniform(0.75, 1.25))  # noqa: S311 - jitter
            try:
                await asyncio.gather(*map(self.settle, await self._reads.unsettled()))
            except EventLogError as error:
                log.warning("matches wait for the log", error=repr(error))

    async def end(self, match_id: str) -> None:
        """The table of a match has closed: its players are free. Unknown matches are nobody's affair here."""
        match: MatchState = (await self._matches.load(match_id)).state
        if match.status not in {"formed", "started"}:
            return
        for player_id in match.player_ids:
            await self.let_go(match, player_id)
        await self._tell(match_id, "end", EndMatch(match_id))

    async def let_go(self, match: MatchState, player_id: str) -> None:
        """Frees one player of a match. Case B123: who may not play is told so; of a ranked match, the others wait on as they did."""
        command_id = str(uuid5(_IDS, f"free {match.match_id} {player_id}"))
        body: Free | Requeue = Free(player_id, match.match_id, match.code)
        if match.refused and player_id not in match.refused:
            body = (
                Requeue(player_id, match.match_id)
                if match.room == "ranqueada"
                else Free(player_id, match.match_id, MATCH_VOID.code)
            )
        # A player who is somewhere else already is refused: that is what is wanted.
        await self._players.handle(player_id, body, command_id=command_id, actor=ACTOR)

    async def _settle(self, match_id: str) -> None:
        async with self._places:
            match: MatchState = (await self._matches.load(match_id)).state
            try:
                if match.status == "formed":
                    await self._set_up(match)
                elif match.status == "voided":
                    await self._take_down(match)
            except AwayError as error:
                log.warning("a match waits for another service", match=match_id, service=str(error))

    async def _set_up(self, match: MatchState) -> None:
        assert match.formed_at is not None
        age = self._now() - match.formed_at
        if age >= PATIENCE:
            # What was asked last may yet be done: only when its time is over is the table looked for.
            if age >= PATIENCE + IN_DOUBT:
                await self._give_up(match)
            return
        refused = await self._billing.reserve(match)
        if refused:
            await self._void(match, ACCESS_REFUSED.code, refused)
            return
        code = await self._tables.create(match)
        if code is None:
            await self._tell(match.match_id, "start", ConfirmStart(match.match_id))
        else:
            await self._void(match, code)

    async def _give_up(self, match: MatchState) -> None:
        """Nothing is set up so late: its players may be gone, and who is absent from a match has abandoned it."""
        if await self._tables.is_running(match.match_id, match.player_ids[0]):
            await self._tell(match.match_id, "start", ConfirmStart(match.match_id))
        else:
            await self._void(match, MATCH_VOID.code)

    async def _void(self, match: MatchState, code: str, refused: tuple[str, ...] = ()) -> None:
        await self._tell(match.match_id, "void", VoidMatch(match.match_id, code, refused))
        await self._take_down((await self._matches.load(match.match_id)).state)

    async def _take_down(self, match: MatchState) -> None:
        """Frees the players first: whatever else is away holds nobody here."""
        if match.status != "voided":
            return
        for player_id in match.player_ids:
            await self.let_go(match, player_id)
        if not match.refused:
            await self._billing.release(match)
        await self._tell(match.match_id, "end", EndMatch(match.match_id))

    async def _tell(self, match_id: str, step: str, body: ConfirmStart | VoidMatch | EndMatch) -> None:
        command_id = str(uuid5(_IDS, f"{step} {match_id}"))
        await self._matches.handle(match_id, body, command_id=command_id, actor=ACTOR)
