"""A player's standing in a game over the weeks: wins, matches, medals and skill.

A player who does not play has no events, and so stays where he is. The stream ends with nothing: it holds an id and
numbers, and its state stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.league.events import MedalWon, ResultCounted, StandingEvent
from services.league.policy import CURRENT
from services.league.skill import FIRST_RATING, Rating


class CountResult(msgspec.Struct, frozen=True):
    """Counts a match. That it comes once is the player's week's to see to: both are decided together."""

    game: str
    player_id: str
    match_id: str
    is_won: bool
    rating: Rating


class StandingState(msgspec.Struct, frozen=True):
    """What was reached so far."""

    wins: int = 0
    matches: int = 0
    rating: Rating = FIRST_RATING


class StandingDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "standing"

    def initial(self) -> StandingState:
        """Nothing played."""
        return StandingState()

    def decide(
        self, state: StandingState, command: Command[CountResult]
    ) -> Sequence[StandingEvent] | Rejection:
        """The result, and the medal that it completes."""
        body = command.body
        wins = state.wins + body.is_won
        events: list[StandingEvent] = [
            ResultCounted(
                body.game,
                body.player_id,
                body.match_id,
                wins,
                state.matches + 1,
                body.rating.mu,
                body.rating.sigma,
                CURRENT.name,
            )
        ]
        if body.is_won and wins in CURRENT.medals:
            events.append(MedalWon(body.game, body.player_id, wins, body.match_id, CURRENT.name))
        return events

    def evolve(self, state: StandingState, event: StandingEvent) -> StandingState:
        """The standing after an event."""
        match event:
            case ResultCounted():
                return StandingState(event.wins, event.matches, Rating(event.mu, event.sigma))
            case MedalWon():
                return state
            case _:
                assert_never(event)

    def deadlines(self, _state: StandingState) -> Sequence[Deadline]:
        """Nothing happens by itself."""
        return ()

    def is_ended(self, _state: StandingState) -> bool:
        """There may always be another match."""
        return False

    def state_hash(self, _state: StandingState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: StandingState, _viewer: None) -> StandingState:
        """All of it."""
        return state

    def observe(
        self, event: StandingEvent, _before: StandingState, _after: StandingState, _viewer: None
    ) -> StandingEvent:
        """The event itself."""
        return event

    def publish(
        self, _event: StandingEvent, _before: StandingState, _after: StandingState
    ) -> PublicMessage | None:
        """Nothing: it is asked for."""
        return None


STANDING = StandingDecider()


def standing_id(game: str, player_id: str) -> str:
    """The id of a player's standing in a game."""
    return f"{game}/{player_id}"
