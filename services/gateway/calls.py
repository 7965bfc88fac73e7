"""Unary calls to other services: bounded in number and time, and their errors told onwards as they came."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from libs.service.errors import DEADLINE_EXCEEDED, DOMAIN, INTERNAL, OVERLOADED, UNAVAILABLE, ServiceError
from libs.service.grpc_client import Channels, call_with_retry
from services.gateway.limits import Limits

Request = TypeVar("Request")
Response = TypeVar("Response")
Method = Callable[[grpc.aio.Channel], "grpc.aio.UnaryUnaryMultiCallable[Request, Response]"]


class Calls:
    """Calls *idempotent* methods of any replica, the preferred one first."""

    def __init__(self, channels: Channels, limits: Limits) -> None:
        """The bounds are `calls_in_flight` and `call_timeout_s`."""
        self._channels = channels
        self._limits = limits
        self._in_flight = 0

    async def call(
        self, service: str, key: str, method: Method[Request, Response], request: Request
    ) -> Response:
        """The answer; raises ServiceError with the code that the service gave."""
        if self._in_flight >= self._limits.calls_in_flight:
            raise OVERLOADED.error()
        self._in_flight += 1
        try:
            return await self._try_replicas(service, key, method, request)
        except grpc.aio.AioRpcError as error:
            raise told_onwards(error) from error
        finally:
            self._in_flight -= 1

    async def _try_replicas(
        self, service: str, key: str, method: Method[Request, Response], request: Request
    ) -> Response:
        loop = asyncio.get_running_loop()
        ends_at_s = loop.time() + self._limits.call_timeout_s
        addresses = self._channels.ranked(service, key)
        for position, address in enumerate(addresses):
            left = len(addresses) - position
            channel = self._channels.channel(address)
            try:
                return await call_with_retry(
                    method(channel),
                    request,
                    metadata=self._channels.metadata(service),
                    timeout_s=max(0.001, (ends_at_s - loop.time()) / left),
                    wait_for_ready=left == 1,
                )
            except grpc.aio.AioRpcError as error:
                # The deadline of a call that waited for a connection in vain says that there is nobody.
                is_too_late = error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
                if is_too_late and channel.get_state() is not grpc.ChannelConnectivity.READY:
                    raise UNAVAILABLE.error() from error
                if error.code() is not grpc.StatusCode.UNAVAILABLE or left == 1:
                    raise
        raise AssertionError("ranked gives at least one address, and the last one returns or raises")


def told_onwards(error: grpc.aio.AioRpcError) -> ServiceError:
    """The error that a service of ours gave; UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL where it gave none."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            told = _from_details(error.code(), status_pb2.Status.FromString(value))
            if told is not None:
                return told
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return UNAVAILABLE.error()
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DEADLINE_EXCEEDED.error()
    return INTERNAL.error()


def _from_details(status: grpc.StatusCode, details: status_pb2.Status) -> ServiceError | None:
    code: str | None = None
    field: str | None = None
    texts = {"pt-BR": "", "en": details.message}
    info = error_details_pb2.ErrorInfo()
    text = error_details_pb2.LocalizedMessage()
    bad = error_details_pb2.BadRequest()
    for detail in details.details:
        if detail.Unpack(info) and info.domain == DOMAIN:
            code = info.reason
        elif detail.Unpack(text):
            texts[text.locale] = text.message
        elif detail.Unpack(bad) and bad.field_violations:
            field = bad.field_violations[0].field
    if code is None:
        return None
    return ServiceError(code, status, text_pt=texts["pt-BR"], text_en=texts["en"], field=field)
