"""Hearing nothing more from a client that floods, while its connection is closed in good order.

Until the other side has closed too, all that still comes would be taken apart message by message, for nobody, in the
time of everybody else. It is dropped as it comes instead; a connection with bytes that nobody took would be reset, and
the client might not learn why.
"""

from __future__ import annotations

import asyncio

_PAUSE_S = 0.05
"""How long nothing is read after each piece that came: to read and drop a whole flood would cost too."""


class _Deaf(asyncio.Protocol):
    """In the place of a connection's protocol: tells it everything but what is received."""

    def __init__(self, hearing: asyncio.Protocol, transport: asyncio.Transport) -> None:
        self._hearing = hearing
        self._transport = transport

    def data_received(self, _data: bytes) -> None:
        self._transport.pause_reading()
        asyncio.get_running_loop().call_later(_PAUSE_S, self._read_on)

    def _read_on(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def eof_received(self) -> bool | None:
        return self._hearing.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._hearing.connection_lost(exc)

    def pause_writing(self) -> None:
        self._hearing.pause_writing()

    def resume_writing(self) -> None:
        self._hearing.resume_writing()


def deafen(transport: asyncio.Transport) -> None:
    """From here on, drops what this connection receives."""
    protocol = transport.get_protocol()
    if isinstance(protocol, asyncio.Protocol) and not transport.is_closing():
        transport.set_protocol(_Deaf(protocol, transport))
