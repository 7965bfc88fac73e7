"""Work in a process of its own: started with a job in a file, bounded in time, its result read from another.

    python -m tests.bench.<module> JOB RESULT

Loads run apart from the servers and from each other, so that each begins with a fresh interpreter.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvloop

from deploy.local.process import Command, spawn
from tests.bench.measurement import Measurement

ROOT = Path(__file__).parents[2]
_PATIENCE_S = 5.0

Job = TypeVar("Job", bound=msgspec.Struct)


class BenchError(Exception):
    """The bench cannot go on; the message says why."""


def start(
    stack: ExitStack, folder: Path, name: str, *argv: str, environment: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a Python process that `stack` ends; it writes to `<name>.log` in `folder`."""
    log = stack.enter_context((folder / f"{name}.log").open("wb"))
    variables = dict(os.environ) if environment is None else environment
    process = spawn(Command((sys.executable, *argv), variables, folder=ROOT), log)
    stack.callback(end, process)
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """Have a process stop, by force if it does not by itself, and reap it."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_PATIENCE_S)


def run(folder: Path, module: str, job: msgspec.Struct, timeout_s: float) -> Measurement:
    """Have `tests.bench.<module>` do a job; raises BenchError when it fails or takes too long."""
    job_file, result_file = folder / "job.json", folder / "result.json"
    job_file.write_bytes(msgspec.json.encode(job))
    result_file.unlink(missing_ok=True)
    with ExitStack() as stack:
        process = start(stack, folder, module, "-m", f"tests.bench.{module}", str(job_file), str(result_file))
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise BenchError(f"{module} took longer than {timeout_s:.0f} s: {tail(folder, module)}") from None
    if code:
        raise BenchError(f"{module} failed: {tail(folder, module)}")
    return msgspec.json.decode(result_file.read_bytes(), type=Measurement)


def tail(folder: Path, name: str) -> str:
    """The last lines of a log."""
    lines = (folder / f"{name}.log").read_text(errors="replace").splitlines()
    return "\n".join(lines[-20:]) or "its log is empty"


def serve(job_type: type[Job], work: Callable[[Job], Coroutine[Any, Any, Measurement]]) -> None:
    """The other side of `run`: do the job that the command line names."""
    job_file, result_file = map(Path, sys.argv[1:])
    job = msgspec.json.decode(job_file.read_bytes(), type=job_type)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        result = runner.run(work(job))
    result_file.write_bytes(msgspec.json.encode(result))
