"""A process whose projector stands still in the middle of a page, in an open transaction: `python -m … CONNINFO`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from libs.eventlog.connections import Connection
from libs.eventlog.projection import LogEvent, Projection
from libs.eventlog.projector import Projector, ProjectorLimits
from tests.libs.eventlog.counter import Event, registry
from tests.libs.eventlog.totals import TABLES, apply


async def freeze(connection: Connection, fact: LogEvent[Event]) -> None:
    """Write a row, say so, and stop this process as SIGSTOP or a lost machine does."""
    await apply(connection, fact)
    print("frozen", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)


async def main(conninfo: str) -> None:
    """Run until killed."""
    projection = Projection("totals", 1, TABLES, registry(), freeze)
    await Projector(conninfo, projection, limits=ProjectorLimits(page_s=2.0, poll_s=0.05)).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
