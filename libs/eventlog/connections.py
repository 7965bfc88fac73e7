"""Connections to Postgres that cannot hang: every statement has a deadline that is kept even by a frozen server."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import psycopg

from libs.eventlog.errors import LogUnavailableError

Result = TypeVar("Result")
Connection = psycopg.AsyncConnection[tuple[Any, ...]]

_ATTEMPTS: Final = 3


async def connect(
    conninfo: str, name: str, *, connect_timeout_s: int = 3, statement_timeout_s: float = 4.0
) -> Connection:
    """Open a connection in autocommit, in UTC, that plans each statement once.

    Raises psycopg.OperationalError.
    """
    return await psycopg.AsyncConnection.connect(
        conninfo,
        autocommit=True,
        prepare_threshold=0,
        connect_timeout=connect_timeout_s,
        application_name=name,
        options=f"-c timezone=UTC -c statement_timeout={int(statement_timeout_s * 1000)} -c jit=off",
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
    )


@asynccontextmanager
async def statement_deadline(connection: Connection, seconds: float) -> AsyncIterator[None]:
    """Cut the connection when its statement takes longer: the statement then ends with an OperationalError.

    The server's own statement_timeout comes first; this is for a server or a network that says nothing any more.
    """
    timer = asyncio.get_running_loop().call_later(seconds, _cut, connection)
    try:
        yield
    finally:
        timer.cancel()


def _cut(connection: Connection) -> None:
    if connection.closed:
        return
    with socket.socket(fileno=os.dup(connection.fileno())) as duplicate:
        duplicate.shutdown(socket.SHUT_RDWR)


class ReaderPool:
    """A few connections for reads: opened when needed, thrown away when broken, a read tried again on a new one."""

    def __init__(self, conninfo: str, *, size: int = 4, timeout_s: float = 5.0) -> None:
        self._conninfo = conninfo
        self._timeout_s = timeout_s
        self._free: list[Connection] = []
        self._places = asyncio.Semaphore(size)
        self._is_closed = False

    async def run(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Run reads, or one statement that may be run twice, on a connection of the pool.

        Raises LogUnavailableError when that cannot be done in time.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._places.acquire()
        except TimeoutError as error:
            raise LogUnavailableError(f"no connection became free within {self._timeout_s} s") from error
        try:
            return await self._run(work)
        finally:
            self._places.release()

    async def close(self) -> None:
        """Close the connections that are free; the others close when they are given back."""
        self._is_closed = True
        while self._free:
            await self._free.pop().close()

    async def _run(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        problem: Exception | None = None
        is_lost = False
        for attempt in range(_ATTEMPTS):
            if attempt:
                await asyncio.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311 - jitter
            try:
                # After a lost connection a new one: what took that one has probably taken the other free ones too.
                if self._free and not is_lost:
                    connection = self._free.pop()
                else:
                    connection = await connect(self._conninfo, "carteado reader")
            except psycopg.OperationalError as error:
                problem = error
                continue
            try:
                async with statement_deadline(connection, self._timeout_s):
                    return await work(connection)
            except psycopg.OperationalError as error:
                problem = error
                is_lost = connection.closed or connection.broken
            except psycopg.errors.ReadOnlySqlTransaction as error:
                told = str(error).partition("\n")[0]
                raise LogUnavailableError(f"the log takes no writes now: {told}") from error
            finally:
                if connection.closed or connection.broken or self._is_closed:
                    await connection.close()
                else:
                    self._free.append(connection)
        raise LogUnavailableError(f"the log cannot be read: {problem}") from problem
