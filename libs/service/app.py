"""The `main()` of every service: configuration, logging, start in order, signals, drain, exit code.

    run("table", build)

`build` makes the service's parts from a `Context`; everything is checked before a port opens. Exit codes: 0 stopped on
request, 64 wrong configuration, 69 Postgres or NATS can't be reached, 70 a bug (the log has the traceback), 78 the
database is newer than the code.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import sys
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any

import msgspec
import nats.errors
import psycopg
import uvloop
from aiohttp import web
from aiohttp.typedefs import Middleware
from prometheus_client import CollectorRegistry

from libs.eventlog.background import watch_background
from libs.eventlog.errors import DatabaseNewerThanCodeError, LogUnavailableError
from libs.service import garbage
from libs.service.config import ConfigError, ServiceConfig, load_config
from libs.service.credentials import Credentials
from libs.service.database import DatabaseUnavailableError
from libs.service.grpc_server import GrpcServer, Registrar
from libs.service.http import HttpServer
from libs.service.logging import Log, configure_logging
from libs.service.metrics import GrpcServerMetrics, new_registry
from libs.service.nats import NatsUnavailableError

EXIT_CONFIG = 64
EXIT_UNAVAILABLE = 69
EXIT_BUG = 70
EXIT_DATABASE_NEWER = 78

OPEN_FILES = 65_536
"""Files and sockets that a service may have open, where the machine allows as many."""

DRAIN_S = 5.0
"""From SIGTERM to the end of the process."""
_PARTS_DRAIN_S = 1.25
_GRPC_GRACE_S = 1.25
_TASKS_S = 0.75
_CLOSE_S = 0.75
_HTTP_S = 0.75
_READY_S = 2.0


class BackgroundTaskError(Exception):
    """A background task failed while the service ran; its cause is the error. The process exits with 70."""


class Context(msgspec.Struct, frozen=True):
    """What a service gets to build its parts from."""

    config: ServiceConfig
    credentials: Credentials
    log: Log
    registry: CollectorRegistry


Step = Callable[[], Coroutine[Any, Any, None]]


async def _nothing() -> None:
    """The default of a step that a service does not need."""


async def _always() -> bool:
    """The default of a service that is ready once it is built."""
    return True


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a service consists of.

    - `grpc` adds servicers to the server, `allow` names each method's callers; both empty: no gRPC. `waiting_calls` is how
      many calls the servicers let wait for something, at most: beside all others.
    - `routes` and `middlewares` are served beside the fixed HTTP routes.
    - `background` runs until the process stops; one that fails ends the process. So does a task that the log runs
      (`run_in_background`: the appender, relay, deadlines, liveness, clock), which needs no place in this list.
    - `ready` answers `/readyz` while the service is not draining.
    - `drain` comes first on SIGTERM: what ends long-lived streams and tells clients to move on.
    - `close` comes last: connections and pools.
    """

    grpc: Sequence[Registrar] = ()
    allow: Mapping[str, Collection[str]] = {}
    waiting_calls: int = 0
    routes: Sequence[web.AbstractRouteDef] = ()
    middlewares: Sequence[Middleware] = ()
    background: Sequence[Coroutine[Any, Any, None]] = ()
    ready: Callable[[], Awaitable[bool]] = _always
    drain: Step = _nothing
    close: Step = _nothing


Build = Callable[[Context], Awaitable[Parts]]


def run(name: str, build: Build) -> None:
    """Runs the service until SIGTERM or SIGINT, then exits the process."""
    try:
        config = load_config(name)
        credentials = Credentials(name, config.keys)
    except ConfigError as error:
        _say(name, error)
        sys.exit(EXIT_CONFIG)
    log = configure_logging(name, config.log_level)
    _allow_open_files()
    context = Context(config, credentials, log, new_registry(name))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        code = runner.run(serve(context, build))
    sys.exit(code)


def _allow_open_files() -> None:
    """Takes what the machine allows: many systems begin with 1024 files, fewer than a gateway has sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def serve(context: Context, build: Build) -> int:
    """Builds, serves until a signal comes or a background task fails, drains; gives the exit code."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        await _serve(context, build, stop)
    except ConfigError as error:
        _say(context.config.name, error)
        return EXIT_CONFIG
    except (DatabaseUnavailableError, LogUnavailableError, NatsUnavailableError) as error:
        _say(context.config.name, error)
        return EXIT_UNAVAILABLE
    except (psycopg.OperationalError, nats.errors.Error) as error:
        # Lost in the middle of the start, such as by a restart of Postgres during a migration.
        server = "Postgres" if isinstance(error, psycopg.Error) else "NATS"
        told = str(error).partition("\n")[0]
        _say(context.config.name, f"{server} failed while the service started: {told}")
        return EXIT_UNAVAILABLE
    except DatabaseNewerThanCodeError as error:
        _say(context.config.name, error)
        return EXIT_DATABASE_NEWER
    except Exception:
        context.log.exception("the service failed")
        return EXIT_BUG
    return 0


async def _serve(context: Context, build: Build, stop: asyncio.Event) -> None:
    stopping = asyncio.create_task(stop.wait(), name="stop")
    failing: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def failed(name: str, error: BaseException) -> None:
        if not failing.done():
            problem = BackgroundTaskError(f"{name} failed")
            problem.__cause__ = error
            failing.set_exception(problem)
            failing.exception()  # while the parts are being built nobody waits for it yet

    watch_background(failed)
    try:
        parts = await _build(context, build, stopping)
        if parts is None:
            return
        service = _Service(context, parts)
        try:
            await service.start()
            await service.until(stopping, failing)
        finally:
            await service.drain()
    finally:
        stopping.cancel()


async def _build(context: Context, build: Build, stopping: asyncio.Task[Any]) -> Parts | None:
    """The parts, or None if the service was told to stop while it was still being built."""
    building = asyncio.ensure_future(build(context))
    await asyncio.wait({building, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if building.done():
        return building.result()
    building.cancel()
    await asyncio.wait({building}, timeout=_CLOSE_S)
    return None


def _grpc_server(context: Context, parts: Parts) -> GrpcServer:
    return GrpcServer(
        context.credentials,
        parts.allow,
        GrpcServerMetrics(context.registry),
        context.log,
        is_reflection_open=context.config.is_development,
        waiting_calls=parts.waiting_calls,
    )


class _Service:
    """A built service: starts its parts in order, and ends them in the reverse."""

    def __init__(self, context: Context, parts: Parts) -> None:
        self._logger = context.log
        self._config = context.config
        self._parts = parts
        self._is_serving = False
        self._tasks: list[asyncio.Task[None]] = []
        has_own_metrics = context.config.metrics_address is not None
        self._http = HttpServer(
            context.registry,
            self._is_ready,
            parts.routes,
            parts.middlewares,
            has_metrics=not has_own_metrics,
        )
        self._metrics = HttpServer(context.registry, self._is_ready) if has_own_metrics else None
        # A server that is made and never started complains when the interpreter ends.
        self._grpc = _grpc_server(context, parts) if parts.grpc else None

    async def start(self) -> None:
        """Checks what can be checked, opens the ports, starts the background tasks."""
        parts = self._parts
        if self._grpc is not None:
            self._grpc.register(parts.grpc)
            port = await self._grpc.start(self._config.require_grpc_address())
            self._logger.info("serving gRPC", port=port)
        self._tasks.extend(asyncio.create_task(background) for background in parts.background)
        if self._metrics is not None and self._config.metrics_address is not None:
            port = await self._metrics.start(self._config.metrics_address)
            self._logger.info("serving metrics", port=port)
        port = await self._http.start(self._config.http_address)
        self._is_serving = True
        garbage.settle()
        self._tasks.append(asyncio.create_task(garbage.collect_at_times()))
        self._logger.info("serving HTTP", port=port)

    async def until(self, stopping: asyncio.Task[Any], failing: asyncio.Future[Any]) -> None:
        """Returns when the service is told to stop; raises what a background task fails with."""
        pending: set[asyncio.Future[Any]] = {stopping, failing, *self._tasks}
        while not stopping.done():
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            if failing.done():
                await failing
            for task in self._tasks:
                if task in done and (task.cancelled() or task.exception() is not None):
                    cause = None if task.cancelled() else task.exception()
                    raise BackgroundTaskError(f"a background task failed: {task.get_coro()!r}") from cause
        self._logger.info("draining")

    async def drain(self) -> None:
        """Ends everything; the bounds of the steps add up to DRAIN_S."""
        self._is_serving = False
        await self._step("drain", self._parts.drain(), _PARTS_DRAIN_S)
        if self._grpc is not None:
            await self._step("stop gRPC", self._grpc.drain(_GRPC_GRACE_S), _GRPC_GRACE_S + 0.25)
        await self._step("end background tasks", self._end_tasks(), _TASKS_S)
        await self._step("close", self._parts.close(), _CLOSE_S)
        await self._step("stop HTTP", self._close_http(), _HTTP_S)

    async def _close_http(self) -> None:
        await asyncio.gather(
            *(server.close() for server in (self._http, self._metrics) if server is not None)
        )

    async def _end_tasks(self) -> None:
        for coroutine in self._parts.background[len(self._tasks) :]:
            coroutine.close()
        for task in self._tasks:
            task.cancel()
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, Exception):
                self._logger.warning("a background task failed", error=repr(result))

    async def _step(self, what: str, step: Coroutine[Any, Any, None], bound_s: float) -> None:
        """One step of the drain. It may fail or be cut: the next ones must run all the same."""
        try:
            async with asyncio.timeout(bound_s):
                await step
        except Exception:
            self._logger.exception("a step of the drain failed or took too long", step=what, bound_s=bound_s)

    async def _is_ready(self) -> bool:
        if not self._is_serving:
            return False
        try:
            async with asyncio.timeout(_READY_S):
                return await self._parts.ready()
        except TimeoutError:
            return False


def _say(name: str, problem: Exception | str) -> None:
    """One line for the person who started the service."""
    sys.stderr.write(f"{name}: {problem}\n")
