"""A robot's turn: a work item from NATS becomes a look at its seat and a move.

The robots keep no state. A turn that is delivered twice, late or on two replicas gives the same command id and the same
move, and what has passed is refused by the table: all of that is harmless.
"""

from __future__ import annotations

import asyncio

import grpc
import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from carteado.table.v1 import events_pb2
from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.service.grpc_client import Channels, error_code
from libs.wire.games import set_move
from services.robots.thinking import choose_move, command_id, turn_goes_on

CALL_TIMEOUT_S = 3.0

MAX_MOVES = 64
"""Moves of one turn; the longest, of signals or melds, stays far below."""

PASSED = frozenset({"STALE", "MATCH_OVER", "TABLE_NOT_FOUND", "COMMAND_ID_REUSED"})
"""Refusals that say that the turn has passed: somebody, or this robot before, has acted."""

AWAY = frozenset({"UNAVAILABLE", "OVERLOADED", "DEADLINE_EXCEEDED"})
"""Refusals that say that the table could not decide: the turn is delivered again."""

log = structlog.get_logger()


class TableAwayError(Exception):
    """The table could not take a robot's move just now."""


class RobotRefusedError(Exception):
    """The table refuses a robot's move for another reason than that the turn has passed: a bug of the robot."""


class RobotMetrics:
    """What robots did with their turns, and how long they thought."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.turns = Counter(
            "carteado_robot_turns", "Turns of robots' seats, by outcome", ["outcome"], registry=registry
        )
        self.thinking_s = Histogram(
            "carteado_robot_thinking_seconds",
            "Seconds a robot thought",
            buckets=(0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.3, 1.0),
            registry=registry,
        )


class RobotTurns:
    """Plays turns; `pace_s` is how long a robot waits before it acts, so that people can follow."""

    def __init__(self, channels: Channels, key: bytes, pace_s: float, metrics: RobotMetrics) -> None:
        """`key` is the secret from which robots draw their chance."""
        self._channels = channels
        self._key = key
        self._pace_s = pace_s
        self._metrics = metrics

    async def play(self, data: bytes) -> None:
        """Plays the turn in a message of subject carteado.table.turn.v1.

        Raises RobotRefusedError, UnknownStrengthError, and grpc.aio.AioRpcError, ServiceError or TableAwayError when
        the table can't be reached or can't decide: the turn is then delivered again.
        """
        turn = events_pb2.RobotTurn.FromString(data)
        await asyncio.sleep(self._pace_s)
        self._metrics.turns.labels(await self._act(turn)).inc()

    async def _act(self, turn: events_pb2.RobotTurn) -> str:
        """Moves until the turn is over, and gives what became of it."""
        for _ in range(MAX_MOVES):
            outcome, goes_on = await self._move(turn)
            if not goes_on:
                return outcome
        raise RobotRefusedError(f"{turn.strength} does not end its turn")

    async def _move(self, turn: events_pb2.RobotTurn) -> tuple[str, bool]:
        """One look and one move: what became of it, and whether the turn goes on."""
        seat = pb.Viewer(robot_seat=turn.seat)
        try:
            looked = await self._channels.call(
                "table",
                turn.table_id,
                lambda channel: TableServiceStub(channel).GetView,
                pb.GetViewRequest(table_id=turn.table_id, viewer=seat),
                CALL_TIMEOUT_S,
            )
        except grpc.aio.AioRpcError as error:
            if error_code(error) in PASSED:
                return "passed", False
            raise
        if looked.view.clock.turn != turn.turn:
            return "passed", False
        with self._metrics.thinking_s.time():
            # In a thread: a robot that thinks for long must not keep the others' turns waiting.
            move = await asyncio.to_thread(choose_move, turn, looked.view, self._key)
        command = pb.TableCommand(command_id=command_id(turn, looked.view.version), table_id=turn.table_id)
        set_move(command, move)
        done = await self._channels.call(
            "table",
            turn.table_id,
            lambda channel: TableServiceStub(channel).Submit,
            pb.SubmitRequest(actor=seat, command=command),
            CALL_TIMEOUT_S,
        )
        if done.outcome.HasField("accepted"):
            return "played", turn_goes_on(turn, move)
        code = done.outcome.refused.code
        if code in PASSED:
            return "passed", False
        if code in AWAY:
            raise TableAwayError(code)
        self._metrics.turns.labels("refused").inc()
        log.error(
            "a robot's move was refused", table=turn.table_id, seat=turn.seat, turn=turn.turn, code=code
        )
        raise RobotRefusedError(code)
