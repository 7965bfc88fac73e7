"""The table: wraps a game and owns what every game shares: seats, entropy, clocks, absence, end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from google.protobuf.timestamp_pb2 import Timestamp

from carteado.table.v1 import events_pb2, view_pb2
from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from libs.rules.canonical import state_hash
from libs.rules.game import InvalidRuleSetError, Seat
from libs.rules.registry import UnknownGameError
from libs.rules.registry import game as game_named
from libs.rules.shuffle import Draws, commitment
from services.table.clocks import ABSENT_AFTER, end_of_match, has_needed_person, next_clock, seats_out
from services.table.commands import (
    ClaimSeat,
    GiveTimeBack,
    LeaveTable,
    MakeMove,
    OpenTable,
    RunOutClock,
    TableCommand,
    robot_actor,
)
from services.table.elimination import eliminated, limit
from services.table.events import (
    ClockMoved,
    ClockStarted,
    PlayedAutomatically,
    SeatBecameAbsent,
    SeatClaimed,
    SeatReturned,
    TableEnded,
    TableEvent,
    TableOpened,
)
from services.table.state import ClockState, TableState, evolve
from services.table.view import Seen, TableView, Viewer, observe, view

TURN_SUBJECT = "carteado.table.turn.v1"
CLOSED_SUBJECT = "carteado.table.closed.v1"

Decision = Sequence[TableEvent] | Rejection


class TableDecider:
    """The table's decider; satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "table"

    def initial(self) -> TableState:
        """A table that nobody has opened."""
        return TableState()

    def decide(self, state: TableState, command: Command[TableCommand]) -> Decision:
        """The events of a command, or the code of docs/errors.md for which it is refused."""
        match command.body:
            case OpenTable():
                return _open(state, command, command.body)
            case _ if not state.is_open:
                return Rejection("TABLE_NOT_FOUND")
            case _ if state.ended is not None:
                return Rejection("MATCH_OVER")
            case MakeMove():
                return _make_move(state, command, command.body)
            case LeaveTable():
                return _leave(state, command)
            case ClaimSeat():
                return _claim(state, command, command.body)
            case RunOutClock():
                return _run_out_clock(state, command, command.body)
            case GiveTimeBack():
                return _give_time_back(state, command.body)

    def evolve(self, state: TableState, event: TableEvent) -> TableState:
        """The table after an event."""
        return evolve(state, event)

    def deadlines(self, state: TableState) -> Sequence[Deadline]:
        """The running clock's end."""
        if state.clock is None:
            return ()
        return (Deadline(state.clock.due_at, RunOutClock(state.clock.turn)),)

    def is_ended(self, state: TableState) -> bool:
        """Whether the match is over."""
        return state.ended is not None

    def state_hash(self, state: TableState) -> bytes:
        """The hash of the game's facts; secret until the match ends."""
        if not state.is_open:
            return b""
        return state_hash(state.game.facts(state.game_state))

    def view(self, state: TableState, viewer: Viewer) -> TableView:
        """The table as a seat (or a spectator: None) may know it."""
        return view(state, viewer)

    def observe(
        self, event: TableEvent, before: TableState, after: TableState, viewer: Viewer
    ) -> Seen | None:
        """What a seat (or a spectator: None) is told of an event."""
        return observe(event, before, after, viewer)

    def publish(self, event: TableEvent, before: TableState, after: TableState) -> PublicMessage | None:
        """A robot's turn, or the end of the match: never a card."""
        if isinstance(event, ClockStarted) and event.robot_seat is not None:
            return _robot_turn(event, after)
        if isinstance(event, TableEnded):
            return _closed(event, before)
        return None


TABLE = TableDecider()


def _draws(state: TableState, command: Command[TableCommand]) -> Draws:
    return Draws(command.secret, state.table_id, [bytes.fromhex(item) for item in state.entropy])


def _open(state: TableState, command: Command[TableCommand], body: OpenTable) -> Decision:
    if state.is_open:
        return Rejection("TABLE_EXISTS")
    try:
        game = game_named(body.preset)
        rules = game.rule_set(body.switches)
    except UnknownGameError:
        return Rejection("UNKNOWN_GAME", {"preset": body.preset})
    except InvalidRuleSetError as error:
        return Rejection("INVALID_RULE_SET", {"reason": str(error)})
    if len(body.seats) not in game.player_counts:
        counts = ", ".join(map(str, game.player_counts))
        return Rejection("WRONG_PLAYER_COUNT", {"seats": str(len(body.seats)), "allowed": counts})
    persons = [seat.player_id for seat in body.seats if not seat.robot]
    if len(set(persons)) < len(persons):
        return Rejection("PLAYER_SEATED_TWICE")
    opened = TableOpened(
        table_id=body.table_id,
        preset=body.preset,
        rules_version=game.rules_version,
        switches=dict(game.switches(rules)),
        seats=body.seats,
        commitment=commitment(command.secret).hex(),
        entropy=body.entropy,
        room=body.room,
    )
    state = evolve(state, opened)
    return _completed(state, command, [opened], game.start(state.game_state, _draws(state, command)))


def _make_move(state: TableState, command: Command[TableCommand], body: MakeMove) -> Decision:
    seat = state.seat_of(command.actor)
    if seat is None:
        return Rejection("NOT_SEATED")
    if _is_out(state, seat, command):
        return Rejection("ELIMINATED")
    clock = state.clock
    claim = state.seats[seat].claim
    if claim and claim != body.claim and not state.seats[seat].stand_in:
        return Rejection("SEAT_TAKEN_ELSEWHERE")
    if clock is not None and seat in clock.seats and command.at > clock.due_at:
        # The deadline's own command decides this turn, even if it has not been given yet (case B074).
        return Rejection("STALE", {"due_at": clock.due_at.isoformat()})
    decision = state.game.decide(state.game_state, seat, body.move, _draws(state, command))
    if not isinstance(decision, Sequence):
        return Rejection(decision.code, decision.facts)
    events: list[TableEvent] = []
    mine = state.seats[seat]
    if not mine.eliminated and (mine.absent or mine.automatic_in_a_row):
        returned = SeatReturned(seat)
        events.append(returned)
        state = evolve(state, returned)
    return _completed(state, command, events, decision)


def _leave(state: TableState, command: Command[TableCommand]) -> Decision:
    seat = state.seat_of(command.actor)
    if seat is None:
        return Rejection("NOT_SEATED")
    if state.seats[seat].eliminated:
        return Rejection("ELIMINATED")
    if state.seats[seat].absent:
        return Rejection("ALREADY_ABSENT")
    if seat in seats_out(state) and has_needed_person(state):
        return Rejection("OUT_OF_THE_MATCH")
    events: list[TableEvent] = [SeatBecameAbsent(seat, left=True)]
    if limit(state) is not None and state.seats[seat].is_person:
        # Who leaves such a match counts as eliminated at that moment (ruling G-09).
        events.append(eliminated(state, seat))
    for event in events:
        state = evolve(state, event)
    return _completed(state, command, events, ())


def _is_out(state: TableState, seat: Seat, command: Command[TableCommand]) -> bool:
    """Whether it is the eliminated player who acts, and not the robot that plays on (ruling G-09)."""
    return state.seats[seat].eliminated and command.actor != robot_actor(seat)


def _claim(state: TableState, command: Command[TableCommand], body: ClaimSeat) -> Decision:
    seat = state.seat_of(command.actor)
    if seat is None or not state.seats[seat].is_person:
        return Rejection("NOT_SEATED")
    if state.seats[seat].eliminated:
        return Rejection("ELIMINATED")
    mine = state.seats[seat]
    events: list[TableEvent] = []
    if mine.claim != body.claim:
        events.append(SeatClaimed(seat, body.claim))
    if mine.absent:
        events.append(SeatReturned(seat))
    if not events:
        return Rejection("SEAT_ALREADY_YOURS")
    for event in events:
        state = evolve(state, event)
    return _completed(state, command, events, ())


def _run_out_clock(state: TableState, command: Command[TableCommand], body: RunOutClock) -> Decision:
    clock = state.clock
    if clock is None or clock.turn != body.turn or command.at < clock.due_at:
        return Rejection("STALE")
    events: list[TableEvent] = []
    awaited = state.game.awaited(state.game_state)
    # Mostly one move ends the moment; where each seat answers for itself, one for each that has not (ruling C-09).
    while awaited is not None and awaited.moment == clock.moment:
        seat = awaited.seats[0]
        move = state.game.automatic_move(state.game_state, seat)
        decision = state.game.decide(state.game_state, seat, move, _draws(state, command))
        assert isinstance(decision, Sequence), f"the automatic move is refused: {decision}"
        in_a_row = _automatic_plays(state, clock, seat)
        missed: list[TableEvent] = [PlayedAutomatically(clock.turn, seat, in_a_row)]
        most, before = limit(state), state.seats[seat]
        is_counted = in_a_row > before.automatic_in_a_row
        after: list[TableEvent] = []
        if most is not None:
            # The play is applied first: if it ends the match the points decide (ruling G-09).
            if is_counted and before.automatic_plays + 1 >= most:
                after.append(eliminated(state, seat))
        elif in_a_row >= ABSENT_AFTER and not before.absent:
            missed.append(SeatBecameAbsent(seat, left=False))
        for event in (*missed, *decision, *after):
            events.append(event)
            state = evolve(state, event)
        awaited = state.game.awaited(state.game_state)
    return _completed(state, command, events, ())


def _automatic_plays(state: TableState, clock: ClockState, seat: Seat) -> int:
    """A robot collects none, and a missed answer is no automatic play (ruling G-06)."""
    already = state.seats[seat].automatic_in_a_row
    return already if clock.is_answer or state.seats[seat].is_robot else already + 1


def _give_time_back(state: TableState, body: GiveTimeBack) -> Decision:
    clock = state.clock
    if clock is None or clock.started_at >= body.outage_to or clock.due_at <= body.outage_from:
        return Rejection("STALE")
    lost = body.outage_to - max(body.outage_from, clock.started_at)
    if lost <= timedelta():
        return Rejection("STALE")
    return (ClockMoved(clock.turn, clock.due_at + lost, body.outage_from, body.outage_to),)


def _completed(
    state: TableState,
    command: Command[TableCommand],
    events: list[TableEvent],
    game_events: Sequence[TableEvent],
) -> Sequence[TableEvent]:
    """Adds the game's events to those before them, then what follows from both: the end, or the next clock."""
    for event in game_events:
        events.append(event)
        state = evolve(state, event)
    ended = end_of_match(state, command.at, command.secret)
    if ended is not None:
        return [*events, ended]
    awaited = state.game.awaited(state.game_state)
    assert awaited is not None, "a match that is not over waits for somebody"
    clock = next_clock(state, awaited, command.at)
    return events if clock is None else [*events, clock]


def _robot_turn(event: ClockStarted, state: TableState) -> PublicMessage:
    assert event.robot_seat is not None
    due_at = Timestamp()
    due_at.FromDatetime(event.due_at)
    message = events_pb2.RobotTurn(
        table_id=state.table_id,
        seat=event.robot_seat,
        turn=event.turn,
        due_at=due_at,
        strength=state.seats[event.robot_seat].robot,
        preset=state.preset,
    )
    return PublicMessage(TURN_SUBJECT, message.SerializeToString())


def _closed(event: TableEnded, state: TableState) -> PublicMessage:
    ended_at = Timestamp()
    ended_at.FromDatetime(event.ended_at)
    message = events_pb2.TableClosed(
        table_id=state.table_id,
        preset=state.preset,
        rules_version=state.rules_version,
        seats=[
            view_pb2.Seat(
                index=index,
                kind=view_pb2.SEAT_KIND_PERSON if seat.is_person else view_pb2.SEAT_KIND_ROBOT,
                player_id=seat.taken.player_id,
                absent=seat.absent,
                eliminated=seat.eliminated,
            )
            for index, seat in enumerate(state.seats)
        ],
        result=view_pb2.Result(
            reason=view_pb2.EndReason.Value(f"END_REASON_{event.reason.upper()}"),
            winners=event.winners,
            score=event.score,
            abandoned_seats=event.abandoned_seats,
        ),
        ended_at=ended_at,
        room=view_pb2.Room.Value(f"ROOM_{state.room.upper()}"),
    )
    return PublicMessage(CLOSED_SUBJECT, message.SerializeToString())
