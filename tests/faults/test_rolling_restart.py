"""Every replica is restarted in turn while people play: no command fails, and all viewers see the same."""

import asyncio
import signal
from collections.abc import Callable

import pytest

from deploy.local import discover
from libs.client.http_api import GatewayApi
from libs.client.table_client import TableClient
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.faults.chaos import Blow, Chaos
from tests.faults.ledger import assert_kept
from tests.faults.players import CLIENTS_DEADLINE_S, Player, play_on

__all__ = ["data", "start_real"]

pytestmark = [pytest.mark.e2e, pytest.mark.fault, pytest.mark.timeout(300)]

REPLICAS = ("--replicas", "table=2", "--replicas", "gateway=2")
RESTARTED = (
    "table",
    "table-2",
    "matchmaking",
    "gateway",
    "gateway-2",
    "billing",
    "robots",
    "accounts",
    "league",
)
PEOPLE = 12
LONGEST_S = 200


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real(environment={"CARTEADO_ROBOT_PACE_MS": "60"}, words=REPLICAS)
    started.ready()
    return started


def urls(stack: Stack) -> list[str]:
    services = discover(stack.data).services
    return [f"http://{services[name]['http']}" for name in ("gateway", "gateway-2")]


def test_a_rolling_restart_of_every_service_fails_no_command(stack: Stack) -> None:
    restarts = Chaos(stack, [Blow(name, signal.SIGTERM) for name in RESTARTED])
    restarts.start()
    playing = play_on(urls(stack), PEOPLE, lambda: restarts.is_done, restarts.begin, LONGEST_S)
    players = asyncio.run(playing)
    restarts.join(LONGEST_S)
    assert restarts.is_done
    assert len(players) > PEOPLE, "people have sat down to other matches meanwhile"
    longest_s = max(player.longest_s for player in players)
    print(f"\nlongest wait for an answer: {longest_s:.2f} s")
    assert longest_s < CLIENTS_DEADLINE_S
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
