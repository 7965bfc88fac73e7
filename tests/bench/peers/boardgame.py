"""boardgame.io with bgio-postgres on the same work as the gateway's WebSocket: four seats, a view for each, durable.

Its own server, its own storage and its own headless clients over socket.io, each in a process of its own. The game has
no rules to speak of, which is to its advantage.
"""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import psycopg

from deploy.local.ports import HOST, free_ports
from tests.bench.databases import ensure_database
from tests.bench.jobs import BoardgameJob
from tests.bench.machine import busy_s, cpu_s
from tests.bench.measurement import Measurement, measured
from tests.bench.peers.npm import FOLDER, NODE
from tests.bench.worker import BenchError, serve

_WARM_UP_S = 1.0
_START_TIMEOUT_S = 30.0
_STOP_TIMEOUT_S = 5.0
_POLL_S = 0.05
_MOST_OUTPUT_BYTES = 16 * 1024 * 1024


class _Result(msgspec.Struct):
    """What load.js says at the end."""

    seconds: float
    times_ms: list[float]
    frames: int
    cpu_s: float


@asynccontextmanager
async def _node(*argv: str, environment: dict[str, str] | None = None) -> AsyncIterator[Process]:
    """A script on Node, ended at the end."""
    process = await asyncio.create_subprocess_exec(
        NODE,
        *argv,
        cwd=FOLDER,
        stdout=PIPE,
        limit=_MOST_OUTPUT_BYTES,
        env={**os.environ, **(environment or {}), "NODE_ENV": "production"},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await asyncio.wait_for(process.wait(), _STOP_TIMEOUT_S)


def _sequelize(postgres: str, database: str) -> str:
    """The settings of the storage for a libpq connection string."""
    parts = psycopg.conninfo.conninfo_to_dict(postgres)
    return msgspec.json.encode(
        {
            "host": parts["host"],
            "port": parts["port"],
            "username": parts["user"],
            "password": parts["password"],
            "database": database,
        }
    ).decode()


async def _accepts(port: int, server: Process) -> None:
    async with asyncio.timeout(_START_TIMEOUT_S):
        while True:
            try:
                _, writer = await asyncio.open_connection(HOST, port)
            except OSError:
                if server.returncode is not None:
                    raise BenchError(f"boardgame.io's server ended with {server.returncode}") from None
                await asyncio.sleep(_POLL_S)
            else:
                writer.close()
                return


async def measure(job: BoardgameJob) -> Measurement:
    """Moves a second that their mover has seen done, how long each took, and the states that the seats got."""
    await ensure_database(job.postgres, job.database)
    (port,) = free_ports(1)
    settings = {"POSTGRES": _sequelize(job.postgres, job.database)}
    async with _node("server.js", str(port), environment=settings) as server:
        await _accepts(port, server)
        url = f"http://{HOST}:{port}"
        async with _node("load.js", url, str(job.tables), str(job.seconds), str(_WARM_UP_S)) as load:
            watched = {**job.watched, "server": server.pid}
            spent_s: dict[str, float] = {}
            busy = 0.0
            result: _Result | None = None
            assert load.stdout is not None
            async for line in load.stdout:
                match line.decode().strip():
                    case "begin":
                        spent_s, busy = {name: cpu_s(pid) for name, pid in watched.items()}, busy_s()
                    case "end":
                        spent_s = {name: cpu_s(pid) - spent_s[name] for name, pid in watched.items()}
                        busy = busy_s() - busy
                    case text if text.startswith("{"):
                        result = msgspec.json.decode(text, type=_Result)
            if result is None:
                raise BenchError(f"boardgame.io's clients ended with {await load.wait()}")
    count = len(result.times_ms)
    spent_s["load"] = result.cpu_s
    facts = {f"{name}_cpu_us": spent / max(1, count) * 1e6 for name, spent in spent_s.items()}
    facts["frames_s"] = result.frames / result.seconds
    facts["other_cores"] = max(0.0, busy - sum(spent_s.values())) / result.seconds
    return measured(count, result.seconds, [time / 1000 for time in result.times_ms], facts)


if __name__ == "__main__":
    serve(BoardgameJob, measure)
