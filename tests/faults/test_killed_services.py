"""Processes are killed in the middle of matches: what was acknowledged is in the log exactly once, and all matches end."""

import asyncio
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from deploy.local import discover
from libs.client.http_api import GatewayApi
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.faults.players import Player

__all__ = ["data", "start_real"]

pytestmark = [pytest.mark.e2e, pytest.mark.fault]

MATCHES = 10
KILLED = ("table", "robots", "gateway", "table")
MOVES_BETWEEN_KILLS = 40
LONGEST_S = 90


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


async def play_all(url: str, on_move: Callable[[], None]) -> list[Player]:
    async with GatewayApi(url) as api, asyncio.timeout(LONGEST_S):
        players = [Player(api, number) for number in range(MATCHES)]
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play(on_move))
    return players


def occurrences(postgres: str) -> dict[tuple[str, str], list[int]]:
    """The first version of each command in the log, by table and command id."""
    found: dict[tuple[str, str], list[int]] = {}
    with psycopg.connect(postgres, dbname="carteado_table") as connection:
        rows = connection.execute(
            "SELECT stream, command_id::text, version FROM events WHERE command_id IS NOT NULL"
        )
        for stream, command_id, version in rows:
            found.setdefault((stream.split("-", 2)[2], command_id), []).append(version)
    return found


def test_kill_9_of_table_robots_and_gateway_loses_no_acknowledged_move(stack: Stack) -> None:
    killer = Killer(stack)
    players = asyncio.run(play_all(discover(stack.data).url, killer.moved))
    assert killer.is_done, "the matches were over before everything was killed"

    assert [refusal for player in players for refusal in player.refusals] == []
    assert all(player.client is not None and player.client.is_over for player in players)
    assert sum(player.client.reconnects for player in players if player.client) >= 1

    info = discover(stack.data)
    logged = occurrences(info.postgres)
    promises = [promise for player in players for promise in player.promises]
    assert len(promises) > MOVES_BETWEEN_KILLS * len(KILLED)
    for promise in promises:
        versions = logged.get((promise.table_id, promise.command_id), [])
        assert len(versions) == 1, f"command {promise.command_id} stands {len(versions)} times in the log"
        assert versions[0] <= promise.version

    verified = subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / "carteado"), "log", "verify", "--data", str(stack.data)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))},
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert verified.stdout.startswith("all is well")
    for name in set(KILLED):
        died = [line for line in stack.lines if name in line and "died" in line]
        assert len(died) == KILLED.count(name), stack.lines
