"""What a client gets over the WebSocket, in both subprotocols."""

import asyncio

import pytest

from carteado.gateway.v1 import gateway_pb2 as pb
from carteado.table.v1 import table_service_pb2 as table_pb
from tests.services.gateway.conftest import JSON, PROTOBUF, Gateway, StartGateway
from tests.services.gateway.fakes import new_id

both = pytest.mark.parametrize("protocol", [PROTOBUF, JSON])


@both
async def test_a_client_is_welcomed_and_gets_the_table_from_its_own_seat(
    gateway: Gateway, protocol: str
) -> None:
    player, table = new_id(), new_id()
    gateway.table.open(table)
    client = await gateway.open(protocol)
    welcome = await client.hello(gateway.issuer.token(player))
    assert welcome.player_id == player
    assert welcome.token_expires_at.seconds > welcome.server_time.seconds
    await client.attach(table)
    update = await client.expect("update")
    assert (update.table_id, update.from_version, update.to_version) == (table, 0, 1)
    assert update.view.seats[0].player_id == player


@both
async def test_updates_follow_each_other_without_a_gap(gateway: Gateway, protocol: str) -> None:
    table = new_id()
    gateway.table.open(table, versions=3)
    client = await gateway.sign_in(protocol=protocol)
    await client.attach(table, last_version=1)
    seen = [await client.expect("update") for _ in range(2)]
    gateway.table.move(table)
    seen.append(await client.expect("update"))
    assert [(update.from_version, update.to_version) for update in seen] == [(1, 2), (2, 3), (3, 4)]


async def test_what_is_sent_once_for_several_sockets_reaches_each_in_its_own_form(gateway: Gateway) -> None:
    player, table = new_id(), new_id()
    gateway.table.open(table)
    clients = [await gateway.sign_in(player, protocol) for protocol in (PROTOBUF, JSON, PROTOBUF, JSON)]
    for client in clients:
        await client.attach(table)
        await client.expect("update")
    for version in (2, 3):
        gateway.table.move(table)
        updates = [await client.expect("update") for client in clients]
        assert {update.to_version for update in updates} == {version}
        assert all(update == updates[0] for update in updates)


@both
async def test_an_update_arrives_as_the_table_service_wrote_it(gateway: Gateway, protocol: str) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await gateway.sign_in(protocol=protocol)
    await client.attach(table)
    await client.expect("update")
    for padding in (0, 1, 100, 127, 128, 20_000):  # Lengths of one, two and three bytes on the wire.
        gateway.table.move(table, padding)
        update = await client.expect("update")
        assert len(update.view.commitment) == padding


@both
async def test_a_command_gets_its_outcome_and_acts_for_the_tokens_player_alone(
    gateway: Gateway, protocol: str
) -> None:
    player, table = new_id(), new_id()
    client = await gateway.sign_in(player, protocol)
    command_id = await client.leave(table)
    result = await client.expect("command_result")
    assert result.command_id == command_id
    assert result.outcome.accepted.version == 1
    (received,) = gateway.table.commands
    assert received.actor.player_id == player
    assert received.command.command_id == command_id


@both
async def test_a_move_is_checked_for_the_tokens_player_and_not_made(gateway: Gateway, protocol: str) -> None:
    player = new_id()
    client = await gateway.sign_in(player, protocol)
    command = table_pb.TableCommand(command_id=new_id(), table_id=new_id(), leave=table_pb.Leave())
    await client.send(check_move=command)
    checked = await client.expect("move_checked")
    assert (checked.command_id, checked.outcome.accepted.version) == (command.command_id, 41)
    (asked,) = gateway.table.checks
    assert (asked.actor.player_id, asked.command) == (player, command)
    assert gateway.table.commands == []


@both
async def test_all_that_a_client_may_have_missed_fits(gateway: Gateway, protocol: str) -> None:
    table = new_id()
    gateway.table.open(table)
    for _ in range(400):
        gateway.table.move(table, padding=3_000)
    client = await gateway.sign_in(protocol=protocol)
    await client.attach(table, last_version=1)
    seen = [(await client.expect("update")).to_version for _ in range(400)]
    assert seen == list(range(2, 402))


async def test_json_names_fields_in_camel_case_and_writes_defaults(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await gateway.sign_in(protocol=JSON)
    await client.attach(table)
    message = await client.socket.receive_json(timeout=30)
    assert message["update"]["tableId"] == table
    assert message["update"]["fromVersion"] == 0
    assert message["update"]["events"] == []
    assert message["update"]["isResync"] is False


@both
async def test_a_ping_tells_the_time(gateway: Gateway, protocol: str) -> None:
    client = await gateway.sign_in(protocol=protocol)
    await client.send(ping=pb.Ping())
    pong = await client.expect("pong")
    assert pong.server_time.seconds > 0


async def test_a_table_that_does_not_exist_is_detached_with_its_code(gateway: Gateway) -> None:
    table = new_id()
    client = await gateway.sign_in()
    await client.attach(table)
    detached = await client.expect("table_detached")
    assert (detached.table_id, detached.code) == (table, "TABLE_NOT_FOUND")
    gateway.table.open(table)
    await client.attach(table)
    assert (await client.expect("update")).to_version == 1


async def test_a_detached_table_sends_no_more(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await gateway.sign_in()
    await client.attach(table)
    await client.expect("update")
    await client.send(detach_table=pb.DetachTable(table_id=table))
    await gateway.table.until(lambda: len(gateway.table.detaches) == 1)
    gateway.table.move(table)
    await client.send(ping=pb.Ping())
    await client.expect("pong")


async def test_attached_again_a_table_is_followed_once(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table, versions=2)
    client = await gateway.sign_in()
    await client.attach(table, last_version=1)
    assert (await client.expect("update")).to_version == 2
    await client.attach(table, last_version=2)
    await gateway.table.until(lambda: len(gateway.table.attaches) == 2)
    gateway.table.move(table)
    assert (await client.expect("update")).to_version == 3
    await client.send(ping=pb.Ping())
    await client.expect("pong")


async def test_two_sockets_of_one_player_both_follow_the_table(gateway: Gateway) -> None:
    player, table = new_id(), new_id()
    gateway.table.open(table)
    clients = [await gateway.sign_in(player, protocol) for protocol in (PROTOBUF, JSON)]
    for client in clients:
        await client.attach(table)
        await client.expect("update")
    gateway.table.move(table)
    for client in clients:
        assert (await client.expect("update")).to_version == 2


async def test_of_too_many_sockets_of_one_player_the_oldest_goes(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(sockets_per_player=2)
    player = new_id()
    other = await gateway.sign_in()
    clients = [await gateway.sign_in(player) for _ in range(3)]
    await clients[0].expect_error("TOO_MANY_SOCKETS")
    await clients[0].expect_close(4431)
    # One that has gone by itself makes room.
    await clients[1].socket.close()
    clients.append(await gateway.sign_in(player))
    for client in (other, *clients[2:]):
        await client.send(ping=pb.Ping())
        await client.expect("pong")


async def test_a_socket_that_goes_leaves_no_subscription_behind(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await gateway.sign_in()
    await client.attach(table)
    await client.expect("update")
    await client.socket.close()
    await gateway.table.until(lambda: len(gateway.table.detaches) == 1)


async def test_on_shutdown_every_client_is_told_to_connect_again(gateway: Gateway) -> None:
    clients = [await gateway.sign_in(protocol=protocol) for protocol in (PROTOBUF, JSON)]
    draining = asyncio.create_task(gateway.parts.drain())
    for client in clients:
        await client.expect_error("SERVER_RESTARTING")
        await client.expect_close(1012)
    await draining
    async with gateway.http.get("/ws") as response:
        assert response.status == 503
        assert (await response.json())["code"] == "SERVER_RESTARTING"


async def test_open_sockets_are_counted(start_gateway: StartGateway) -> None:
    gateway = await start_gateway()
    client = await gateway.sign_in()
    async with gateway.http.get("/metrics") as response:
        assert "carteado_gateway_sockets_open 1.0" in await response.text()
    await client.socket.close()
    await gateway.parts.drain()
    async with gateway.http.get("/metrics") as response:
        assert "carteado_gateway_sockets_open 0.0" in await response.text()
