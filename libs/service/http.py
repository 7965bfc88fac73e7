"""The HTTP port that every service has: `/metrics`, `/healthz`, `/readyz`, and the routes that a service adds.

A service may have `/metrics` at a port of its own instead.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web
from aiohttp.http import HttpProcessingError
from aiohttp.typedefs import Middleware
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from libs.service.config import ConfigError, split_address

MAX_BODY_BYTES = 64 * 1024
IDLE_S = 30.0
"""A connection on which no whole request head has come for so long is closed."""

_BACKLOG = 1024
_SHUTDOWN_S = 0.5


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether aiohttp complains of more than a request that was no HTTP.

    It says so as an error, with a traceback and a piece of what came: whoever sends such requests could fill the log.
    """
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


logging.getLogger("aiohttp.server").addFilter(_is_ours)


class HttpServer:
    """Serves the fixed routes and the service's own; `start`, later `close`."""

    def __init__(
        self,
        registry: CollectorRegistry,
        is_ready: Callable[[], Awaitable[bool]],
        routes: Sequence[web.AbstractRouteDef] = (),
        middlewares: Sequence[Middleware] = (),
        idle_s: float = IDLE_S,
        *,
        has_metrics: bool = True,
    ) -> None:
        """`is_ready` answers `/readyz`; `routes` and `middlewares` are the service's own.

        Without `has_metrics` there is no `/metrics` here.
        """
        self._registry = registry
        self._is_ready = is_ready
        app = web.Application(middlewares=middlewares, client_max_size=MAX_BODY_BYTES)
        app.add_routes(
            [
                *([web.get("/metrics", self._metrics)] if has_metrics else []),
                web.get("/healthz", self._healthz),
                web.get("/readyz", self._readyz),
                *routes,
            ]
        )
        self._runner = web.AppRunner(
            app,
            handle_signals=False,
            access_log=None,
            shutdown_timeout=_SHUTDOWN_S,
            keepalive_timeout=idle_s,
            # Nobody sends us compressed bodies: what says that it is one is read as it came, and is no JSON.
            auto_decompress=False,
        )

    async def start(self, address: str) -> int:
        """Listens at `HOST:PORT` and gives the port; ConfigError if the address can't be had."""
        host, port = split_address(address)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, backlog=_BACKLOG)
        try:
            await site.start()
        except OSError as error:
            raise ConfigError(f"can't listen for HTTP at {address}: {error.strerror}") from None
        bound_port: int = self._runner.addresses[0][1]
        return bound_port

    async def close(self) -> None:
        """Stops listening and ends open connections soon."""
        await self._runner.cleanup()

    async def _metrics(self, request: web.Request) -> web.Response:
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": content_type})

    async def _healthz(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _readyz(self, _request: web.Request) -> web.Response:
        if await self._is_ready():
            return web.Response(text="ready\n")
        return web.Response(text="not ready\n", status=503)
