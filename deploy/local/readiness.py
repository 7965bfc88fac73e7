"""Asks a service over HTTP whether it is ready; the few lines of HTTP need no library, which would cost start time."""

import asyncio

_TIMEOUT_S = 2.0


async def answers_ready(address: str) -> bool:
    """Whether GET /readyz at HOST:PORT answers 200."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                writer.write(f"GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n".encode())
                await writer.drain()
                status = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
    return status.split(b" ", 2)[1:2] == [b"200"]
