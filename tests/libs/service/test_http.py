"""The HTTP port tells metrics, life and readiness, and serves what the service adds."""

import asyncio

import aiohttp
import pytest
from aiohttp import web

from libs.service.config import ConfigError
from libs.service.http import HttpServer
from libs.service.metrics import new_registry


@pytest.fixture
async def serve():
    servers = []

    async def begin(is_ready, routes=()):
        server = HttpServer(new_registry("accounts"), is_ready, routes)
        servers.append(server)
        return f"http://127.0.0.1:{await server.start('127.0.0.1:0')}"

    yield begin
    for server in servers:
        await server.close()


async def get(url):
    timeout = aiohttp.ClientTimeout(total=5)
    async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as response:
        return response.status, await response.text()


async def test_readiness_follows_the_service(serve):
    ready = False

    async def is_ready():
        return ready

    base = await serve(is_ready)
    assert (await get(f"{base}/healthz"))[0] == 200
    assert (await get(f"{base}/readyz"))[0] == 503
    ready = True
    assert (await get(f"{base}/readyz"))[0] == 200


async def always():
    return True


async def test_metrics_tell_the_build_and_the_process(serve):
    base = await serve(always)
    status, text = await get(f"{base}/metrics")
    assert status == 200
    assert 'carteado_build_info{service="accounts",version="' in text
    assert "process_cpu_seconds_total" in text


async def test_a_service_adds_routes(serve):
    async def jwks(_request):
        return web.json_response({"keys": []})

    base = await serve(always, [web.get("/.well-known/jwks.json", jwks)])
    assert await get(f"{base}/.well-known/jwks.json") == (200, '{"keys": []}')
    assert (await get(f"{base}/other"))[0] == 404


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nAcc"])
async def test_a_connection_that_asks_nothing_is_closed(sent):
    server = HttpServer(new_registry("accounts"), always, idle_s=0.2)
    port = await server.start("127.0.0.1:0")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    assert await asyncio.wait_for(reader.read(), 30) == b""
    writer.close()
    await server.close()


async def test_a_taken_port_is_a_configuration_error():
    taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    address = f"127.0.0.1:{taken.sockets[0].getsockname()[1]}"
    server = HttpServer(new_registry("accounts"), always)
    with pytest.raises(ConfigError, match=f"can't listen for HTTP at {address}"):
        await server.start(address)
    await server.close()
    taken.close()
    await taken.wait_closed()


@pytest.mark.parametrize("head", ["GET / HTTP/9", "GET / HTTP/1.1\r\nX: a\0b"])
async def test_a_request_that_is_no_http_is_refused_and_fills_no_log(serve, caplog, head):
    base = await serve(always)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
    writer.write(f"{head}\r\nHost: x\r\n\r\n".encode())
    assert b" 400 " in await asyncio.wait_for(reader.readline(), 30)
    writer.close()
    await writer.wait_closed()
    assert caplog.records == []


async def test_a_handler_that_fails_is_logged(serve, caplog):
    async def fail(_request):
        raise KeyError("a bug")

    base = await serve(always, [web.get("/fail", fail)])
    assert (await get(f"{base}/fail"))[0] == 500
    assert [record.name for record in caplog.records] == ["aiohttp.server"]
