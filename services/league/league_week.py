"""A game's week: open from its first result, over on Monday 00:10, closed once by what its players have then.

Closing gives places, trophies and moves between leagues, and these stand: a result that comes later corrects points,
not what was won by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.league.calendar import closes_at
from services.league.errors import WEEK_ALREADY_CLOSED, WEEK_ALREADY_OPEN, WEEK_NOT_FOUND, WEEK_NOT_OVER
from services.league.events import (
    LeagueWeekEvent,
    Placed,
    PlayersPlaced,
    TrophyWon,
    WeekClosed,
    WeekEnded,
    WeekOpened,
)
from services.league.policy import CURRENT, LEAGUES, POLICIES, League, Policy, higher, lower
from services.league.public import public_message

PLAYERS_IN_AN_EVENT: Final = 500


class OpenWeek(msgspec.Struct, frozen=True):
    """The first result of this week has come."""

    game: str
    week: str


class EndWeek(msgspec.Struct, frozen=True):
    """The time of the closing has come."""

    week: str


class Entry(msgspec.Struct, frozen=True):
    """What a player has at the closing."""

    player_id: str
    points: int
    reached_at: datetime


class CloseWeek(msgspec.Struct, frozen=True):
    """Closes the week by what the players of each league have."""

    entries: Mapping[League, tuple[Entry, ...]]


LeagueWeekCommand = OpenWeek | EndWeek | CloseWeek

Status = Literal["none", "running", "ended", "closed"]


class LeagueWeekState(msgspec.Struct, frozen=True):
    """How far the week is."""

    game: str = ""
    week: str = ""
    closes_at: datetime | None = None
    policy: str = ""
    status: Status = "none"
    players: int = 0


class LeagueWeekDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "league_week"

    def initial(self) -> LeagueWeekState:
        """No result yet."""
        return LeagueWeekState()

    def decide(
        self, state: LeagueWeekState, command: Command[LeagueWeekCommand]
    ) -> Sequence[LeagueWeekEvent] | Rejection:
        """What a command does to the week."""
        body = command.body
        if state.status == "closed":
            return Rejection(WEEK_ALREADY_CLOSED.code)
        match body:
            case OpenWeek():
                return _open(body, command.at) if state.status == "none" else _refuse_open()
            case EndWeek():
                if state.closes_at is None:
                    return Rejection(WEEK_NOT_FOUND.code)
                if state.status == "ended" or command.at < state.closes_at:
                    return Rejection(WEEK_NOT_OVER.code)
                return (WeekEnded(state.game, state.week),)
            case CloseWeek():
                if state.status == "none":
                    return Rejection(WEEK_NOT_FOUND.code)
                if state.status != "ended":
                    return Rejection(WEEK_NOT_OVER.code)
                return _close(state, body, command.at)
            case _:
                assert_never(body)

    def evolve(self, state: LeagueWeekState, event: LeagueWeekEvent) -> LeagueWeekState:
        """The week after an event."""
        match event:
            case WeekOpened():
                return LeagueWeekState(event.game, event.week, event.closes_at, event.policy, "running")
            case WeekEnded():
                return msgspec.structs.replace(state, status="ended")
            case WeekClosed():
                return msgspec.structs.replace(state, status="closed", players=event.players)
            case PlayersPlaced() | TrophyWon():
                return state
            case _:
                assert_never(event)

    def deadlines(self, state: LeagueWeekState) -> Sequence[Deadline]:
        """A running week ends by itself."""
        if state.status != "running" or state.closes_at is None:
            return ()
        return (Deadline(state.closes_at, EndWeek(state.week)),)

    def is_ended(self, state: LeagueWeekState) -> bool:
        """A closed week takes no more events."""
        return state.status == "closed"

    def state_hash(self, _state: LeagueWeekState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: LeagueWeekState, _viewer: None) -> LeagueWeekState:
        """All of it."""
        return state

    def observe(
        self, event: LeagueWeekEvent, _before: LeagueWeekState, _after: LeagueWeekState, _viewer: None
    ) -> LeagueWeekEvent:
        """The event itself."""
        return event

    def publish(
        self, event: LeagueWeekEvent, _before: LeagueWeekState, _after: LeagueWeekState
    ) -> PublicMessage | None:
        """Trophies and the closing are told to the other services."""
        return public_message(event)


LEAGUE_WEEK = LeagueWeekDecider()


def league_week_id(game: str, week: str) -> str:
    """The id of a game's week."""
    return f"{game}/{week}"


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """By points; of two with the same, who reached them first; of partners who did so in one match, by id."""
    return sorted(entries, key=lambda entry: (-entry.points, entry.reached_at, entry.player_id))


def _refuse_open() -> Rejection:
    return Rejection(WEEK_ALREADY_OPEN.code)


def _open(body: OpenWeek, at: datetime) -> Sequence[LeagueWeekEvent]:
    """A week whose first result comes after its closing had no competition: it is closed as it is, empty."""
    opened = WeekOpened(body.game, body.week, closes_at(body.week), CURRENT.name)
    if at < opened.closes_at:
        return (opened,)
    return (opened, WeekClosed(body.game, body.week, 0, at, CURRENT.name))


def _close(state: LeagueWeekState, body: CloseWeek, at: datetime) -> Sequence[LeagueWeekEvent]:
    policy = POLICIES[state.policy]
    events: list[LeagueWeekEvent] = []
    players = 0
    for league in LEAGUES:
        placed = _place(league, in_order(body.entries.get(league, ())), policy)
        players += len(placed)
        for start in range(0, len(placed), PLAYERS_IN_AN_EVENT):
            part = tuple(placed[start : start + PLAYERS_IN_AN_EVENT])
            events.append(PlayersPlaced(state.game, state.week, league, part, policy.name))
        events.extend(
            TrophyWon(state.game, state.week, league, one.player_id, one.place, one.points, policy.name)
            for one in placed[: policy.trophies]
        )
    return (*events, WeekClosed(state.game, state.week, players, at, policy.name))


def _place(league: League, entries: Sequence[Entry], policy: Policy) -> list[Placed]:
    up = policy.promoted(league, len(entries))
    down_from = len(entries) - policy.relegated(league, len(entries)) + 1
    return [
        Placed(
            entry.player_id,
            place,
            entry.points,
            higher(league) if place <= up else lower(league) if place >= down_from else league,
        )
        for place, entry in enumerate(entries, start=1)
    ]
