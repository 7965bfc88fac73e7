"""A replica of a service in a process of its own: the counter with its clocks, on real intervals.

    python -m tests.libs.eventlog.replica_process CONNINFO [--die-after-claim]

Prints `ready`, then answers each line: `start NAME PATIENCE`, `add NAME NUMBER`, `load NAME`.
"""

from __future__ import annotations

import asyncio
import sys
from uuid import uuid4

from libs.eventlog.clock import DatabaseClock
from libs.eventlog.committed import Committed
from libs.eventlog.deadlines import DeadlineKeeper
from libs.eventlog.errors import EventLogError
from libs.eventlog.liveness import Liveness
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Runtime
from tests.libs.eventlog.counter import COUNTER, Add, Start, after_outage, registry
from tests.libs.eventlog.processes import die


class DyingStore(PostgresStore):
    """Dies between the claim of an overdue deadline and the decision."""

    async def claim_overdue(self, category: str, *, overdue_s: float, limit: int):
        claims = await super().claim_overdue(category, overdue_s=overdue_s, limit=limit)
        if claims:
            die()
        return claims


async def serve(conninfo: str, store_type: type[PostgresStore]) -> None:
    """Run until stdin closes or the process is killed."""
    store = await store_type.open(conninfo)
    clock, liveness = DatabaseClock(store.now), Liveness(store)
    await clock.start()
    runtime = Runtime(COUNTER, registry(), store, now=clock.now, liveness=liveness, on_outage=after_outage)
    keeper = DeadlineKeeper(runtime, store, now=clock.now)
    await liveness.start()
    await keeper.start()
    print("ready", flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := (await reader.readline()).decode().split():
        print(await answer(runtime, *line), flush=True)


async def answer(runtime: Runtime, verb: str, name: str, number: str = "") -> str:
    """One request."""
    try:
        if verb == "load":
            return str((await runtime.load(name)).state.missed)
        body = Start(float(number)) if verb == "start" else Add(int(number))
        done = await runtime.handle(name, body, command_id=str(uuid4()), actor="ana")
    except EventLogError as error:
        return type(error).__name__
    return "committed" if isinstance(done, Committed) else done.code


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], DyingStore if "--die-after-claim" in sys.argv else PostgresStore))
