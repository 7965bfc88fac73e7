"""Every process is killed and stopped in turn, servers included, while 50 robot matches and 20 people play."""

import asyncio
import signal
import uuid
from collections.abc import Callable

import psycopg
import pytest

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from deploy.local import discover
from libs.service.credentials import Credentials
from libs.service.grpc_client import Channels
from tests.deploy.conftest import data, start_real
from tests.deploy.stack import Stack
from tests.faults.chaos import Blow, Chaos
from tests.faults.ledger import assert_kept
from tests.faults.players import CLIENTS_DEADLINE_S, Player, play_on

__all__ = ["data", "start_real"]

pytestmark = [pytest.mark.e2e, pytest.mark.fault, pytest.mark.timeout(420)]

REPLICAS = ("--replicas", "table=2", "--replicas", "gateway=2")
ROBOT_MATCHES = 50
PEOPLE = 20
LONGEST_S = 300
SERVICES = (
    "table",
    "table-2",
    "robots",
    "gateway",
    "gateway-2",
    "accounts",
    "matchmaking",
    "billing",
    "league",
)
KILLS = tuple(Blow(name, signal.SIGKILL) for name in SERVICES)
STOPS = tuple(Blow(name, signal.SIGSTOP) for name in SERVICES)
SERVERS = (Blow("nats", signal.SIGKILL), Blow("postgres", signal.SIGKILL))
ROBOT = pb.SeatRequest(robot=pb.RobotSeat(strength="simple"))


@pytest.fixture
def stack(start_real: Callable[..., Stack]) -> Stack:
    started = start_real(environment={"CARTEADO_ROBOT_PACE_MS": "200"}, words=REPLICAS)
    started.ready()
    return started


async def open_robot_matches(stack: Stack) -> list[str]:
    """Tables of robots alone, opened as the gateway would."""
    info = discover(stack.data)
    addresses = [info.services[name]["grpc"] for name in ("table", "table-2")]
    channels = Channels({"table": addresses}, Credentials("gateway", stack.data / "keys"))
    ids = [str(uuid.uuid4()) for _ in range(ROBOT_MATCHES)]
    for table_id in ids:
        request = pb.CreateTableRequest(table_id=table_id, preset="truco-paulista", seats=[ROBOT] * 4)
        await channels.call("table", table_id, lambda channel: TableServiceStub(channel).CreateTable, request)
    await channels.close()
    return ids


async def play_through(stack: Stack, chaos: Chaos) -> tuple[list[Player], list[str]]:
    """People play match after match until nothing more happens, then to the end; and robots play theirs."""
    robot_matches = await open_robot_matches(stack)
    services = discover(stack.data).services
    urls = [f"http://{services[name]['http']}" for name in ("gateway", "gateway-2")]
    players = await play_on(urls, PEOPLE, lambda: chaos.is_done, chaos.begin, LONGEST_S)
    async with asyncio.timeout(LONGEST_S):
        await until_ended(stack, robot_matches)
    return players, robot_matches


async def until_ended(stack: Stack, table_ids: list[str]) -> None:
    while True:
        if ended(stack, table_ids) == len(table_ids):
            return
        await asyncio.sleep(0.5)


def ended(stack: Stack, table_ids: list[str]) -> int:
    with psycopg.connect(discover(stack.data).postgres, dbname="carteado_table") as connection:
        rows = connection.execute("SELECT stream FROM events WHERE ends_stream").fetchall()
    return len({stream.split("-", 2)[2] for (stream,) in rows} & set(table_ids))


def interruptions(chaos: Chaos, players: list[Player]) -> dict[str, float]:
    """The longest wait for an answer to a command that was given while a blow was felt, by blow."""
    begins = [began for _, began in chaos.times]
    longest = {str(blow): 0.0 for blow, _ in chaos.times}
    for player in players:
        for given_s, waited_s in player.waits:
            index = max((i for i, began in enumerate(begins) if began < given_s + waited_s), default=None)
            if index is not None:
                name = str(chaos.times[index][0])
                longest[name] = max(longest[name], waited_s)
    return longest


def test_nothing_that_was_acknowledged_is_lost_whatever_fails(stack: Stack) -> None:
    chaos = Chaos(stack, (*KILLS, *STOPS, *SERVERS))
    chaos.start()
    players, robot_matches = asyncio.run(play_through(stack, chaos))
    chaos.join(LONGEST_S)
    assert chaos.is_done
    longest = interruptions(chaos, players)
    print("\nlongest wait for an answer, by what happened:")
    for name, waited_s in longest.items():
        print(f"  {waited_s:5.2f} s  {name}")
    assert len(players) >= PEOPLE
    assert ended(stack, robot_matches) == ROBOT_MATCHES
    assert max(longest[str(blow)] for blow in KILLS) < CLIENTS_DEADLINE_S
    assert_kept(stack, players)
