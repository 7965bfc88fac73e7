"""Who is not let in, what is not taken, and that nobody else feels it."""

import asyncio
import time

import aiohttp
import pytest

from carteado.gateway.v1 import gateway_pb2 as pb
from carteado.table.v1 import table_service_pb2 as table_pb
from tests.services.gateway.conftest import JSON, PROTOBUF, Client, Gateway, StartGateway
from tests.services.gateway.fakes import Issuer, new_id

both = pytest.mark.parametrize("protocol", [PROTOBUF, JSON])


async def expect_silence(client: Client) -> None:
    """Nothing but a close is waiting for this client."""
    frame = await client.socket.receive(timeout=30)
    assert frame.type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING}


async def counted(gateway: Gateway, code: str) -> None:
    """Returns once the gateway has counted one refusal: the client may know of it first."""
    for _ in range(250):
        if await gateway.refused(code) == 1:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{code} was not counted")


@both
@pytest.mark.parametrize("kind", ["garbage", "expired", "foreign issuer's key", "empty"])
async def test_a_refused_client_receives_nothing_of_the_table(
    gateway: Gateway, protocol: str, kind: str
) -> None:
    """Fault B067."""
    player, table = new_id(), new_id()
    gateway.table.open(table)
    tokens = {
        "garbage": "abc.def.ghi",
        "expired": gateway.issuer.token(player, lives_s=-1),
        "foreign issuer's key": Issuer().token(player),
        "empty": "",
    }
    seated = await gateway.sign_in(player)
    await seated.attach(table)
    await seated.expect("update")
    refused = await gateway.open(protocol)
    await refused.send(hello=pb.Hello(token=tokens[kind]))
    await refused.attach(table)
    await refused.expect_error("SIGN_IN_REQUIRED")
    gateway.table.move(table)
    await expect_silence(refused)
    assert refused.socket.close_code == 4401
    assert (await seated.expect("update")).to_version == 2
    assert len(gateway.table.attaches) == 1


@both
async def test_nothing_comes_before_hello(gateway: Gateway, protocol: str) -> None:
    client = await gateway.open(protocol)
    await client.attach(new_id())
    await client.expect_error("HELLO_EXPECTED")
    await client.expect_close(4401)
    assert gateway.table.attaches == []


async def test_a_socket_without_hello_is_closed_in_time(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(hello_timeout_s=0.1)
    client = await gateway.open()
    await client.expect_error("HELLO_EXPECTED")
    await client.expect_close(4401)


async def test_hello_again_renews_the_socket_in_place(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(expiry_grace_s=0.0)
    player, table = new_id(), new_id()
    gateway.table.open(table)
    client = await gateway.open()
    first = await client.hello(gateway.issuer.token(player, lives_s=2))
    await client.attach(table)
    await client.expect("update")
    second = await client.hello(gateway.issuer.token(player, lives_s=60))
    assert second.token_expires_at.seconds > first.token_expires_at.seconds
    await asyncio.sleep(max(0.0, first.token_expires_at.seconds - time.time()) + 0.1)
    gateway.table.move(table)
    assert (await client.expect("update")).to_version == 2


async def test_a_socket_closes_when_its_token_has_expired(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(expiry_grace_s=0.0)
    client = await gateway.open()
    await client.hello(gateway.issuer.token(new_id(), lives_s=1.5))
    await client.expect_error("SESSION_EXPIRED")
    await client.expect_close(4401)


async def test_another_players_token_does_not_take_over_a_socket(gateway: Gateway) -> None:
    client = await gateway.sign_in()
    await client.send(hello=pb.Hello(token=gateway.issuer.token(new_id())))
    await client.expect_error("OTHER_PLAYER")
    await client.expect_close(4403)


async def test_an_identity_in_the_payload_is_refused(gateway: Gateway) -> None:
    """Fault B124: no message has a field for a player or a seat."""
    player, other, table = new_id(), new_id(), new_id()
    client = await gateway.sign_in(player, JSON)
    forged = {"commandId": new_id(), "tableId": table, "leave": {}, "playerId": other, "seat": 0}
    await client.socket.send_json({"command": forged})
    await client.expect_error("MALFORMED_MESSAGE")
    await client.socket.send_json({"attachTable": {"tableId": table}, "viewer": {"playerId": other}})
    await client.expect_error("MALFORMED_MESSAGE")
    assert gateway.table.commands == []
    assert gateway.table.attaches == []


async def test_unknown_protobuf_fields_do_not_travel_on(gateway: Gateway) -> None:
    """Fault B124, in the form that protobuf would let pass."""
    player = new_id()
    client = await gateway.sign_in(player)
    smuggled = b"\xaa\x06\x05hello"  # Field 101, five bytes.
    command = table_pb.TableCommand(command_id=new_id(), table_id=new_id(), leave=table_pb.Leave())
    inner = command.SerializeToString() + smuggled
    await client.socket.send_bytes(bytes([4 << 3 | 2, len(inner)]) + inner)
    await client.expect("command_result")
    (received,) = gateway.table.commands
    assert smuggled not in received.SerializeToString()
    assert received.actor.player_id == player


ABSURD_JSON = [
    "",
    "null",
    "5",
    '"x"',
    "[]",
    "{}",
    "{",
    "[" * 16_000,
    '{"hello":' * 1_700,
    '{"hello":{},"ping":{}}',
    '{"unknown":{}}',
    '{"attachTable":[1]}',
    '{"attachTable":{"tableId":5}}',
    '{"attachTable":{"tableId":"\\ud800"}}',
    '{"attachTable":{"tableId":"x"}}',
    '{"attachTable":{"tableId":"' + "9" * 15_000 + '"}}',
    '{"attachTable":{"tableId":"00000000-0000-0000-0000-000000000000","lastVersion":-1}}',
    '{"attachTable":{"tableId":"00000000-0000-0000-0000-000000000000","lastVersion":4294967296}}',
    '{"attachTable":{"tableId":"00000000-0000-0000-0000-000000000000","lastVersion":NaN}}',
    '{"attachTable":{"tableId":"00000000-0000-0000-0000-000000000000","lastVersion":1e999}}',
    '{"attachTable":{"lastVersion":' + "9" * 6_000 + "}}",
    '{"command":{"commandId":"x","tableId":"00000000-0000-0000-0000-000000000000","leave":{}}}',
    '{"command":{"commandId":"00000000-0000-0000-0000-000000000000"}}',
    '{"command":{"truco":{"playCard":{"card":{"rank":"RANK_NOPE"}}}}}',
    '{"command":{"truco":{"playCard":{"hand":-1}}}}',
]


async def test_absurd_json_is_answered_at_once_and_others_play_on(gateway: Gateway) -> None:
    """Fault B129."""
    table = new_id()
    gateway.table.open(table)
    other = await gateway.sign_in()
    await other.attach(table)
    await other.expect("update")
    client = await gateway.sign_in(protocol=JSON)
    for number, text in enumerate(ABSURD_JSON):
        started_s = time.perf_counter()
        await client.socket.send_str(text)
        await client.expect_error("MALFORMED_MESSAGE")
        assert time.perf_counter() - started_s < 2.0, text[:40]
        gateway.table.move(table)
        assert (await other.expect("update")).to_version == number + 2
    assert gateway.table.commands == []
    assert await gateway.refused("MALFORMED_MESSAGE") == len(ABSURD_JSON)


async def test_absurd_bytes_are_answered_and_the_socket_lives(gateway: Gateway) -> None:
    """Fault B129."""
    client = await gateway.sign_in()
    absurd = [b"", b"\xff" * 100, b"\x0a\xff\xff\xff\xff\x0f", b"\x00", bytes(16_000), b"\x0b" * 15_000]
    for data in absurd:
        await client.socket.send_bytes(data)
        await client.expect_error("MALFORMED_MESSAGE")
    await client.send(ping=pb.Ping())
    await client.expect("pong")


@both
async def test_a_message_over_the_limit_closes_its_socket_alone(gateway: Gateway, protocol: str) -> None:
    """Fault B129."""
    other = await gateway.sign_in()
    client = await gateway.sign_in(protocol=protocol)
    try:
        if protocol == JSON:
            await client.socket.send_str("x" * 5_000_000)
        else:
            await client.socket.send_bytes(bytes(5_000_000))
    except ConnectionError:
        pass  # The server closes while the client is still sending.
    frame = await client.socket.receive(timeout=30)
    assert frame.type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR}
    await counted(gateway, "MESSAGE_TOO_BIG")
    await other.send(ping=pb.Ping())
    await other.expect("pong")


async def test_a_message_just_over_the_limit_is_closed_with_its_code(gateway: Gateway) -> None:
    client = await gateway.sign_in()
    await client.socket.send_bytes(bytes(16 * 1024 + 1))
    await client.expect_close(1009)


@both
async def test_the_wrong_type_of_frame_closes_the_socket(gateway: Gateway, protocol: str) -> None:
    client = await gateway.sign_in(protocol=protocol)
    if protocol == JSON:
        await client.socket.send_bytes(b"{}")
    else:
        await client.socket.send_str("{}")
    await client.expect_error("WRONG_FRAME_TYPE")
    await client.expect_close(1003)


@pytest.mark.parametrize("flood", ["messages", "pings"])
async def test_a_flood_closes_its_socket_alone(start_gateway: StartGateway, flood: str) -> None:
    gateway = await start_gateway(messages_per_s=1.0, messages_burst=10)
    other = await gateway.sign_in()
    client = await gateway.sign_in(autoping=False)
    for _ in range(10):
        if flood == "pings":
            await client.socket.ping()
        else:
            await client.send(ping=pb.Ping())
    while (frame := await client.socket.receive(timeout=30)).type is not aiohttp.WSMsgType.CLOSE:
        if frame.type is aiohttp.WSMsgType.BINARY:
            last = pb.ServerMessage.FromString(frame.data)
    assert last.error.code == "RATE_LIMITED"
    assert client.socket.close_code == 4429
    await other.send(ping=pb.Ping())
    await other.expect("pong")


async def test_who_has_flooded_is_let_in_again_after_a_pause(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(messages_per_s=1.0, messages_burst=5, flood_pause_s=0.5)
    player = new_id()
    client = await gateway.sign_in(player)
    for _ in range(6):
        await client.send(ping=pb.Ping())
    while (await client.socket.receive(timeout=30)).type is aiohttp.WSMsgType.BINARY:
        pass
    closed_at_s = asyncio.get_running_loop().time()
    again = await gateway.open()
    await again.send(hello=pb.Hello(token=gateway.issuer.token(player)))
    await again.expect_error("RATE_LIMITED")
    await again.expect_close(4429)
    # Others are not concerned, and a refused Hello makes the pause no longer.
    await gateway.sign_in()
    await asyncio.sleep(closed_at_s + 0.5 - asyncio.get_running_loop().time())
    await gateway.sign_in(player)


async def test_a_slow_reader_is_closed_and_the_others_get_everything(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(close_timeout_s=0.2)
    table = new_id()
    gateway.table.open(table)
    quick = await gateway.sign_in()
    slow = await gateway.sign_in()
    for client in (quick, slow):
        await client.attach(table)
        await client.expect("update")
    slow.socket._response.connection.transport.pause_reading()
    moves = 0
    while len(gateway.table.detaches) == 0:
        gateway.table.move(table, padding=60_000)
        moves += 1
        assert (await quick.expect("update")).to_version == moves + 1
        assert moves < 1_000, "the slow socket was never closed"
    assert await gateway.refused("SLOW_READER") == 1
    gateway.table.move(table)
    assert (await quick.expect("update")).to_version == moves + 2


async def test_what_waits_for_all_sockets_is_bounded(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(outboxes_bytes=50_000)
    table = new_id()
    gateway.table.open(table)
    client = await gateway.sign_in()
    await client.attach(table)
    await client.expect("update")
    gateway.table.move(table, padding=40_000)
    assert (await client.expect("update")).to_version == 2
    gateway.table.move(table, padding=60_000)
    await client.expect_error("SLOW_READER")
    await client.expect_close(4430)
    again = await gateway.sign_in()
    await again.attach(table, last_version=3)
    await gateway.table.until(lambda: len(gateway.table.attaches) == 2)
    gateway.table.move(table, padding=40_000)
    assert (await again.expect("update")).to_version == 4


async def test_tables_and_commands_of_one_socket_are_bounded(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(tables_per_socket=2, commands_per_socket=2)
    gateway.table.is_answering = False
    client = await gateway.sign_in()
    tables = [new_id() for _ in range(3)]
    for table in tables:
        gateway.table.open(table)
        await client.attach(table)
    kinds = [(await client.get()).WhichOneof("message") for _ in range(3)]
    assert sorted(kinds) == ["error", "update", "update"]
    assert await gateway.refused("TOO_MANY_TABLES") == 1
    commands = [await client.leave(tables[0]) for _ in range(3)]
    error = await client.expect_error("TOO_MANY_COMMANDS")
    assert error.command_id == commands[2]


async def test_commands_of_all_sockets_are_bounded(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(link_commands=1)
    gateway.table.is_answering = False
    first, second = await gateway.sign_in(), await gateway.sign_in()
    await first.leave(new_id())
    await gateway.table.until(lambda: len(gateway.table.commands) == 1)
    command = await second.leave(new_id())
    assert (await second.expect_error("OVERLOADED")).command_id == command


async def test_sockets_are_bounded(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(sockets=1)
    await gateway.sign_in()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await gateway.open()
    assert refused.value.status == 503
    assert await gateway.refused("SERVER_FULL") == 1


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://[", ""])
async def test_a_foreign_page_can_open_no_socket(gateway: Gateway, origin: str) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await gateway.open(headers={"Origin": origin})
    assert refused.value.status == 403
    assert await gateway.refused("FOREIGN_ORIGIN") == 1


async def test_the_own_page_and_configured_origins_may_open_sockets(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(origins=frozenset({"https://jogos.example"}))
    for origin in (gateway.url, "https://jogos.example"):
        client = await gateway.open(headers={"Origin": origin})
        await client.hello(gateway.issuer.token(new_id()))


async def test_a_client_must_offer_a_subprotocol_that_is_spoken(gateway: Gateway) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await gateway.open("carteado.v9.smoke-signals")
    assert refused.value.status == 400
    async with gateway.http.get("/ws") as response:
        assert response.status == 400
        assert (await response.json())["code"] == "UNSUPPORTED_SUBPROTOCOL"
