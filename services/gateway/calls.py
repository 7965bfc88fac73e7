"""Unary calls to other services: bounded in number and time, and their errors told onwards as they came."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from libs.service.errors import DEADLINE_EXCEEDED, DOMAIN, INTERNAL, OVERLOADED, UNAVAILABLE, ServiceError
from libs.service.grpc_client import Channels
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
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            told = _from_details(error.code(), status_pb2.Status.FromString(value))
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
