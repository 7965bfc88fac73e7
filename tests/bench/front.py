"""Those who come through the gateway: four guests for the tables, and clients that mean no good."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from libs.client.http_api import GatewayApi
from tests.bench.jobs import HostileJob
from tests.bench.worker import BenchError, start, tail

_START_TIMEOUT_S = 60.0
_POLL_S = 0.05
_NAMES = ("Ana Banco", "Bia Banco", "Caio Banco", "Davi Banco")


async def guests(url: str) -> list[tuple[str, str]]:
    """Four guests of the gateway, each an id and a token."""
    async with GatewayApi(url) as api:
        made = [await api.register_guest(name) for name in _NAMES]
    return [(guest.player_id, guest.token) for guest in made]


@contextmanager
def hostile_clients(work: Path, job: HostileJob) -> Iterator[Callable[[], dict[str, float]]]:
    """Stalled readers and a flood, all in place until the end; gives what tells how things stand. Raises BenchError."""
    job_file, state_file = work / "hostile.json", work / "hostile.state"
    job_file.write_bytes(msgspec.json.encode(job))
    state_file.unlink(missing_ok=True)
    with ExitStack() as stack:
        process = start(stack, work, "hostile", "-m", "tests.bench.hostile", str(job_file), str(state_file))
        deadline = time.monotonic() + _START_TIMEOUT_S
        while not state_file.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise BenchError(f"the hostile clients did not come: {tail(work, 'hostile')}")
            time.sleep(_POLL_S)

        def state() -> dict[str, float]:
            if process.poll() is not None:
                raise BenchError(f"the hostile clients went away: {tail(work, 'hostile')}")
            return msgspec.json.decode(state_file.read_bytes(), type=dict[str, float])

        yield state
