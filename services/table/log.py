"""What the command `carteado log` must know of the table's log: how to replay it, tell it and check it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never
from zoneinfo import ZoneInfo

from libs.eventlog.committed import CommittedCommand
from libs.eventlog.connections import Connection
from libs.eventlog.projection import Projection
from libs.eventlog.registry import EventRegistry
from libs.rules.notation.match import Match
from libs.rules.notation.writing import write_match
from libs.rules.registry import family_of
from services.table.decider import TABLE, TableDecider
from services.table.events import (
    ClockMoved,
    ClockStarted,
    PlayedAutomatically,
    SeatBecameAbsent,
    SeatClaimed,
    SeatEliminated,
    SeatReturned,
    SeatTaken,
    TableEnded,
    TableEvent,
    TableOpened,
)
from services.table.match_check import MatchCheck
from services.table.matches import MATCHES, listed_matches
from services.table.registry import REGISTRY
from services.table.state import TableState
from services.table.view import GameSeen, OwnEvent, Seen, TableView

_SAO_PAULO = ZoneInfo("America/Sao_Paulo")


class TableLog:
    """The table's log as operators and analysts read it; satisfies `libs.cli.log_source.LogSource`."""

    name = "table"
    decider: TableDecider = TABLE
    registry: EventRegistry[TableEvent] = REGISTRY
    projections: tuple[Projection[TableEvent], ...] = (MATCHES,)

    def is_public(self, state: TableState) -> bool:
        """Whether every card may be shown: only once the match has ended."""
        return state.ended is not None

    def seats(self, state: TableState) -> int:
        """How many seats there are to look from."""
        return len(state.seats)

    def describe(self, state: TableState) -> str:
        """The table in a line."""
        if state.ended is None:
            return _described(state.preset, "running", ())
        return _described(state.preset, state.ended.reason, state.ended.score)

    async def listed(
        self, connection: Connection, table_ids: Sequence[str]
    ) -> Mapping[str, tuple[str, bool]]:
        """The same line, without replaying, of the tables that the projection knows; and whether it ends there."""
        return {
            table_id: (_described(preset, status, score), status != "running")
            for table_id, (preset, status, score) in (await listed_matches(connection, table_ids)).items()
        }

    def is_detail(self, event: TableEvent | Seen) -> bool:
        """Whether a story is better read without this event: the clocks, which start with every turn."""
        return isinstance(event, ClockStarted)

    def picture(self, view: TableView) -> list[str]:
        """A view in lines."""
        if view.game is None:
            return ["no card is dealt yet"]
        waits = []
        if view.clock is not None:
            until = f"{view.clock.due_at:%H:%M:%S}"
            waits = [f"turn {view.clock.turn}: {_seats(view.clock.seats)} until {until}"]
        return [*family_of(view.game).picture(view.game), *waits]

    def tell(self, event: TableEvent | Seen) -> str:
        """A line for an event, or for what a viewer was told of it."""
        if isinstance(event, GameSeen):
            return family_of(event.seen).tell(event.seen)
        return _tell_own(event) if isinstance(event, OwnEvent) else family_of(event).tell(event)

    def notation(self, commands: Sequence[CommittedCommand[TableState, TableEvent]], at: int | None) -> str:
        """The match as docs/notation.md has it, up to the last move that is done by this version, so that it can be read
        again. Robots are named; people's names are not in the log.
        """
        table = commands[0].after
        events = [
            step.event
            for command in commands
            if at is None or command.to_version <= at
            for step in command.steps
            if not isinstance(step.event, OwnEvent)
        ]
        match = Match(
            table.game,
            table.game.rule_set(table.switches),
            len(table.seats),
            events,
            table.rules_version,
            {seat: f"robô {one.taken.robot}" for seat, one in enumerate(table.seats) if one.taken.robot},
            commands[0].recorded_at.astimezone(_SAO_PAULO).date(),
        )
        return write_match(match)

    def problems(self, commands: Sequence[CommittedCommand[TableState, TableEvent]]) -> Iterator[str]:
        """What is wrong with a finished match: its secret, its draws, its result (see `MatchCheck`).

        Nothing can be said before the secret is revealed.
        """
        opened, ended = commands[0].events[0], commands[-1].after.ended
        if ended is None or not isinstance(opened, TableOpened):
            return
        match = MatchCheck(opened, ended)
        for command in commands:
            for step in command.steps:
                for problem in match.check(step):
                    yield f"version {problem.version}: {problem.text}"


TABLE_LOG = TableLog()


def _described(preset: str, status: str, score: Sequence[int]) -> str:
    points = " to ".join(map(str, score))
    return f"{preset}, {status}{f' {points}' if points else ''}"


def _tell_own(event: OwnEvent) -> str:
    match event:
        case TableOpened():
            seats = ", ".join(f"seat {index} {_occupant(seat)}" for index, seat in enumerate(event.seats))
            return f"a table of {event.preset} (rules {event.rules_version}) opens: {seats}"
        case ClockStarted():
            seconds = (event.due_at - event.started_at).total_seconds()
            return f"turn {event.turn}: {_seats(event.seats)}, {seconds:g} s"
        case ClockMoved():
            lost = (event.outage_to - event.outage_from).total_seconds()
            return f"turn {event.turn}: the platform was away for {lost:.1f} s and gives the time back"
        case PlayedAutomatically():
            return f"seat {event.seat}'s time is up ({event.in_a_row} in a row): the server plays"
        case SeatBecameAbsent():
            return f"seat {event.seat} {'leaves' if event.left else 'is absent'}"
        case SeatEliminated():
            then = f"a {event.stand_in} robot plays on" if event.stand_in else "the other side has won"
            return f"seat {event.seat} is eliminated: {then}"
        case SeatReturned():
            return f"seat {event.seat} is back"
        case SeatClaimed():
            return f"seat {event.seat} is played from another device"
        case TableEnded():
            winners = f"side {', '.join(map(str, event.winners))} wins" if event.winners else "nobody wins"
            return f"the table ends, {event.reason}: {winners}"
        case _:
            assert_never(event)


def _occupant(seat: SeatTaken) -> str:
    return f"is a {seat.robot} robot" if seat.robot else f"is {seat.player_id}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {' or '.join(map(str, seats))}"
