"""Streams are guarded like calls, need no deadline, and their servicers always come to their end."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from prometheus_client import CollectorRegistry

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import table_service_pb2_grpc as rpc
from libs.service.credentials import Credentials
from libs.service.errors import OVERLOADED
from libs.service.grpc_client import channel, error_code
from libs.service.grpc_server import GrpcServer, current_caller
from libs.service.metrics import GrpcServerMetrics

SERVICE = "/carteado.table.v1.TableService/"
METHODS = pb.DESCRIPTOR.services_by_name["TableService"].methods_by_name
ALLOW = {f"{SERVICE}{name}": {"gateway"} for name in METHODS}


class Servicer(rpc.TableServiceServicer):
    """Echoes tags; says in `ended` that a servicer came to its end."""

    def __init__(self):
        self.ended = asyncio.Event()
        self.error = None

    async def Play(self, request_iterator, context):  # noqa: N802 - the contract names it
        try:
            async for request in request_iterator:
                if self.error is not None:
                    raise self.error
                for item in request.items:
                    caller = pb.SubscriptionEnded(subscription=item.command.tag, code=current_caller())
                    yield pb.PlayResponse(items=[pb.PlayReply(ended=caller)])
        finally:
            self.ended.set()

    async def Watch(self, request, context):  # noqa: N802 - the contract names it
        try:
            await context.write(pb.WatchResponse())
            await asyncio.Event().wait()
        finally:
            self.ended.set()


class Streams:
    def __init__(self, server, stub, servicer, metadata, registry):
        self.server = server
        self.stub = stub
        self.servicer = servicer
        self.metadata = metadata
        self._registry = registry

    async def until_counted(self, method, code):
        """Waits until one call is counted: its caller may hear of its end a moment before."""
        labels = {"method": f"{SERVICE}{method}", "code": code}
        for _ in range(2_000):
            if self._registry.get_sample_value("carteado_grpc_requests_total", labels) is not None:
                break
            await asyncio.sleep(0.005)
        assert self._registry.get_sample_value("carteado_grpc_requests_total", labels) == 1


@pytest.fixture
async def streams(keys, service_log) -> AsyncIterator[Streams]:
    registry, servicer = CollectorRegistry(), Servicer()
    server = GrpcServer(Credentials("table", keys), ALLOW, GrpcServerMetrics(registry), service_log)
    server.register([lambda add: rpc.add_TableServiceServicer_to_server(servicer, add)])
    port = await server.start("127.0.0.1:0")
    metadata = Credentials("gateway", keys).metadata("table")
    async with channel(f"127.0.0.1:{port}") as opened:
        yield Streams(server, rpc.TableServiceStub(opened), servicer, metadata, registry)
    await server.drain(0)


def command(tag):
    return pb.PlayRequest(items=[pb.PlayItem(command=pb.PlayCommand(tag=tag))])


async def ended(event):
    async with asyncio.timeout(30):
        await event.wait()


async def test_a_stream_knows_its_caller_and_needs_no_deadline(streams):
    call = streams.stub.Play(metadata=streams.metadata)
    for tag in range(3):
        await call.write(command(tag))
        reply = (await call.read()).items[0].ended
        assert (reply.subscription, reply.code) == (tag, "gateway")
    await call.done_writing()
    assert await call.read() is grpc.aio.EOF
    await ended(streams.servicer.ended)
    assert await call.code() is grpc.StatusCode.OK
    await streams.until_counted("Play", "OK")


@pytest.mark.parametrize("method", ["Play", "Watch"])
async def test_a_stream_without_a_credential_is_refused(streams, method):
    call = streams.stub.Play() if method == "Play" else streams.stub.Watch(pb.WatchRequest())
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call.read()
    assert error_code(failed.value) == "UNAUTHENTICATED"
    await streams.until_counted(method, "UNAUTHENTICATED")


async def test_an_error_ends_a_stream_with_its_code(streams):
    streams.servicer.error = OVERLOADED.error()
    call = streams.stub.Play(metadata=streams.metadata)
    await call.write(command(1))
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call.read()
    assert error_code(failed.value) == "OVERLOADED"


async def test_an_unexpected_error_ends_a_stream_without_details(streams, log_lines):
    streams.servicer.error = KeyError("the ace of spades")
    call = streams.stub.Play(metadata=streams.metadata)
    await call.write(command(1))
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call.read()
    assert error_code(failed.value) == "INTERNAL"
    assert "spades" not in failed.value.details()
    assert any("spades" in line.get("exception", "") for line in log_lines())


@pytest.mark.parametrize("method", ["Play", "Watch"])
async def test_a_servicer_ends_when_its_caller_goes(streams, method):
    if method == "Play":
        call = streams.stub.Play(metadata=streams.metadata)
        await call.write(command(1))
    else:
        call = streams.stub.Watch(pb.WatchRequest(), metadata=streams.metadata)
    await call.read()
    call.cancel()
    await ended(streams.servicer.ended)


@pytest.mark.parametrize("method", ["Play", "Watch"])
async def test_a_servicer_ends_when_the_server_drains(streams, method):
    if method == "Play":
        call = streams.stub.Play(metadata=streams.metadata)
        await call.write(command(1))
    else:
        call = streams.stub.Watch(pb.WatchRequest(), metadata=streams.metadata)
    await call.read()
    async with asyncio.timeout(30):
        await streams.server.drain(0.1)
    await ended(streams.servicer.ended)
