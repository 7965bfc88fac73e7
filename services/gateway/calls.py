"""Unary calls to other services: bounded in number and time, and their errors told onwards as they came."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import grpc

from libs.service.errors import DEADLINE_EXCEEDED, INTERNAL, OVERLOADED, UNAVAILABLE, ServiceError
from libs.service.grpc_client import Channels, told_error
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
            return await self._channels.call(service, key, method, request, self._limits.call_timeout_s)
        except grpc.aio.AioRpcError as error:
            raise told_onwards(error) from error
        finally:
            self._in_flight -= 1


def told_onwards(error: grpc.aio.AioRpcError) -> ServiceError:
    """The error that a service of ours gave; where it gave none, what the status says: away, late, full, or a bug."""
    told = told_error(error)
    if told is not None:
        return told
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return UNAVAILABLE.error()
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DEADLINE_EXCEEDED.error()
    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
        # A server that serves as many calls as it may refuses one more without looking at it.
        return OVERLOADED.error()
    return INTERNAL.error()
