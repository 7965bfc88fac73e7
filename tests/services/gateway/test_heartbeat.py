"""A silent connection is asked, and cut when nobody answers; a closed one leaves nothing behind."""

import asyncio
import gc
import weakref

import aiohttp
import pytest
from aiohttp import web

from tests.services.gateway.conftest import StartGateway

EVERY_S = 0.2


async def test_a_silent_client_that_answers_pings_stays(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(heartbeat_s=EVERY_S)
    client = await gateway.sign_in(autoping=False)
    for _ in range(3):
        frame = await client.socket.receive(timeout=30)
        assert frame.type is aiohttp.WSMsgType.PING
        await client.socket.pong(frame.data)
    assert not client.socket.closed
    await client.send(ping={})
    await client.expect("pong")


async def test_a_client_that_answers_nothing_is_cut(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(heartbeat_s=EVERY_S)
    began_at_s = asyncio.get_running_loop().time()
    client = await gateway.sign_in(autoping=False)
    assert (await client.socket.receive(timeout=30)).type is aiohttp.WSMsgType.PING
    assert (await client.socket.receive(timeout=30)).type in {
        aiohttp.WSMsgType.CLOSED,
        aiohttp.WSMsgType.ERROR,
    }
    assert asyncio.get_running_loop().time() - began_at_s >= 1.5 * EVERY_S


@pytest.mark.parametrize("end", ["closed", "lost", "cut"])
async def test_a_socket_that_is_over_is_freed_without_the_collector(
    start_gateway: StartGateway, end: str
) -> None:
    gateway = await start_gateway(heartbeat_s=EVERY_S, close_timeout_s=EVERY_S)
    freed = asyncio.Event()
    gc.collect()
    gc.disable()
    try:
        client = await gateway.sign_in()
        (served,) = [one for one in gc.get_objects() if isinstance(one, web.WebSocketResponse)]
        weakref.finalize(served, freed.set)
        del served
        connection = client.socket._response.connection
        assert connection is not None
        assert connection.transport is not None
        if end == "closed":
            await client.socket.close()
        elif end == "lost":
            connection.transport.abort()
        else:
            connection.transport.pause_reading()
        async with asyncio.timeout(30):
            await freed.wait()
    finally:
        gc.enable()
