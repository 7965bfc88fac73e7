"""A deaf connection drops what it receives, and its protocol learns everything else."""

import asyncio

from services.gateway.deaf import deafen


class Hearing(asyncio.Protocol):
    def __init__(self) -> None:
        self.heard = b""
        self.made = asyncio.Event()
        self.came = asyncio.Event()
        self.lost = asyncio.Event()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.made.set()

    def data_received(self, data: bytes) -> None:
        self.heard += data
        self.came.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def test_a_deaf_connection_hears_nothing_but_its_end() -> None:
    hearing = Hearing()
    server = await asyncio.get_running_loop().create_server(lambda: hearing, "127.0.0.1", 0)
    async with server, asyncio.timeout(30):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"heard")
        await hearing.came.wait()
        deafen(hearing.transport)
        writer.write(b"x" * 1_000_000)
        await writer.drain()
        hearing.transport.write(b"why")
        assert await reader.readexactly(3) == b"why"
        writer.close()
        await writer.wait_closed()
        await hearing.lost.wait()
    assert hearing.heard == b"heard"


async def test_a_connection_that_is_closing_stays_as_it_is() -> None:
    hearing = Hearing()
    server = await asyncio.get_running_loop().create_server(lambda: hearing, "127.0.0.1", 0)
    async with server, asyncio.timeout(30):
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        await hearing.made.wait()
        hearing.transport.close()
        deafen(hearing.transport)
        await hearing.lost.wait()
        writer.close()
