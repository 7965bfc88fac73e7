"""Credentials, a log that can be read, and a guarded gRPC server on loopback."""

import io
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import channel
from libs.service.grpc_server import GrpcServer
from libs.service.logging import Log, configure_logging
from libs.service.metrics import GrpcServerMetrics

SERVICE = "/carteado.accounts.v1.AccountsService/"
ALLOW = {
    f"{SERVICE}RegisterGuest": {"gateway"},
    f"{SERVICE}RenewToken": {"gateway", "robots"},
    f"{SERVICE}GetNames": {"gateway"},
}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """A folder with the keys of four services."""
    for service in ("accounts", "gateway", "robots", "table"):
        create_key_pair(service, tmp_path)
    return tmp_path


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """What the service of `service_log` has logged."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def service_log(log_stream: io.StringIO) -> Log:
    """A service's logger as `run` makes it."""
    return configure_logging("accounts", "info", log_stream)


@pytest.fixture
def log_lines(log_stream: io.StringIO) -> Callable[[], list[dict[str, Any]]]:
    """The log so far, line by line."""
    return lambda: [json.loads(line) for line in log_stream.getvalue().splitlines()]


class Servicer(rpc.AccountsServiceServicer):
    """Answers by the functions that a test puts in."""

    def __init__(self) -> None:
        self.get_names: Callable[[Any, Any], Awaitable[Any]] = _no_names

    async def GetNames(self, request: Any, context: Any) -> Any:  # noqa: N802 - the contract names it
        return await self.get_names(request, context)


async def _no_names(_request: Any, _context: Any) -> Any:
    return pb.GetNamesResponse()


@pytest.fixture
def servicer() -> Servicer:
    return Servicer()


Start = Callable[..., Awaitable[tuple[GrpcServer, grpc.aio.Channel]]]


@pytest.fixture
async def start(
    keys: Path, service_log: Log, servicer: Servicer, registry: CollectorRegistry
) -> AsyncIterator[Start]:
    """Starts the service `accounts` on a free port and opens a channel to it."""
    async with AsyncExitStack() as stack:

        async def begin(address: str = "127.0.0.1:0", **options: Any) -> tuple[GrpcServer, grpc.aio.Channel]:
            server = GrpcServer(
                Credentials("accounts", keys), ALLOW, GrpcServerMetrics(registry), service_log, **options
            )
            server.register([lambda add: rpc.add_AccountsServiceServicer_to_server(servicer, add)])
            port = await server.start(address)
            stack.push_async_callback(server.drain, 0)
            opened = await stack.enter_async_context(channel(f"127.0.0.1:{port}"))
            return server, opened

        yield begin


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry(auto_describe=True)


def _free_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def free_address() -> str:
    """An address of this machine where nobody listens."""
    return _free_address()


@pytest.fixture
def other_free_address() -> str:
    """Another one."""
    return _free_address()


@pytest.fixture
def one_more_free_address() -> str:
    """A third one."""
    return _free_address()
