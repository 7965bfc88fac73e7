"""A player's day in São Paulo: which matches took one of the few that a day has without trial and passport."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.billing.calendar import day_ends_at
from services.billing.catalogue import CURRENT
from services.billing.errors import (
    DAILY_LIMIT_REACHED,
    DAY_IS_OVER,
    MATCH_ALREADY_RESERVED,
    MATCH_NOT_RESERVED,
)
from services.billing.events import PlayerDayEnded, PlayerDayEvent, QuotaGivenBack, QuotaTaken

KEPT_FOR: Final = timedelta(days=2)
"""How long after its end a day takes matches back: longer than any match, and than an outage of the message bus."""


class TakeQuota(msgspec.Struct, frozen=True):
    """A match begins."""

    player_id: str
    day: str
    match_id: str


class GiveQuotaBack(msgspec.Struct, frozen=True):
    """A match came to nothing."""

    match_id: str


class EndPlayerDay(msgspec.Struct, frozen=True):
    """Nothing is given back any more."""

    day: str


PlayerDayCommand = TakeQuota | GiveQuotaBack | EndPlayerDay


class PlayerDayState(msgspec.Struct, frozen=True):
    """The matches that count."""

    player_id: str = ""
    day: str = ""
    match_ids: tuple[str, ...] = ()
    has_ended: bool = False

    @property
    def used(self) -> int:
        """How many matches of the day are taken."""
        return len(self.match_ids)


class PlayerDayDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "player_day"

    def initial(self) -> PlayerDayState:
        """No match yet."""
        return PlayerDayState()

    def decide(
        self, state: PlayerDayState, command: Command[PlayerDayCommand]
    ) -> Sequence[PlayerDayEvent] | Rejection:
        """What a command does to the day."""
        body = command.body
        if state.has_ended:
            return Rejection(DAY_IS_OVER.code)
        match body:
            case TakeQuota():
                if body.match_id in state.match_ids:
                    return Rejection(MATCH_ALREADY_RESERVED.code)
                limit = CURRENT.matches_a_day
                if state.used >= limit:
                    return Rejection(DAILY_LIMIT_REACHED.code)
                return (
                    QuotaTaken(body.player_id, body.day, body.match_id, state.used + 1, limit, CURRENT.name),
                )
            case GiveQuotaBack():
                if body.match_id not in state.match_ids:
                    return Rejection(MATCH_NOT_RESERVED.code)
                return (QuotaGivenBack(state.player_id, state.day, body.match_id, state.used - 1),)
            case EndPlayerDay():
                if not state.day or command.at < day_ends_at(state.day) + KEPT_FOR:
                    return Rejection(DAY_IS_OVER.code)
                return (PlayerDayEnded(state.player_id, state.day, state.used),)
            case _:
                assert_never(body)

    def evolve(self, state: PlayerDayState, event: PlayerDayEvent) -> PlayerDayState:
        """The day after an event."""
        match event:
            case QuotaTaken():
                return PlayerDayState(event.player_id, event.day, (*state.match_ids, event.match_id))
            case QuotaGivenBack():
                left = tuple(match_id for match_id in state.match_ids if match_id != event.match_id)
                return msgspec.structs.replace(state, match_ids=left)
            case PlayerDayEnded():
                return msgspec.structs.replace(state, has_ended=True)
            case _:
                assert_never(event)

    def deadlines(self, state: PlayerDayState) -> Sequence[Deadline]:
        """A day ends once nothing can be given back."""
        if state.has_ended or not state.day:
            return ()
        return (Deadline(day_ends_at(state.day) + KEPT_FOR, EndPlayerDay(state.day)),)

    def is_ended(self, state: PlayerDayState) -> bool:
        """A day that has ended takes no more events."""
        return state.has_ended

    def state_hash(self, _state: PlayerDayState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: PlayerDayState, _viewer: None) -> PlayerDayState:
        """All of it."""
        return state

    def observe(
        self, event: PlayerDayEvent, _before: PlayerDayState, _after: PlayerDayState, _viewer: None
    ) -> PlayerDayEvent:
        """The event itself."""
        return event

    def publish(
        self, _event: PlayerDayEvent, _before: PlayerDayState, _after: PlayerDayState
    ) -> PublicMessage | None:
        """Nothing: access is asked for."""
        return None


PLAYER_DAY = PlayerDayDecider()


def player_day_id(player_id: str, day: str) -> str:
    """The id of a player's day."""
    return f"{player_id}/{day}"
