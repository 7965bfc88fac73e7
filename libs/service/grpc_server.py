"""The gRPC face of a service: who may call what, deadlines, error details, metrics, health, reflection, drain.

A servicer raises `ServiceError` or returns; all that surrounds a call stands here, once, and wraps each handler when it
is registered. A method without an entry in the allow-list, or an entry without a method, is refused at start.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from typing import Any, NoReturn

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from libs.eventlog.errors import EventLogError
from libs.service.config import ConfigError
from libs.service.credentials import Credentials
from libs.service.errors import (
    CALLER_NOT_ALLOWED,
    DEADLINE_EXCEEDED,
    DEADLINE_REQUIRED,
    DOMAIN,
    INTERNAL,
    INVALID_ARGUMENT,
    ServiceError,
)
from libs.service.log_errors import service_error_of
from libs.service.logging import Log
from libs.service.metrics import GrpcServerMetrics

MAX_MESSAGE_BYTES = 1024 * 1024
MAX_DEADLINE_S = 30.0
"""A unary call is cut here even if its caller would wait longer."""

MAX_CALLS = 1000
"""Calls and streams served at once; more are answered RESOURCE_EXHAUSTED without being looked at."""

Registrar = Callable[[grpc.aio.Server], None]
Allow = Mapping[str, Collection[str]]

Context = grpc.aio.ServicerContext[Any, Any]
# The stubs type handlers as those of the threaded server.
Behavior = Callable[[Any, Any], Any]
Read = Callable[[bytes], Message]

_OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Two processes on one port would split the callers between them unnoticed.
    ("grpc.so_reuseport", 0),
)

_caller: ContextVar[str] = ContextVar("caller")


def current_caller() -> str:
    """The name of the service whose call is being served; LookupError outside of a call."""
    return _caller.get()


class GrpcServer:
    """A guarded `grpc.aio` server: register, `start`, `drain`."""

    def __init__(
        self,
        credentials: Credentials,
        allow: Allow,
        metrics: GrpcServerMetrics,
        log: Log,
        *,
        is_reflection_open: bool = False,
        waiting_calls: int = 0,
    ) -> None:
        """`allow` names the callers of each method (`/package.Service/Method`); `is_reflection_open` is for development.

        `waiting_calls` are those that a servicer lets wait for something, and counts itself: they take none of MAX_CALLS.
        """
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=MAX_CALLS + waiting_calls)
        self._health = health.aio.HealthServicer()
        self._guarded = _GuardedServer(self._server, _Guard(credentials, allow, metrics, log))
        self._is_reflection_open = is_reflection_open
        self._allow = allow
        self._services: list[str] = []

    def register(self, registrars: Sequence[Registrar]) -> None:
        """Adds the services; ConfigError unless methods and allow-list match one to one."""
        for registrar in registrars:
            registrar(self._guarded)
        registered = frozenset(self._guarded.methods)
        if missing := sorted(registered - set(self._allow)):
            raise ConfigError(
                f"no caller is named for {', '.join(missing)}: each gRPC method needs its allow-list"
            )
        if unknown := sorted(set(self._allow) - registered):
            raise ConfigError(f"the allow-list names methods that are not served: {', '.join(unknown)}")
        # Health needs no credential: orchestrators ask for it.
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._services = sorted({method.split("/")[1] for method in registered})
        reflection.enable_server_reflection(
            [*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME],
            self._server if self._is_reflection_open else self._guarded,
        )

    async def start(self, address: str) -> int:
        """Listens at `HOST:PORT` and gives the port; ConfigError if the address can't be had."""
        try:
            port = self._server.add_insecure_port(address)
        except RuntimeError:
            raise ConfigError(f"can't listen for gRPC at {address}: is the port taken?") from None
        await self._server.start()
        for service in ("", *self._services):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def drain(self, grace_s: float) -> None:
        """Says NOT_SERVING, takes no new calls, lets running ones end for `grace_s` seconds, then cuts them."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_s)


class _GuardedServer(grpc.aio.Server):
    """What generated `add_…Servicer_to_server` functions see: each handler is wrapped before the real server gets it."""

    def __init__(self, server: grpc.aio.Server, guard: _Guard) -> None:
        self._server = server
        self._guard = guard
        self.methods: set[str] = set()

    def add_registered_method_handlers(
        self, service_name: str, method_handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        wrapped = {}
        for name, handler in method_handlers.items():
            method = f"/{service_name}/{name}"
            self.methods.add(method)
            wrapped[name] = self._guard.wrap(method, handler)
        self._server.add_registered_method_handlers(service_name, wrapped)

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Nothing: generated code gives the same handlers to `add_registered_method_handlers`, by name."""

    def add_insecure_port(self, address: str) -> int:
        return self._server.add_insecure_port(address)

    def add_secure_port(self, address: str, server_credentials: grpc.ServerCredentials) -> int:
        return self._server.add_secure_port(address, server_credentials)

    async def start(self) -> None:
        await self._server.start()

    async def stop(self, grace: float | None) -> None:
        await self._server.stop(grace)

    async def wait_for_termination(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - grpc names it so
        return await self._server.wait_for_termination(timeout)


class _Guard:
    """What surrounds each call."""

    def __init__(self, credentials: Credentials, allow: Allow, metrics: GrpcServerMetrics, log: Log) -> None:
        self._credentials = credentials
        self._allow = {method: frozenset(callers) for method, callers in allow.items()}
        self._metrics = metrics
        self._logger = log

    def wrap(self, method: str, handler: grpc.RpcMethodHandler[Any, Any]) -> grpc.RpcMethodHandler[Any, Any]:
        codecs = (handler.request_deserializer, handler.response_serializer)
        # A single request comes as bytes and is read once its caller is known; those of a stream are read by the
        # servicer, and so after that anyway.
        read, as_bytes = handler.request_deserializer, (None, handler.response_serializer)
        if handler.unary_unary is not None:
            unary = self._wrap_unary(method, handler.unary_unary, read)
            return grpc.unary_unary_rpc_method_handler(unary, *as_bytes)
        if handler.stream_unary is not None:
            return grpc.stream_unary_rpc_method_handler(
                self._wrap_unary(method, handler.stream_unary, None), *codecs
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._wrap_stream(method, handler.unary_stream, read), *as_bytes
            )
        if handler.stream_stream is not None:
            return grpc.stream_stream_rpc_method_handler(
                self._wrap_stream(method, handler.stream_stream, None), *codecs
            )
        raise AssertionError(f"{method} has no behavior")

    def _wrap_unary(self, method: str, behavior: Behavior, read: Read | None) -> Behavior:
        async def unary(raw: Any, context: Context) -> object:  # noqa: ANN401 - bytes, or a stream of requests
            async with self._call(method, context):
                request = raw if read is None else _read(read, raw)
                remaining_s = context.time_remaining()
                if remaining_s is None:
                    raise DEADLINE_REQUIRED.error()
                try:
                    async with asyncio.timeout(min(remaining_s, MAX_DEADLINE_S)) as limit:
                        return await behavior(request, context)
                except TimeoutError:
                    if limit.expired():
                        raise DEADLINE_EXCEEDED.error() from None
                    raise

        return unary

    def _wrap_stream(self, method: str, behavior: Behavior, read: Read | None) -> Behavior:
        async def written(raw: Any, context: Context) -> None:  # noqa: ANN401 - bytes, or a stream of requests
            async with self._call(method, context):
                await behavior(raw if read is None else _read(read, raw), context)

        async def generated(raw: Any, context: Context) -> None:  # noqa: ANN401 - bytes, or a stream of requests
            async with self._call(method, context):
                request = raw if read is None else _read(read, raw)
                # The servicer's generator is closed here also when the call is cancelled, not whenever it is collected.
                async with aclosing(behavior(request, context)) as responses:
                    async for response in responses:
                        await context.write(response)

        return generated if inspect.isasyncgenfunction(behavior) else written

    @asynccontextmanager
    async def _call(self, method: str, context: Context) -> AsyncIterator[None]:
        started_s = time.perf_counter()
        code = grpc.StatusCode.CANCELLED
        try:
            self._admit(method, context)
            yield
            code = grpc.StatusCode.OK
        except ServiceError as error:
            code = error.status
            await _abort(context, error)
        except grpc.aio.AbortError:
            code = grpc.StatusCode.UNKNOWN
            raise
        except Exception as failure:
            known = service_error_of(failure) if isinstance(failure, EventLogError) else None
            if known is None:
                self._logger.exception("a call failed unexpectedly", method=method)
            answer = known or INTERNAL.error()
            code = answer.status
            await _abort(context, answer)
        finally:
            self._metrics.observe(method, code, time.perf_counter() - started_s)

    def _admit(self, method: str, context: Context) -> None:
        caller = self._credentials.verify(context.invocation_metadata() or ())
        # Reflection stands in no allow-list: it serves every service that can prove its name.
        if caller not in self._allow.get(method, {caller}):
            raise CALLER_NOT_ALLOWED.error(facts={"caller": caller, "method": method})
        _caller.set(caller)


def _read(read: Read, raw: bytes) -> Message:
    try:
        return read(raw)
    except DecodeError:
        raise INVALID_ARGUMENT.error() from None


async def _abort(context: Context, error: ServiceError) -> NoReturn:
    await context.abort(error.status, error.text_en, (("grpc-status-details-bin", status_details(error)),))


def status_details(error: ServiceError) -> bytes:
    """A serialised google.rpc.Status: ErrorInfo (code and facts), both texts, and the field if there is one."""
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=error.code, domain=DOMAIN, metadata=error.facts),
        error_details_pb2.LocalizedMessage(locale="pt-BR", message=error.text_pt),
        error_details_pb2.LocalizedMessage(locale="en", message=error.text_en),
    ]
    if error.field is not None:
        violation = error_details_pb2.BadRequest.FieldViolation(field=error.field, description=error.text_en)
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    status = status_pb2.Status(code=error.status.value[0], message=error.text_en)
    for detail in details:
        status.details.add().Pack(detail)
    serialized: bytes = status.SerializeToString()
    return serialized
