"""Moves through the gateway's WebSocket, protobuf frames, all four seats of each table connected and updated.

As the play stream's load does, a table sends its next move when the one before is acknowledged; with an interval, not
before that has passed either. A socket sends every fourth move at most, so the gateway's rate limit stays in force.
"""

from __future__ import annotations

import asyncio
import gc
import random
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from libs.service.credentials import Credentials
from services.table.secrets import read_key
from tests.bench.jobs import GatewayJob
from tests.bench.measurement import Measurement
from tests.bench.script import write_scripts
from tests.bench.socket_client import PlayerSocket, session
from tests.bench.tables import Player, Tables, leave_message, socket_messages
from tests.bench.window import Window
from tests.bench.worker import serve

_ENOUGH_MOVES_S = 5_000
_PACE_S = 0.015
"""The least time between two moves of a table: 17 a second for each socket, under the limit of 20."""

Match = tuple[str, Sequence[tuple[int, str, bytes]]]


async def measure(job: GatewayJob) -> Measurement:
    """Acknowledged moves a second, how long each took, and the frames that the seats got."""
    window = Window(job.seconds, job.watched)
    interval_s = max(job.interval_s, _PACE_S)
    wanted = int(min(_ENOUGH_MOVES_S, job.tables / interval_s) * (job.seconds + window.warm_up_s))
    scripts = write_scripts(
        read_key(Path(job.table_secret)), random.Random(job.seed), wanted, tables=job.tables
    )
    matches: Iterator[Match] = iter([(script.table_id, socket_messages(script)) for script in scripts])
    players = [Player(*player) for player in job.players]
    tables = Tables(job.table, Credentials("gateway", Path(job.keys)))
    async with session(4 * job.tables) as http, AsyncExitStack() as stack:
        sockets = [
            [
                await stack.enter_async_context(PlayerSocket(http, job.url, player.token, window))
                for player in players
            ]
            for _ in range(job.tables)
        ]
        gc.freeze()
        window.open()
        async with asyncio.TaskGroup() as playing:
            for seats in sockets:
                playing.create_task(_play(tables, players, seats, matches, window, interval_s))
    await tables.close()
    return window.result()


async def _play(
    tables: Tables,
    players: Sequence[Player],
    seats: Sequence[PlayerSocket],
    matches: Iterator[Match],
    window: Window,
    interval_s: float,
) -> None:
    """One table after another, until the window is over."""
    while not window.is_over():
        table_id, moves = next(matches)
        await tables.open(table_id, players)
        for seat in seats:
            await seat.attach(table_id)
        version = 0
        # Tables that all move at the same moment would be no load that exists.
        due_at = time.perf_counter() + random.uniform(0, interval_s)
        for number, command_id, message in moves:
            await asyncio.sleep(due_at - time.perf_counter())
            if window.is_over():
                # A table left alone would play by itself into the next measurement.
                for seat in seats:
                    leaving = str(uuid.uuid4())
                    version = await seat.command(leaving, leave_message(table_id, leaving))
                break
            due_at = max(due_at, time.perf_counter() - interval_s) + interval_s
            sent_at = time.perf_counter()
            version = await seats[number].command(command_id, message)
            window.note(sent_at)
        for seat in seats:
            await seat.detach(table_id, version)


if __name__ == "__main__":
    serve(GatewayJob, measure)
