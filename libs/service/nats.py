"""The connection to NATS that a service has: named, bounded in what it buffers, and logged when it breaks.

A service that loses NATS goes on without it (the log is the truth) and takes up the connection again, however long it
takes: attempts have no limit in number, but one in rate.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from libs.service.config import ServiceConfig
from libs.service.logging import Log

REQUEST_TIMEOUT_S = 5.0
_CONNECT_TIMEOUT_S = 2
_RECONNECT_PAUSE_S = 1
_FIRST_CONNECT_S = 20.0
_PENDING_BYTES = 2 * 1024 * 1024


class NatsUnavailableError(Exception):
    """NATS could not be reached when the service started; the process exits with 69."""


class Nats(msgspec.Struct, frozen=True):
    """A connection and its JetStream context."""

    client: Client
    jetstream: JetStreamContext

    @property
    def is_connected(self) -> bool:
        """Whether the connection stands now."""
        return self.client.is_connected

    async def close(self) -> None:
        """Sends what is buffered and closes; bounded by two seconds."""
        if self.client.is_connected:
            with suppress(NatsError, TimeoutError):
                await asyncio.wait_for(self.client.flush(), _CONNECT_TIMEOUT_S)
        await self.client.close()


async def connect(
    config: ServiceConfig, log: Log, wait_s: float = _FIRST_CONNECT_S, *, hears_itself: bool = True
) -> Nats:
    """Connects under the service's name; NatsUnavailableError if NATS can't be reached within `wait_s`.

    Without `hears_itself` the server keeps what this connection publishes from its own subscriptions.
    """

    async def on_error(error: Exception) -> None:
        log.warning("nats error", error=repr(error))

    async def on_disconnected() -> None:
        log.warning("nats disconnected")

    async def on_reconnected() -> None:
        log.info("nats reconnected")

    client = Client()
    try:
        async with asyncio.timeout(wait_s):
            await client.connect(
                config.nats,
                name=f"carteado-{config.name}",
                error_cb=on_error,
                disconnected_cb=on_disconnected,
                reconnected_cb=on_reconnected,
                connect_timeout=_CONNECT_TIMEOUT_S,
                reconnect_time_wait=_RECONNECT_PAUSE_S,
                max_reconnect_attempts=-1,
                pending_size=_PENDING_BYTES,
                no_echo=not hears_itself,
            )
    except (TimeoutError, OSError, NatsError) as error:
        await client.close()
        raise NatsUnavailableError(f"NATS did not answer within {wait_s:g} s: {error!r}") from error
    return Nats(client, client.jetstream(timeout=REQUEST_TIMEOUT_S))
