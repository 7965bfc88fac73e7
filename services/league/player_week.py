"""A player's week in a game's league: its matches, once each, and what they give.

Whatever the order in which results come, the points are those of the order in which the matches ended: a result that
changes the bonus of others of its day corrects them by events.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.league.calendar import closes_at, day_of, sealed_at
from services.league.errors import MATCH_ALREADY_SCORED, NOTHING_TO_SEAL, RESULT_TOO_LATE
from services.league.events import (
    LateMatchScored,
    MatchRescored,
    MatchScored,
    PlayerWeekEvent,
    PlayerWeekSealed,
)
from services.league.policy import CURRENT, POLICIES, Outcome


class ScoreMatch(msgspec.Struct, frozen=True):
    """Counts a match that ended in this week for the player."""

    game: str
    week: str
    player_id: str
    match_id: str
    ended_at: datetime
    outcome: Outcome


class SealPlayerWeek(msgspec.Struct, frozen=True):
    """Nothing more can come."""

    week: str


PlayerWeekCommand = ScoreMatch | SealPlayerWeek


class ScoredMatch(msgspec.Struct, frozen=True, order=True):
    """A match of the week with what it gives now; ordered by when it ended."""

    ended_at: datetime
    match_id: str
    outcome: Outcome
    points: int


class PlayerWeekState(msgspec.Struct, frozen=True):
    """The matches by when they ended, and their points together."""

    week: str = ""
    policy: str = ""
    matches: tuple[ScoredMatch, ...] = ()
    total: int = 0
    is_sealed: bool = False


class PlayerWeekDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "player_week"

    def initial(self) -> PlayerWeekState:
        """No match yet."""
        return PlayerWeekState()

    def decide(
        self, state: PlayerWeekState, command: Command[PlayerWeekCommand]
    ) -> Sequence[PlayerWeekEvent] | Rejection:
        """The match's points and the corrections that it makes; a known match is refused as such."""
        body = command.body
        if isinstance(body, ScoreMatch) and any(known.match_id == body.match_id for known in state.matches):
            return Rejection(MATCH_ALREADY_SCORED.code)
        if state.is_sealed:
            return Rejection(RESULT_TOO_LATE.code)
        match body:
            case ScoreMatch():
                return _score(state, body, is_late=command.at >= closes_at(body.week))
            case SealPlayerWeek():
                if not state.matches:
                    return Rejection(NOTHING_TO_SEAL.code)
                return (PlayerWeekSealed(state.total),)
            case _:
                assert_never(body)

    def evolve(self, state: PlayerWeekState, event: PlayerWeekEvent) -> PlayerWeekState:
        """The week after an event."""
        match event:
            case MatchScored() | LateMatchScored():
                scored = ScoredMatch(event.ended_at, event.match_id, event.outcome, event.points)
                matches = tuple(sorted((*state.matches, scored)))
                return PlayerWeekState(event.week, event.policy, matches, event.total)
            case MatchRescored():
                matches = tuple(
                    msgspec.structs.replace(known, points=event.points)
                    if known.match_id == event.match_id
                    else known
                    for known in state.matches
                )
                return msgspec.structs.replace(state, matches=matches, total=event.total)
            case PlayerWeekSealed():
                return msgspec.structs.replace(state, is_sealed=True)
            case _:
                assert_never(event)

    def deadlines(self, state: PlayerWeekState) -> Sequence[Deadline]:
        """A week with matches is sealed once nothing more can come."""
        if state.is_sealed or not state.matches:
            return ()
        return (Deadline(sealed_at(state.week), SealPlayerWeek(state.week)),)

    def is_ended(self, state: PlayerWeekState) -> bool:
        """A sealed week takes no more events."""
        return state.is_sealed

    def state_hash(self, _state: PlayerWeekState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: PlayerWeekState, _viewer: None) -> PlayerWeekState:
        """All of it: points are public."""
        return state

    def observe(
        self, event: PlayerWeekEvent, _before: PlayerWeekState, _after: PlayerWeekState, _viewer: None
    ) -> PlayerWeekEvent:
        """The event itself."""
        return event

    def publish(
        self, _event: PlayerWeekEvent, _before: PlayerWeekState, _after: PlayerWeekState
    ) -> PublicMessage | None:
        """Nothing: points are asked for."""
        return None


PLAYER_WEEK = PlayerWeekDecider()


def player_week_id(game: str, week: str, player_id: str) -> str:
    """The id of a player's week."""
    return f"{game}/{week}/{player_id}"


def _score(state: PlayerWeekState, body: ScoreMatch, *, is_late: bool) -> Sequence[PlayerWeekEvent]:
    """The new match's event first, then a correction for each match of its day whose bonus it changes."""
    policy = POLICIES[state.policy] if state.policy else CURRENT
    new = ScoredMatch(body.ended_at, body.match_id, body.outcome, 0)
    day = day_of(body.ended_at)
    of_day = sorted((*(known for known in state.matches if day_of(known.ended_at) == day), new))
    number = of_day.index(new) + 1
    points = policy.points(body.outcome, number)
    total = state.total + points
    kind = LateMatchScored if is_late else MatchScored
    reached_at = max((body.ended_at, *(known.ended_at for known in state.matches[-1:])))
    events: list[PlayerWeekEvent] = [
        kind(
            game=body.game,
            week=body.week,
            player_id=body.player_id,
            match_id=body.match_id,
            ended_at=body.ended_at,
            outcome=body.outcome,
            percent=policy.percent(number),
            points=points,
            total=total,
            reached_at=reached_at,
            policy=policy.name,
        )
    ]
    for place, known in enumerate(of_day[number:], start=number + 1):
        corrected = policy.points(known.outcome, place)
        if corrected == known.points:
            continue
        total += corrected - known.points
        events.append(
            MatchRescored(
                game=body.game,
                week=body.week,
                player_id=body.player_id,
                match_id=known.match_id,
                percent=policy.percent(place),
                points=corrected,
                total=total,
                because_match_id=body.match_id,
                policy=policy.name,
            )
        )
    return events
