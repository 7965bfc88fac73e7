"""A silent connection is asked, and cut when nobody answers; a closed one leaves nothing behind."""

import asyncio
import gc
import weakref

import aiohttp
from aiohttp import web

from tests.services.gateway.conftest import StartGateway

EVERY_S = 0.2


async def test_a_silent_client_that_answers_pings_stays(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(heartbeat_s=EVERY_S)
    client = await gateway.sign_in(autoping=False)
    for _ in range(3):
        frame = await client.socket.receive(timeout=5)
        assert frame.type is aiohttp.WSMsgType.PING
        await client.socket.pong(frame.data)
    assert not client.socket.closed
    await client.send(ping={})
    await client.expect("pong")


async def test_a_client_that_answers_nothing_is_cut(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(heartbeat_s=EVERY_S)
    began_at_s = asyncio.get_running_loop().time()
    client = await gateway.sign_in(autoping=False)
    assert (await client.socket.receive(timeout=5)).type is aiohttp.WSMsgType.PING
    assert (await client.socket.receive(timeout=5)).type in {
        aiohttp.WSMsgType.CLOSED,
        aiohttp.WSMsgType.ERROR,
    }
    assert asyncio.get_running_loop().time() - began_at_s >= 1.5 * EVERY_S


async def test_a_closed_socket_is_freed_without_the_collector(start_gateway: StartGateway) -> None:
    gateway = await start_gateway()
    freed = asyncio.Event()
    gc.collect()
    gc.disable()
    try:
        client = await gateway.sign_in()
        (served,) = [one for one in gc.get_objects() if isinstance(one, web.WebSocketResponse)]
        weakref.finalize(served, freed.set)
        del served
        await client.socket.close()
        async with asyncio.timeout(5):
            await freed.wait()
    finally:
        gc.enable()
