"""A wire to Postgres that is cut when the server has answered so many times: a crash after the n-th statement.

What the server has done stands, what comes next never arrives, and the answer is lost: for the database that is what a
`kill -9` of the client looks like.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_HEADER = 5
_READY = b"Z"


class CutWire:
    """Listens on loopback and passes everything on to the server, until it has answered `answers` times."""

    def __init__(self, conninfo: str, answers: int) -> None:
        self._to = conninfo_to_dict(conninfo)
        self._left = answers
        self.is_cut = asyncio.Event()
        self.conninfo = ""
        self._serving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[CutWire]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        plain = {"sslmode": "disable", "gssencmode": "disable"}
        self.conninfo = make_conninfo("", **{**self._to, "host": host, "port": port, **plain})
        async with server:
            yield self
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._serving.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut.is_set():
            writer.transport.abort()
            return
        host = str(self._to["host"])
        if host.startswith("/"):
            there = await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{self._to.get('port', 5432)}")
        else:
            there = await asyncio.open_connection(host, int(str(self._to.get("port", 5432))))
        up = asyncio.create_task(_copy(reader, there[1]))
        try:
            await self._answers(there[0], writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            up.cancel()
            writer.transport.abort()
            there[1].transport.abort()

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            header = await reader.readexactly(_HEADER)
            body = await reader.readexactly(int.from_bytes(header[1:], "big") - 4)
            if header[:1] == _READY:
                self._left -= 1
                if self._left < 0:
                    self.is_cut.set()
                    return
            writer.write(header + body)
            await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
