"""The load on the bare echo: as many streams and as many messages in flight as the play load has."""

from __future__ import annotations

import asyncio
import time
from collections import deque

import grpc

from libs.service.grpc_client import channel
from tests.bench.echo_server import METHOD
from tests.bench.jobs import EchoJob
from tests.bench.measurement import Measurement
from tests.bench.window import Window
from tests.bench.worker import serve


class _EchoStream:
    """One stream; answers come in the order of what was sent."""

    def __init__(self, address: str) -> None:
        self._channel = channel(address)
        self._call: grpc.aio.StreamStreamCall[bytes, bytes] = self._channel.stream_stream(METHOD)()
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def echo(self, message: bytes) -> None:
        """Send a message and wait for it to come back."""
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        self._outbox.put_nowait(message)
        await answer

    async def write(self) -> None:
        """Send what queues, one by one, until the stream is closed."""
        while (message := await self._outbox.get()) is not None:
            await self._call.write(message)
        await self._call.done_writing()

    async def read(self) -> None:
        """Take what comes back, until the stream is closed."""
        while await self._call.read() is not grpc.aio.EOF:
            self._waiting.popleft().set_result(None)
        await self._channel.close()

    def close(self) -> None:
        """Say that nothing more will be sent."""
        self._outbox.put_nowait(None)


async def measure(job: EchoJob) -> Measurement:
    """Echoes a second, and how long each took."""
    message = bytes(job.message_bytes)
    streams = [_EchoStream(job.address) for _ in range(job.streams)]
    window = Window(job.seconds, job.watched)

    async def in_flight(stream: _EchoStream) -> None:
        while not window.is_over():
            sent_at = time.perf_counter()
            await stream.echo(message)
            window.note(sent_at)

    window.open()
    async with asyncio.TaskGroup() as carrying:
        for stream in streams:
            carrying.create_task(stream.read())
            carrying.create_task(stream.write())
        async with asyncio.TaskGroup() as sending:
            for index in range(job.in_flight):
                sending.create_task(in_flight(streams[index % job.streams]))
        for stream in streams:
            stream.close()
    return window.result()


if __name__ == "__main__":
    serve(EchoJob, measure)
