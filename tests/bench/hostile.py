"""Clients that mean no good: a thousand that stop reading a live table, and one that floods.

    python -m tests.bench.hostile JOB STATE

Runs until it is told to stop, in time that nobody else wants: its own work would be done on other machines. STATE is a file
that says how things stand, written again and again once everybody is in place.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import msgspec
import uvloop

from carteado.gateway.v1 import gateway_pb2 as pb
from libs.client.http_api import GatewayApi
from libs.service.credentials import Credentials
from services.table.secrets import read_key
from tests.bench.jobs import HostileJob
from tests.bench.script import write_scripts
from tests.bench.socket_client import PlayerSocket, SocketError, greet, session
from tests.bench.tables import Player, Tables, socket_messages

_AT_ONCE = 32
_PATIENCE_S = 20.0
_INTERVAL_S = 0.5
_PAUSE_S = 0.05
_LOOK_S = 0.002
_OVER = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
_PING = pb.ClientMessage(ping=pb.Ping()).SerializeToString()
_FRAME = bytes([0x82, 0x80 | len(_PING)]) + bytes(4) + _PING
"""A binary frame with a mask of zeros. Made once: what counts is what the servers do, not how fast Python makes frames."""
_BLOCK = 8_192
"""Messages that are sent in one go; more as soon as the kernel has taken them."""


class HostileState(msgspec.Struct):
    """Readers that are connected and do not read, messages of the flood, and how often it was thrown out."""

    stalled: int = 0
    flood_messages: int = 0
    flood_closes: int = 0


async def _flood(http: aiohttp.ClientSession, url: str, token: str, state: HostileState) -> None:
    """As fast as it goes, and at once again when thrown out."""
    while True:
        try:
            socket = await greet(http, url, token, autoclose=False)
            transport = transport_of(socket)
            told = asyncio.create_task(_until_told(socket))
            while not told.done():
                if transport.get_write_buffer_size() == 0:
                    transport.write(_FRAME * _BLOCK)
                    state.flood_messages += _BLOCK
                await asyncio.sleep(_LOOK_S)
            transport.abort()
            await told
        except (aiohttp.ClientError, ConnectionError, SocketError, TypeError):
            pass  # thrown out in place of a welcome
        state.flood_closes += 1
        await asyncio.sleep(_PAUSE_S)


async def _until_told(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Until the gateway says that it closes the socket, or it is gone."""
    while (await socket.receive()).type not in _OVER:
        pass


def transport_of(socket: aiohttp.ClientWebSocketResponse) -> asyncio.Transport:
    """What carries a socket."""
    connection = socket._response.connection
    if connection is None or connection.transport is None:
        raise ConnectionResetError("gone again")
    return connection.transport


async def _stall(
    http: aiohttp.ClientSession, url: str, token: str, table_id: str, doors: asyncio.Semaphore
) -> aiohttp.ClientWebSocketResponse:
    """Follow a live table, take the first update, and never read again."""
    async with doors:
        socket = await greet(http, url, token)
        attach = pb.AttachTable(table_id=table_id)
        await socket.send_bytes(pb.ClientMessage(attach_table=attach).SerializeToString())
        await socket.receive_bytes(timeout=_PATIENCE_S)
    transport_of(socket).pause_reading()
    return socket


async def run(job: HostileJob, state_file: Path) -> None:
    """Everything, until cancelled."""
    state = HostileState()
    chance = random.Random(job.seed)
    key = read_key(Path(job.table_secret))
    scripts = write_scripts(key, chance, 0, tables=job.tables)
    players = [Player(*player) for player in job.players]
    tables = Tables(job.table, Credentials("gateway", Path(job.keys)))
    async with GatewayApi(job.url) as api:
        # A player of its own: who floods is kept out for a while, from all tables.
        flooder = await api.register_guest(f"Enchente {job.seed % 100_000}")
    async with session(job.stalled + 4 * job.tables + 8) as http, AsyncExitStack() as stack:
        players_sockets = []
        for script in scripts:
            await tables.open(script.table_id, players)
            players_sockets.append(
                [
                    await stack.enter_async_context(PlayerSocket(http, job.url, player.token))
                    for player in players
                ]
            )

        async def play(index: int) -> None:
            # Tables do not move in step with one another.
            await asyncio.sleep(_INTERVAL_S * index / len(scripts))
            for seat, command_id, message in socket_messages(scripts[index]):
                await asyncio.sleep(_INTERVAL_S)
                await players_sockets[index][seat].command(command_id, message)

        doors = asyncio.Semaphore(_AT_ONCE)
        sockets = await asyncio.gather(
            *(
                _stall(
                    http,
                    job.url,
                    players[number % len(players)].token,
                    scripts[number % len(scripts)].table_id,
                    doors,
                )
                for number in range(job.stalled)
            )
        )
        async with asyncio.TaskGroup() as going_on:
            going_on.create_task(_flood(http, job.url, flooder.token, state))
            for index in range(len(scripts)):
                going_on.create_task(play(index))
            while True:
                await asyncio.sleep(0.1)
                state.stalled = sum(not socket.closed for socket in sockets)
                swap = state_file.with_suffix(".new")
                swap.write_bytes(msgspec.json.encode(state))
                swap.replace(state_file)


async def main() -> None:
    """Until SIGTERM."""
    job_file, state_file = map(Path, sys.argv[1:])
    job = msgspec.json.decode(job_file.read_bytes(), type=HostileJob)
    task = asyncio.create_task(run(job, state_file))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, os._exit, 0)
    await task


if __name__ == "__main__":
    # Not merely nice: the kernel lets a nice process that is at work keep its core for a while when a server wakes up.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
