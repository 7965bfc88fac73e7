"""A service that commits and publishes, in a process of its own that dies at a point around commit and publish.

    python -m tests.libs.eventlog.relay_process CONNINFO NATS_URL POINT…

A point is `STEP-PHASE-NUMBER`: the process kills itself before, during or after the NUMBERth time of a step (append,
lookup, publish, checkpoint); `none` ends by itself once all is published, and `hold` pumps until it is killed. Each
point is lived by a fork of its own, so that Python is started once. Prints `committed NAME TOTAL` for each command that
was acknowledged, and `POINT STATUS` when a fork has ended.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from uuid import uuid4

import nats
import psycopg

from libs.eventlog import relay as relay_module
from libs.eventlog.committed import Committed
from libs.eventlog.postgres import PostgresStore, PostgresWriter
from libs.eventlog.relay import Relay, RelayLimits
from libs.eventlog.relay_status import relay_status
from libs.eventlog.runtime import Runtime
from tests.libs.eventlog.counter import COUNTER, Add, Start, registry
from tests.libs.eventlog.processes import die
from tests.libs.eventlog.waiting import until

NAMES = ("a", "b", "c", "d")
COMMANDS = 6
QUICK = RelayLimits(poll_s=0.05, publish_s=2.0, frozen_s=2.0)


class Point:
    """Where the process dies."""

    def __init__(self, text: str) -> None:
        self.step, self.phase, number = text.split("-")
        self._left = int(number)

    async def around(self, step: str, work: Callable[[], Awaitable]):
        """Do a step, and die at it if this is the one."""
        if step == self.step:
            self._left -= 1
        if step != self.step or self._left != 0:
            return await work()
        if self.phase == "during":
            under_way = asyncio.ensure_future(work())
            await asyncio.wait([under_way], timeout=0.001)
        if self.phase == "after":
            await work()
        return die()


def install(point: Point, js) -> None:
    """Put the point around the steps."""
    write, execute, publish = PostgresWriter.write, relay_module._execute, js.publish
    steps = {relay_module._PENDING: "lookup", relay_module._ADVANCE: "checkpoint"}

    async def dying_write(self, commands):
        return await point.around("append", lambda: write(self, commands))

    async def dying_execute(connection, query, parameters):
        return await point.around(steps.get(query, ""), lambda: execute(connection, query, parameters))

    async def dying_publish(*arguments, **options):
        return await point.around("publish", lambda: publish(*arguments, **options))

    PostgresWriter.write = dying_write
    relay_module._execute = dying_execute
    js.publish = dying_publish


async def live(conninfo: str, nats_url: str, text: str) -> None:
    """Commit some commands and publish them."""
    client = await nats.connect(nats_url, connect_timeout=30)
    js = client.jetstream()
    store = await PostgresStore.open(conninfo)
    if text not in {"none", "hold"}:
        install(Point(text), js)
    relay = Relay(conninfo, js, "counter", limits=QUICK)
    store.appender.on_appended = relay.on_appended
    await relay.start()
    if text == "hold":
        print("holding", flush=True)
        await asyncio.Event().wait()
    await roll_back(conninfo)
    runtime = Runtime(COUNTER, registry(), store)
    for number in range(COMMANDS):
        name = NAMES[number % len(NAMES)]
        await runtime.handle(name, Start(), command_id=f"start {name}", actor="ana")
        done = await runtime.handle(name, Add(1), command_id=str(uuid4()), actor="ana")
        assert isinstance(done, Committed)
        print(f"committed {name} {done.after.total}", flush=True)

    async def is_done() -> bool:
        return not any(row.waiting for row in await relay_status(conninfo))

    await until(is_done)
    await relay.stop()
    await store.close()
    await client.close()


async def roll_back(conninfo: str) -> None:
    """An append with a public message that is rolled back."""
    stream = COUNTER.category + "-03-never"
    document = (
        f'[[0,0,"{uuid4()}","00","ana",null,null,null,"{stream}",3,0,null,null,false,'
        '[["CounterAdded",1,{"number":1},"carteado.counter.added.v1","ff"]]]]'
    )
    async with (
        await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection,
        connection.transaction(force_rollback=True),
    ):
        await connection.execute("SELECT * FROM append(%s::jsonb, ARRAY[3]::smallint[])", (document,))


def main(conninfo: str, nats_url: str, *points: str) -> None:
    """Live through the points, one fork after another."""
    if points == ("hold",):
        asyncio.run(live(conninfo, nats_url, "hold"))
    for point in points:
        pid = os.fork()
        if pid == 0:
            asyncio.run(live(conninfo, nats_url, point))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        print(f"{point} {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
