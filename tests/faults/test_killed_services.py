"""Processes are killed in the middle of matches: what was acknowledged is in the log exactly once, and all matches end."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from deploy.local import discover
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.faults.ledger import assert_kept
from tests.faults.players import play_all

__all__ = ["data", "start_real"]

pytestmark = [pytest.mark.e2e, pytest.mark.fault, pytest.mark.timeout(300)]

MATCHES = 10
KILLED = ("table", "robots", "gateway", "table")
MOVES_BETWEEN_KILLS = 40
LONGEST_S = 200


class Killer:
    """Kills one service after another as the matches go on."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._waiting = list(KILLED)
        self._moves = 0

    @property
    def is_done(self) -> bool:
        return not self._waiting

    def moved(self) -> None:
        self._moves += 1
        if self._waiting and self._moves % MOVES_BETWEEN_KILLS == 0:
            os.kill(self._stack.pid_of(f"services.{self._waiting.pop(0)}"), signal.SIGKILL)


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real(environment={"CARTEADO_ROBOT_PACE_MS": "15"})
    started.ready()
    return started


def test_kill_9_of_table_robots_and_gateway_loses_no_acknowledged_move(stack: Stack) -> None:
    killer = Killer(stack)
    players = asyncio.run(play_all([discover(stack.data).url], MATCHES, killer.moved, LONGEST_S))
    assert killer.is_done, "the matches were over before everything was killed"

    assert [refusal for player in players for refusal in player.refusals] == []
    assert all(player.client is not None and player.client.is_over for player in players)
    assert sum(player.client.reconnects for player in players if player.client) >= 1

    assert sum(len(player.promises) for player in players) > MOVES_BETWEEN_KILLS * len(KILLED)
    assert_kept(stack, players)
    for name in set(KILLED):
        died = [line for line in stack.lines if name in line and "died" in line]
        assert len(died) == KILLED.count(name), stack.lines
