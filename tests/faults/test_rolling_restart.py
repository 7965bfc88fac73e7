"""Every replica is restarted in turn while people play: no command fails, and all viewers see the same."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from deploy.local import discover
from libs.client.http_api import GatewayApi
from libs.client.table_client import TableClient
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.faults.ledger import assert_kept
from tests.faults.players import Player, play_all

__all__ = ["data", "start_real"]

pytestmark = [pytest.mark.e2e, pytest.mark.fault]

REPLICAS = ("--replicas", "table=2", "--replicas", "gateway=2")
RESTARTED = ("table", "table-2", "gateway", "gateway-2", "robots", "accounts")
MATCHES = 12
LONGEST_S = 120
CLIENTS_DEADLINE_S = 5.0


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real(environment={"CARTEADO_ROBOT_PACE_MS": "60"}, words=REPLICAS)
    started.ready()
    return started


class Restarter(threading.Thread):
    """Ends one process after another as an operator would, and waits for each to serve again."""

    def __init__(self, stack: Stack) -> None:
        super().__init__()
        self._stack = stack
        self._addresses = discover(stack.data).services
        self._is_wanted = threading.Event()
        self.done: list[str] = []

    def begin(self) -> None:
        self._is_wanted.set()

    def run(self) -> None:
        self._is_wanted.wait(LONGEST_S)
        for name in RESTARTED:
            http = self._addresses[name]["http"]
            os.kill(self._pid_serving(http), signal.SIGTERM)
            self._stack.wait_for(rf"{name} .*(died|ended)", LONGEST_S)
            while not self._is_ready(http):
                threading.Event().wait(0.05)
            self.done.append(name)

    def _pid_serving(self, http: str) -> int:
        for pid in self._stack.descendants():
            process = Path(f"/proc/{pid}")
            environment = (process / "environ").read_text().split("\0")
            words = (process / "cmdline").read_text().split("\0")
            service = next((word for word in words if word.startswith("services.")), "")
            if service and f"CARTEADO_{service[9:].upper()}_HTTP={http}" in environment:
                return pid
        raise AssertionError(f"nobody serves {http}")

    def _is_ready(self, http: str) -> bool:
        try:
            with urlopen(f"http://{http}/readyz", timeout=1) as answer:
                return answer.status == 200
        except (URLError, OSError):
            return False


def urls(stack: Stack) -> list[str]:
    services = discover(stack.data).services
    return [f"http://{services[name]['http']}" for name in ("gateway", "gateway-2")]


def test_a_rolling_restart_of_every_service_fails_no_command(stack: Stack) -> None:
    restarter = Restarter(stack)
    restarter.start()
    players = asyncio.run(play_all(urls(stack), MATCHES, restarter.begin, LONGEST_S))
    restarter.join(LONGEST_S)
    assert restarter.done == list(RESTARTED)
    assert max(player.longest_s for player in players) < CLIENTS_DEADLINE_S
    assert_kept(stack, players)


async def watch_both(stack: Stack) -> tuple[list[bytes], list[bytes]]:
    """One player at one table on two devices, through two gateways; what each saw, contiguous or GapError."""
    first, second = urls(stack)
    async with GatewayApi(first) as api, GatewayApi(second) as other, asyncio.timeout(LONGEST_S):
        player = Player(api, 1)
        playing = asyncio.create_task(player.play(lambda: None))
        await player.is_seated.wait()
        device = TableClient(other, player.guest, player.client.table_id)
        running = asyncio.create_task(device.run())
        seen = [view.SerializeToString(deterministic=True) async for view in device.views()]
        await asyncio.gather(playing, running)
        return player.seen, seen


def test_two_devices_through_two_gateways_see_the_same(stack: Stack) -> None:
    mine, other = asyncio.run(watch_both(stack))
    assert mine[-1] == other[-1]
    assert len(set(mine) & set(other)) > 20
