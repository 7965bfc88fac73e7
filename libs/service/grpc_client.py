"""Calls to other services: one channel per replica, a preferred replica per key, bounded retries.

Each call carries the caller's credential and a deadline:

    stub = TableServiceStub(channels.pick("table", table_id))
    view = await call_with_retry(stub.GetView, request, metadata=channels.metadata("table"))
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from libs.service.credentials import Credentials, Metadata
from libs.service.errors import DOMAIN
from libs.service.grpc_server import MAX_MESSAGE_BYTES

Request = TypeVar("Request")
Response = TypeVar("Response")

DEFAULT_TIMEOUT_S = 5.0
_MAX_ATTEMPTS = 4
_FIRST_PAUSE_S = 0.05
_MAX_PAUSE_S = 1.0
_OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # A proxy meant for the outside is never asked for services.
    ("grpc.enable_http_proxy", 0),
    # Retries are ours: bounded, jittered and only where the call is idempotent.
    ("grpc.enable_retries", 0),
    # Replicas must not share a connection through the process-wide pool.
    ("grpc.use_local_subchannel_pool", 1),
)
_random = secrets.SystemRandom()


def channel(address: str) -> grpc.aio.Channel:
    """A channel to one replica. It connects by itself, and again after a loss within two seconds."""
    return grpc.aio.insecure_channel(address, options=_OPTIONS)


class Channels:
    """One channel per replica of every service in the configuration."""

    def __init__(self, replicas: Mapping[str, Sequence[str]], credentials: Credentials) -> None:
        """`replicas` gives addresses by service name; channels are opened as they are needed."""
        self._replicas = {service: tuple(addresses) for service, addresses in replicas.items()}
        self._credentials = credentials
        self._channels: dict[str, grpc.aio.Channel] = {}

    def pick(self, service: str, key: str) -> grpc.aio.Channel:
        """The channel to the replica that callers prefer for `key`; LookupError if the service has no address."""
        return self.channel(self.ranked(service, key)[0])

    def ranked(self, service: str, key: str) -> list[str]:
        """The addresses of a service in the order in which to try them for `key` (rendezvous hashing).

        Every caller finds the same order, and a replica that goes moves only its own keys.
        """
        addresses = self._replicas.get(service, ())
        if not addresses:
            raise LookupError(f"no replica of {service} is configured")
        return sorted(addresses, key=lambda address: (_weight(address, key), address), reverse=True)

    def channel(self, address: str) -> grpc.aio.Channel:
        """The channel to one replica."""
        found = self._channels.get(address)
        if found is None:
            found = self._channels[address] = channel(address)
        return found

    def addresses(self, service: str) -> tuple[str, ...]:
        """The addresses of a service, as configured."""
        return self._replicas.get(service, ())

    def metadata(self, service: str) -> Metadata:
        """The credential for a call to `service`."""
        return self._credentials.metadata(service)

    async def close(self) -> None:
        """Closes every channel; calls under way are cancelled."""
        channels, self._channels = self._channels, {}
        await asyncio.gather(*(open_channel.close() for open_channel in channels.values()))


async def call_with_retry(
    method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
    request: Request,
    *,
    metadata: Metadata,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    wait_for_ready: bool = False,
) -> Response:
    """Calls an *idempotent* method and tries again while it is UNAVAILABLE: four attempts, all within `timeout_s`.

    `wait_for_ready` waits for a connection that is being made, rather than to fail at once: for the only or the last
    replica to try. Raises the last `grpc.aio.AioRpcError`.
    """
    loop = asyncio.get_running_loop()
    ends_at_s = loop.time() + timeout_s
    for attempt in range(_MAX_ATTEMPTS):
        try:
            return await method(
                request,
                timeout=max(0.001, ends_at_s - loop.time()),
                metadata=metadata,
                wait_for_ready=wait_for_ready,
            )
        except grpc.aio.AioRpcError as error:
            pause_s = _random.uniform(0.5, 1.0) * min(_MAX_PAUSE_S, _FIRST_PAUSE_S * 4**attempt)
            is_last = attempt == _MAX_ATTEMPTS - 1 or loop.time() + pause_s >= ends_at_s
            if error.code() is not grpc.StatusCode.UNAVAILABLE or is_last:
                raise
        await asyncio.sleep(pause_s)
    raise AssertionError("the last attempt returns or raises")


def error_code(error: grpc.aio.AioRpcError) -> str | None:
    """The code from our catalogues that a failed call carries, or None if it failed outside of our servers."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info) and info.domain == DOMAIN:
                    reason: str = info.reason
                    return reason
    return None


def _weight(address: str, key: str) -> bytes:
    return blake2b(f"{address}\0{key}".encode(), digest_size=8).digest()
