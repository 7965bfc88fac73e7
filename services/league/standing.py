"""A player's standing in a game over the weeks: wins, matches, medals and skill. A stream for each year.

A year begins with what the one before has reached, and is over with the year, or when the next one begins. So every
stream ends, and its length has a bound, however long somebody plays. A result is counted in the year in which it is
recorded: what was reached depends on the order of the log alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.league.calendar import year_ends_at
from services.league.errors import STANDING_ALREADY_BEGUN, STANDING_ENDED, STANDING_NOT_BEGUN
from services.league.events import MedalWon, ResultCounted, StandingBegun, StandingEnded, StandingEvent
from services.league.policy import CURRENT
from services.league.skill import FIRST_RATING, Rating


class BeginStanding(msgspec.Struct, frozen=True):
    """The player plays for the first time in this year. What was reached before is final."""

    game: str
    player_id: str
    year: int
    wins: int
    matches: int
    rating: Rating


class CountResult(msgspec.Struct, frozen=True):
    """Counts a match. That it comes once is the player's week's to see to: both are decided together."""

    game: str
    player_id: str
    match_id: str
    is_won: bool
    rating: Rating


class EndStanding(msgspec.Struct, frozen=True):
    """The year is over, or the next one begins."""

    game: str
    player_id: str
    year: int


StandingCommand = BeginStanding | CountResult | EndStanding


class StandingState(msgspec.Struct, frozen=True):
    """What was reached so far, since the beginning of years. `year` is 0 before the first event."""

    game: str = ""
    player_id: str = ""
    year: int = 0
    wins: int = 0
    matches: int = 0
    rating: Rating = FIRST_RATING
    is_begun: bool = False
    has_ended: bool = False


class StandingDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "standing"

    def initial(self) -> StandingState:
        """Nothing played."""
        return StandingState()

    def decide(
        self, state: StandingState, command: Command[StandingCommand]
    ) -> Sequence[StandingEvent] | Rejection:
        """The beginning, a result with the medal that it completes, or the end of a year."""
        if state.has_ended:
            return Rejection(STANDING_ENDED.code)
        body = command.body
        match body:
            case BeginStanding():
                if state.is_begun:
                    return Rejection(STANDING_ALREADY_BEGUN.code)
                reached = (body.wins, body.matches, body.rating.mu, body.rating.sigma)
                return (StandingBegun(body.game, body.player_id, body.year, *reached),)
            case CountResult():
                return _count(state, body) if state.is_begun else Rejection(STANDING_NOT_BEGUN.code)
            case EndStanding():
                ended = (body.game, body.player_id, body.year, state.wins, state.matches)
                return (StandingEnded(*ended),)
            case _:
                assert_never(body)

    def evolve(self, state: StandingState, event: StandingEvent) -> StandingState:
        """The standing after an event."""
        match event:
            case StandingBegun():
                return StandingState(
                    game=event.game,
                    player_id=event.player_id,
                    year=event.year,
                    wins=event.wins,
                    matches=event.matches,
                    rating=Rating(event.mu, event.sigma),
                    is_begun=True,
                )
            case ResultCounted():
                return msgspec.structs.replace(
                    state, wins=event.wins, matches=event.matches, rating=Rating(event.mu, event.sigma)
                )
            case MedalWon():
                return state
            case StandingEnded():
                return msgspec.structs.replace(state, has_ended=True)
            case _:
                assert_never(event)

    def deadlines(self, state: StandingState) -> Sequence[Deadline]:
        """A year ends by itself."""
        if state.has_ended or not state.is_begun:
            return ()
        end = EndStanding(state.game, state.player_id, state.year)
        return (Deadline(year_ends_at(state.year), end),)

    def is_ended(self, state: StandingState) -> bool:
        """A year that is over takes no more events."""
        return state.has_ended

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


def standing_id(game: str, player_id: str, year: int) -> str:
    """The id of a player's standing in a game in one year."""
    return f"{game}/{year}/{player_id}"


def _count(state: StandingState, body: CountResult) -> Sequence[StandingEvent]:
    wins = state.wins + body.is_won
    counted = ResultCounted(
        body.game,
        body.player_id,
        body.match_id,
        wins,
        state.matches + 1,
        body.rating.mu,
        body.rating.sigma,
        CURRENT.name,
    )
    if body.is_won and wins in CURRENT.medals:
        return (counted, MedalWon(body.game, body.player_id, wins, body.match_id, CURRENT.name))
    return (counted,)
