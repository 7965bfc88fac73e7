"""A table replica that dies, hangs or goes silent costs a pause and nothing else."""

import asyncio

import pytest

from tests.services.gateway.conftest import JSON, PROTOBUF, Client, Gateway, StartGateway
from tests.services.gateway.fakes import new_id

both = pytest.mark.parametrize("protocol", [PROTOBUF, JSON])


async def follow(gateway: Gateway, table: str, protocol: str = PROTOBUF) -> Client:
    client = await gateway.sign_in(protocol=protocol)
    await client.attach(table)
    await client.expect("update")
    return client


@both
async def test_a_broken_stream_is_resumed_and_updates_stay_contiguous(
    gateway: Gateway, protocol: str
) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await follow(gateway, table, protocol)
    gateway.table.move(table)
    assert (await client.expect("update")).to_version == 2
    gateway.table.sever()
    await gateway.table.until(lambda: gateway.table.stream_count == 0)
    for _ in range(3):
        gateway.table.move(table)
    seen = [await client.expect("update") for _ in range(3)]
    assert [(update.from_version, update.to_version) for update in seen] == [(2, 3), (3, 4), (4, 5)]
    assert gateway.table.attaches[-1].last_version == 2


async def test_a_replica_that_is_down_for_a_while_is_found_again(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await follow(gateway, table)
    await gateway.table.stop()
    command = await client.leave(table)
    await gateway.table.start()
    gateway.table.move(table)
    received = {(await client.get()).WhichOneof("message") for _ in range(2)}
    assert received == {"update", "command_result"}
    assert [item.command.command_id for item in gateway.table.commands] == [command]


async def test_an_unanswered_command_is_sent_again_under_its_own_id(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await follow(gateway, table)
    gateway.table.is_answering = False
    command = await client.leave(table)
    await gateway.table.until(lambda: len(gateway.table.commands) == 1)
    gateway.table.is_answering = True
    gateway.table.sever()
    result = await client.expect("command_result")
    assert result.command_id == command
    first, second = gateway.table.commands
    assert first.command == second.command
    assert first.actor == second.actor


async def test_a_command_without_an_answer_is_told_so_and_may_be_sent_again(
    start_gateway: StartGateway,
) -> None:
    gateway = await start_gateway(command_timeout_s=1.0)
    gateway.table.is_answering = False
    client = await gateway.sign_in()
    table = new_id()
    command = await client.leave(table)
    error = await client.expect_error("UNAVAILABLE")
    assert error.command_id == command
    gateway.table.is_answering = True
    await gateway.table.until(lambda: gateway.table.stream_count == 1)
    await client.leave(table, command)
    assert (await client.expect("command_result")).command_id == command


async def test_a_silent_stream_is_dropped_and_opened_anew(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(command_timeout_s=0.2)
    table = new_id()
    gateway.table.open(table)
    client = await follow(gateway, table)
    gateway.table.is_silent = True
    await client.leave(table)
    await client.expect_error("UNAVAILABLE")
    gateway.table.is_silent = False
    await gateway.table.until(lambda: len(gateway.table.attaches) == 2)
    gateway.table.move(table)
    assert (await client.expect("update")).to_version == 2


async def test_a_replica_that_falls_silent_loses_its_tables_to_another_though_nobody_acts(
    start_gateway: StartGateway,
) -> None:
    gateway = await start_gateway(replicas=2, link_silence_s=0.8)
    table = new_id()
    for replica in gateway.tables:
        replica.open(table)
    client = await follow(gateway, table)
    (silent,) = [replica for replica in gateway.tables if replica.attaches]
    (other,) = [replica for replica in gateway.tables if replica is not silent]
    silent.is_silent = True
    await other.until(lambda: len(other.attaches) == 1)
    other.move(table)
    assert (await client.expect("update")).to_version == 2


async def test_another_replica_takes_over_the_tables_of_a_lost_one(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(replicas=2)
    table = new_id()
    for replica in gateway.tables:
        replica.open(table)
    client = await follow(gateway, table)
    (lost,) = [replica for replica in gateway.tables if replica.attaches]
    (other,) = [replica for replica in gateway.tables if replica is not lost]
    lost.is_answering = False
    command = await client.leave(table)
    await lost.until(lambda: len(lost.commands) == 1)
    await lost.stop()
    assert (await client.expect("command_result")).command_id == command
    other.move(table)
    assert (await client.expect("update")).to_version == 2
    assert other.attaches[0].last_version == 1


async def test_what_no_replica_could_take_goes_to_the_first_that_comes_up(
    start_gateway: StartGateway,
) -> None:
    gateway = await start_gateway(replicas=2)
    table = new_id()
    for replica in gateway.tables:
        replica.open(table)
    client = await follow(gateway, table)
    (preferred,) = [replica for replica in gateway.tables if replica.attaches]
    (other,) = [replica for replica in gateway.tables if replica is not preferred]
    await other.stop()
    await preferred.stop()
    await other.start()
    await other.until(lambda: len(other.attaches) == 1)
    other.move(table)
    assert (await client.expect("update")).to_version == 2


async def test_many_subscriptions_are_resumed_in_batches(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(link_batch_items=3)
    tables = [new_id() for _ in range(8)]
    clients = []
    for table in tables:
        gateway.table.open(table)
        clients.append(await follow(gateway, table))
    gateway.table.sever()
    await gateway.table.until(lambda: len(gateway.table.attaches) == 16)
    for table, client in zip(tables, clients, strict=True):
        gateway.table.move(table)
        assert (await client.expect("update")).to_version == 2


async def test_readiness_follows_the_replicas(gateway: Gateway) -> None:
    await until_ready(gateway, True)
    await gateway.table.stop()
    await until_ready(gateway, False)
    await gateway.table.start()
    await until_ready(gateway, True)


async def until_ready(gateway: Gateway, expected: bool) -> None:
    for _ in range(250):
        async with gateway.http.get("/readyz") as response:
            if (response.status == 200) is expected:
                return
        await asyncio.sleep(0.02)
    raise AssertionError(f"/readyz did not become {expected}")


async def test_a_subscription_ended_by_the_replica_is_told_and_may_be_begun_again(gateway: Gateway) -> None:
    table = new_id()
    gateway.table.open(table)
    client = await follow(gateway, table)
    gateway.table.end_subscriptions("SLOW_CONSUMER")
    assert (await client.expect("table_detached")).code == "SLOW_CONSUMER"
    await client.attach(table, last_version=1)
    await gateway.table.until(lambda: len(gateway.table.attaches) == 2)
    gateway.table.move(table)
    assert (await client.expect("update")).to_version == 2
