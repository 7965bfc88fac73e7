"""The same moves as unary calls: so many tables at once, each with its next call when the one before is answered."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Iterator
from pathlib import Path

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import table_service_pb2_grpc
from libs.service.credentials import Credentials
from libs.service.grpc_client import channel
from services.table.secrets import read_key
from tests.bench.jobs import PlayJob
from tests.bench.measurement import Measurement
from tests.bench.script import PLAYERS, Script, write_scripts
from tests.bench.tables import Player, Tables
from tests.bench.window import Window
from tests.bench.worker import serve

_ENOUGH_MOVES_S = 6_000
_TIMEOUT_S = 10.0


async def measure(job: PlayJob) -> Measurement:
    """Acknowledged moves a second, and how long each took. Nobody looks on."""
    window = Window(job.seconds, job.watched)
    wanted = int(_ENOUGH_MOVES_S * (job.seconds + window.warm_up_s))
    scripts = write_scripts(
        read_key(Path(job.table_secret)), random.Random(job.seed), wanted, tables=job.tables
    )
    credentials = Credentials("gateway", Path(job.keys))
    tables = Tables(job.address, credentials)
    channels = [channel(job.address) for _ in range(job.streams)]
    stubs = [table_service_pb2_grpc.TableServiceStub(each) for each in channels]
    left = iter(scripts)
    gc.freeze()
    window.open()
    async with asyncio.TaskGroup() as playing:
        for index in range(job.tables):
            playing.create_task(_play(stubs[index % len(stubs)], tables, credentials, left, window))
    for each in channels:
        await each.close()
    await tables.close()
    return window.result()


async def _play(
    stub: table_service_pb2_grpc.TableServiceAsyncStub,
    tables: Tables,
    credentials: Credentials,
    left: Iterator[Script],
    window: Window,
) -> None:
    async def submit(command: pb.PlayCommand) -> None:
        answer = await stub.Submit(
            pb.SubmitRequest(actor=command.actor, command=command.command),
            timeout=_TIMEOUT_S,
            metadata=credentials.metadata("table"),
        )
        assert answer.outcome.HasField("accepted"), f"refused: {answer.outcome.refused.code}"

    while not window.is_over():
        script = next(left)
        await tables.open(script.table_id, [Player(player, "") for player in PLAYERS])
        for step in script.steps:
            if window.is_over():
                for player in PLAYERS:
                    await submit(script.leave(player))
                break
            command = script.command(step)
            sent_at = time.perf_counter()
            await submit(command)
            window.note(sent_at)


if __name__ == "__main__":
    serve(PlayJob, measure)
