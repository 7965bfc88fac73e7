"""What a live table and an idle connection cost: resident memory before and after many of them."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from pathlib import Path

from libs.service.credentials import Credentials
from tests.bench.jobs import GatewayJob
from tests.bench.machine import resident_bytes
from tests.bench.measurement import Measurement, measured
from tests.bench.socket_client import greet_many, session
from tests.bench.tables import Player, Tables
from tests.bench.worker import serve

CONNECTIONS = 1_000
_AT_ONCE = 32


async def measure(job: GatewayJob) -> Measurement:
    """KiB for each, in the facts. `tables` is how many tables are opened; they are left to themselves."""
    began_at = time.perf_counter()
    players = [Player(*player) for player in job.players]
    table, gateway = job.watched["table"], job.watched["gateway"]
    tables = Tables(job.table, Credentials("gateway", Path(job.keys)))
    doors, chance = asyncio.Semaphore(_AT_ONCE), random.Random(job.seed)

    async def open_one() -> None:
        async with doors:
            await tables.open(str(uuid.UUID(int=chance.getrandbits(128), version=4)), players)

    before = resident_bytes(table)
    await asyncio.gather(*(open_one() for _ in range(job.tables)))
    table_kib = (resident_bytes(table) - before) / job.tables / 1024
    before = resident_bytes(gateway)
    async with session(CONNECTIONS) as http:
        tokens = [players[number % len(players)].token for number in range(CONNECTIONS)]
        await greet_many(http, job.url, tokens)
        connection_kib = (resident_bytes(gateway) - before) / CONNECTIONS / 1024
    await tables.close()
    facts = {"table_kib": table_kib, "connection_kib": connection_kib}
    return measured(job.tables, time.perf_counter() - began_at, facts=facts)


if __name__ == "__main__":
    serve(GatewayJob, measure)
