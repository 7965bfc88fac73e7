"""Begins a player's year in a game: what the years before it have reached is made final, and carried over.

Every step is a command whose id follows from game, player and year: two replicas that do it at once do it once.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid5

from libs.eventlog.decider import Rejection
from libs.eventlog.runtime import Runtime
from services.league.errors import ERRORS, STANDING_ALREADY_BEGUN, STANDING_ENDED
from services.league.events import StandingEvent
from services.league.standing import (
    BeginStanding,
    EndStanding,
    StandingCommand,
    StandingState,
    standing_id,
)

Standings = Runtime[StandingState, StandingCommand, StandingEvent]

FIRST_YEAR: Final = 2026
"""Before it nobody has played."""

_IDS: Final = UUID("5b8f8f5c-1c0b-5a53-8d3a-0e1d5d9c7a44")
_ACTOR: Final = "service:league"
_MOST_KNOWN: Final = 10_000


class Years:
    """Every method may run on every replica, and again. All raise EventLogError."""

    def __init__(self, standings: Standings) -> None:
        self._standings = standings
        self._begun: set[str] = set()

    async def begin(self, game: str, player_id: str, year: int) -> None:
        """Sees to it that the player's year has begun; it may have ended since."""
        id_ = standing_id(game, player_id, year)
        if id_ in self._begun:
            return
        if not (await self._standings.load(id_)).state.is_begun:
            reached = await self._reached_before(game, player_id, year)
            body = BeginStanding(game, player_id, year, reached.wins, reached.matches, reached.rating)
            await self._give(id_, "begin", body)
        if len(self._begun) >= _MOST_KNOWN:
            self._begun.clear()
        self._begun.add(id_)

    async def _reached_before(self, game: str, player_id: str, year: int) -> StandingState:
        """What the newest year before this one has reached, which is final from here on.

        The year before is ended also if it never began: whoever still counts in it, by a clock that is a moment behind,
        finds it over and looks again.
        """
        for earlier in range(year - 1, FIRST_YEAR - 1, -1):
            id_ = standing_id(game, player_id, earlier)
            state = (await self._standings.load(id_)).state
            if not state.has_ended and (state.is_begun or earlier == year - 1):
                await self._give(id_, "end", EndStanding(game, player_id, earlier))
                state = (await self._standings.load(id_)).state
            if state.is_begun:
                return state
        return StandingState()

    async def _give(self, id: str, step: str, body: BeginStanding | EndStanding) -> None:
        answer = await self._standings.handle(
            id, body, command_id=str(uuid5(_IDS, f"{step} {id}")), actor=_ACTOR
        )
        already = {STANDING_ALREADY_BEGUN.code, STANDING_ENDED.code}
        if isinstance(answer, Rejection) and answer.code not in already:
            raise ERRORS[answer.code].error()
