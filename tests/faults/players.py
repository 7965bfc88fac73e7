"""People at training tables, played by the robots' logic through the public contract, who write down what was promised."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from carteado.table.v1 import events_pb2
from carteado.table.v1 import table_service_pb2 as pb
from libs.client.http_api import GatewayApi, Guest
from libs.client.table_client import TableClient
from libs.wire.games import set_move
from services.robots.thinking import choose_move

# What is true of a turn that has passed by the time the command arrives: not a fault, however it came to be late.
PASSED = frozenset({"STALE", "MATCH_OVER"})

CLIENTS_DEADLINE_S = 15.0
"""A move is of use within the 20 s of a turn. How much sooner it is answered is printed: that hangs on the machine too."""


_numbers = itertools.count(1)
"""Names are unique, also those of one person's next match."""


class Promise:
    """A command that was acknowledged at a version."""

    def __init__(self, table_id: str, command_id: str, version: int) -> None:
        self.table_id = table_id
        self.command_id = command_id
        self.version = version


class Player:
    """One person at one table with three robots."""

    def __init__(self, api: GatewayApi, number: int) -> None:
        self._api = api
        self._number = number
        self.promises: list[Promise] = []
        self.refusals: list[str] = []
        self.waits: list[tuple[float, float]] = []
        self.guest: Guest
        self.client: TableClient | None = None
        self.seen: list[bytes] = []
        self.is_seated = asyncio.Event()

    @property
    def longest_s(self) -> float:
        """The longest wait for an answer."""
        return max((waited_s for _, waited_s in self.waits), default=0.0)

    async def sit_down(self) -> str:
        """The id of the table at which the match is played: one with three robots."""
        return await self._api.open_practice(self.guest, "truco-paulista")

    async def play(self, on_move: Callable[[], None]) -> None:
        """Plays a match to its end. `on_move` is called after each acknowledged move."""
        self.guest = await self._api.register_guest(f"Pessoa {self._number} {next(_numbers)}")
        table_id = await self.sit_down()
        self.client = TableClient(self._api, self.guest, table_id)
        self.is_seated.set()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.client.run())
            async for view in self.client.views():
                self.seen.append(view.SerializeToString(deterministic=True))
                if not view.truco.legal_moves or view.your_seat not in view.clock.seats:
                    continue
                turn = events_pb2.RobotTurn(
                    table_id=table_id,
                    seat=view.your_seat,
                    turn=view.clock.turn,
                    strength="simple",
                    preset=view.preset,
                )
                command = pb.TableCommand()
                set_move(command, choose_move(turn, view, b"a test's key"))
                began_s = time.monotonic()
                outcome = await self.client.submit(command)
                self.waits.append((began_s, time.monotonic() - began_s))
                if outcome.HasField("accepted"):
                    self.promises.append(Promise(table_id, command.command_id, outcome.accepted.version))
                    on_move()
                elif outcome.refused.code not in PASSED:
                    self.refusals.append(outcome.refused.code)


async def play_all(
    urls: Sequence[str], matches: int, on_move: Callable[[], None], longest_s: float
) -> list[Player]:
    """Plays so many matches to their end at once, spread over gateways; raises TimeoutError after `longest_s`."""
    async with AsyncExitStack() as stack, asyncio.timeout(longest_s):
        apis = [await stack.enter_async_context(GatewayApi(url)) for url in urls]
        players = [Player(apis[number % len(apis)], number) for number in range(matches)]
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play(on_move))
    return players


async def play_on(
    urls: Sequence[str],
    people: int,
    is_done: Callable[[], bool],
    on_move: Callable[[], None],
    longest_s: float,
) -> list[Player]:
    """So many people play match after match until it is done, and their last one to its end; gives who played each match.

    Raises TimeoutError after `longest_s`.
    """
    players: list[Player] = []

    async def person(number: int, api: GatewayApi) -> None:
        while not is_done():
            players.append(Player(api, number))
            await players[-1].play(on_move)

    async with AsyncExitStack() as stack, asyncio.timeout(longest_s):
        apis = [await stack.enter_async_context(GatewayApi(url)) for url in urls]
        async with asyncio.TaskGroup() as group:
            for number in range(people):
                group.create_task(person(number, apis[number % len(apis)]))
    return players
