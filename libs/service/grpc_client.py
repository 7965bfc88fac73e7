"""Calls to other services: one channel per replica, a preferred replica per key, bounded retries.

Each call carries the caller's credential and a deadline:

    view = await channels.call("table", table_id, lambda channel: TableServiceStub(channel).GetView, request)
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from libs.eventlog.streams import partition_of
from libs.service.credentials import Credentials, Metadata
from libs.service.errors import DOMAIN, UNAVAILABLE, ServiceError
from libs.service.grpc_server import MAX_MESSAGE_BYTES

Request = TypeVar("Request")
Response = TypeVar("Response")

DEFAULT_TIMEOUT_S = 5.0
_MAX_ROUNDS = 4
_PASSED_OVER = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
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
        self._ranked: dict[tuple[str, int], tuple[str, ...]] = {}

    def ranked(self, service: str, key: str) -> Sequence[str]:
        """The addresses of a service in the order in which to try them for the aggregate with the id `key`.

        Rendezvous hashing over the partition of the id: every caller finds the same order, a replica that goes moves
        only its own partitions, and a partition's counter row is contended by one replica alone. LookupError if the
        service has no address.
        """
        place = (service, partition_of(key))
        ranked = self._ranked.get(place)
        if ranked is None:
            addresses = self._replicas.get(service, ())
            if not addresses:
                raise LookupError(f"no replica of {service} is configured")
            by_weight = sorted(
                addresses, key=lambda address: (_weight(address, place[1]), address), reverse=True
            )
            ranked = self._ranked[place] = tuple(by_weight)
        return ranked

    async def call(
        self,
        service: str,
        key: str,
        method: Callable[[grpc.aio.Channel], grpc.aio.UnaryUnaryMultiCallable[Request, Response]],
        request: Request,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> Response:
        """Calls an *idempotent* method of any replica, the preferred one first, all within `timeout_s`.

        A replica that is away, or says nothing for its share of the time, is passed over for the next one; after each
        round of them there is a jittered pause, and after `_MAX_ROUNDS` the last error is raised. An only replica is
        waited for. Raises `grpc.aio.AioRpcError`, or ServiceError UNAVAILABLE when nobody could be reached.
        """
        loop = asyncio.get_running_loop()
        ends_at_s = loop.time() + timeout_s
        addresses = self.ranked(service, key)
        is_only = len(addresses) == 1
        pause_s = _FIRST_PAUSE_S
        for attempt in range(1, len(addresses) * _MAX_ROUNDS + 1):
            channel_ = self.channel(addresses[(attempt - 1) % len(addresses)])
            left_s = max(0.001, ends_at_s - loop.time())
            try:
                return await method(channel_)(
                    request,
                    timeout=left_s if is_only else min(left_s, timeout_s / 2),
                    metadata=self.metadata(service),
                    wait_for_ready=is_only,
                )
            except grpc.aio.AioRpcError as error:
                is_last = attempt == len(addresses) * _MAX_ROUNDS or loop.time() + pause_s >= ends_at_s
                if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED and (is_only or is_last):
                    # The deadline of a call that waited for a connection in vain says that there is nobody.
                    if channel_.get_state() is not grpc.ChannelConnectivity.READY:
                        raise UNAVAILABLE.error() from error
                    raise
                if error.code() not in _PASSED_OVER or is_last:
                    raise
            if attempt % len(addresses) == 0:
                await asyncio.sleep(pause_s * _random.uniform(0.5, 1.0))
                pause_s = min(_MAX_PAUSE_S, pause_s * 4)
        raise AssertionError("the last attempt returns or raises")

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


def told_error(error: grpc.aio.AioRpcError) -> ServiceError | None:
    """The error that a server of ours gave, of a call that failed; None if it failed outside of them."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            told = _from_details(error.code(), status_pb2.Status.FromString(value))
            if told is not None:
                return told
    return None


def error_code(error: grpc.aio.AioRpcError) -> str | None:
    """The code from our catalogues that a failed call carries, or None if it failed outside of our servers."""
    told = told_error(error)
    return None if told is None else told.code


def _from_details(status: grpc.StatusCode, details: status_pb2.Status) -> ServiceError | None:
    code: str | None = None
    field: str | None = None
    facts: dict[str, str] = {}
    texts = {"pt-BR": "", "en": details.message}
    info = error_details_pb2.ErrorInfo()
    text = error_details_pb2.LocalizedMessage()
    bad = error_details_pb2.BadRequest()
    for detail in details.details:
        if detail.Unpack(info) and info.domain == DOMAIN:
            code, facts = info.reason, dict(info.metadata)
        elif detail.Unpack(text):
            texts[text.locale] = text.message
        elif detail.Unpack(bad) and bad.field_violations:
            field = bad.field_violations[0].field
    if code is None:
        return None
    return ServiceError(code, status, text_pt=texts["pt-BR"], text_en=texts["en"], field=field, facts=facts)


def _weight(address: str, partition: int) -> bytes:
    return blake2b(f"{address}\0{partition}".encode(), digest_size=8).digest()
