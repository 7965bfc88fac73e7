"""What the figures were measured on; they mean little without it."""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path

import msgspec
import psycopg

_FLUSHES = 200
_TIMEOUT_S = 10


class Machine(msgspec.Struct, frozen=True):
    """A machine, and the versions of what ran on it."""

    processor: str
    cores: int
    system: str
    load_average: float
    flush_ms: float
    fsync: bool
    versions: dict[str, str]


def look(postgres: str, nats_binary: Path, folder: Path) -> Machine:
    """This machine, with a Postgres that runs; `folder` is on the disk that the log is on."""
    with psycopg.connect(postgres, dbname="postgres", connect_timeout=_TIMEOUT_S) as connection:
        wanted = ["server_version", "fsync", "synchronous_commit"]
        rows = connection.execute("SELECT name, setting FROM pg_settings WHERE name = ANY (%s)", (wanted,))
        settings: dict[str, str] = dict(rows.fetchall())
    nats = subprocess.run(
        [nats_binary, "--version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
    )
    packages = ("grpcio", "protobuf", "psycopg", "uvloop", "msgspec", "carteado")
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        load_average=os.getloadavg()[0],
        flush_ms=_flush_ms(folder),
        fsync=settings["fsync"] == "on" and settings["synchronous_commit"] == "on",
        versions={
            "python": platform.python_version(),
            "postgres": settings["server_version"],
            "nats-server": nats.stdout.strip().rpartition("v")[2],
            **{package: version(package) for package in packages},
        },
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )


def _flush_ms(folder: Path) -> float:
    """How long a block takes to reach the disk: what a commit costs at least."""
    flush = getattr(os, "fdatasync", os.fsync)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        began_at = time.perf_counter()
        for _ in range(_FLUSHES):
            file.write(bytes(8192))
            flush(file.fileno())
        return (time.perf_counter() - began_at) / _FLUSHES * 1000


def busy_s() -> float:
    """CPU seconds of everything on this machine so far; 0 where there is no /proc."""
    try:
        user, nice, system, _idle, _waiting, *interrupts = Path("/proc/stat").read_text().split()[1:9]
    except OSError:
        return 0.0
    return sum(map(int, (user, nice, system, *interrupts))) / os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """CPU seconds of a process and of its living children so far; 0 where there is no /proc."""
    return cpu_s_by_pid([pid])[pid]


def cpu_s_by_pid(pids: Collection[int]) -> dict[int, float]:
    """What `cpu_s` says of each of several processes, in one look at all that run."""
    ticks = dict.fromkeys(pids, 0)
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        for pid in {int(entry.parent.name), int(fields[1])} & ticks.keys():
            ticks[pid] += int(fields[11]) + int(fields[12])
    a_second = os.sysconf("SC_CLK_TCK")
    return {pid: spent / a_second for pid, spent in ticks.items()}


def resident_bytes(pid: int) -> int:
    """Resident memory of a process; 0 where there is no /proc."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
