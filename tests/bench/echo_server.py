"""The least that a gRPC server in Python can do: `python -m tests.bench.echo_server PORT` sends back what it gets.

No credentials, no metrics, no messages to parse, no batching: what the play stream is held against.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator

import grpc
import uvloop

METHOD = "/carteado.bench.Echo/Echo"


async def _echo(
    requests: AsyncIterator[bytes], _context: grpc.aio.ServicerContext[bytes, bytes]
) -> AsyncIterator[bytes]:
    async for message in requests:
        yield message


async def _serve(port: int) -> None:
    service, name = METHOD.strip("/").split("/")
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {name: grpc.stream_stream_rpc_method_handler(_echo)}),)
    )
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await server.stop(0)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(int(sys.argv[1])))
