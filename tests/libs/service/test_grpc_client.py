"""Callers find the same replica for a key, and try again only where that is safe and bounded."""

import asyncio

import grpc
import pytest

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.eventlog.streams import partition_of
from libs.service.credentials import Credentials
from libs.service.errors import OVERLOADED, UNAVAILABLE, ServiceError
from libs.service.grpc_client import Channels, channel

ADDRESSES = tuple(f"127.0.0.1:{port}" for port in (7001, 7002, 7003, 7004))


@pytest.fixture
def credentials(keys):
    return Credentials("gateway", keys)


def test_a_partition_has_one_preferred_replica_and_partitions_are_spread(credentials):
    channels = Channels({"table": ADDRESSES}, credentials)
    again = Channels({"table": tuple(reversed(ADDRESSES))}, credentials)
    keys = [f"table-{number}" for number in range(400)]
    preferred = {}
    for key in keys:
        assert channels.ranked("table", key) == again.ranked("table", key)
        preferred.setdefault(partition_of(key), set()).add(channels.ranked("table", key)[0])
    assert all(len(addresses) == 1 for addresses in preferred.values())
    assert set.union(*preferred.values()) == set(ADDRESSES)


def test_a_lost_replica_moves_its_own_keys_only(credentials):
    before = Channels({"table": ADDRESSES}, credentials)
    after = Channels({"table": ADDRESSES[1:]}, credentials)
    for number in range(200):
        ranked = before.ranked("table", str(number))
        expected = tuple(address for address in ranked if address != ADDRESSES[0])
        assert after.ranked("table", str(number)) == expected


async def test_one_channel_per_replica(credentials):
    channels = Channels({"table": ADDRESSES}, credentials)
    assert channels.channel(ADDRESSES[0]) is channels.channel(ADDRESSES[0])
    assert channels.channel(ADDRESSES[0]) is not channels.channel(ADDRESSES[1])
    await channels.close()


def test_a_service_without_an_address_is_a_lookup_error(credentials):
    with pytest.raises(LookupError, match="league"):
        Channels({}, credentials).ranked("league", "x")


def get_names(opened):
    return rpc.AccountsServiceStub(opened).GetNames


@pytest.fixture
async def call(credentials):
    """Calls GetNames of a service with these addresses."""
    opened = []

    async def one(*addresses, timeout_s=5.0):
        channels = Channels({"accounts": addresses}, credentials)
        opened.append(channels)
        return await channels.call("accounts", "key", get_names, pb.GetNamesRequest(), timeout_s)

    yield one
    for channels in opened:
        await channels.close()


async def test_unavailable_is_tried_again(start, servicer, call, free_address):
    answers = iter([UNAVAILABLE, UNAVAILABLE, None])

    async def answer(_request, _context):
        if (code := next(answers)) is not None:
            raise code.error()
        return pb.GetNamesResponse(names=[pb.PlayerName(name="third")])

    servicer.get_names = answer
    await start(address=free_address)
    assert (await call(free_address)).names[0].name == "third"


@pytest.mark.parametrize(("code", "calls"), [(UNAVAILABLE, 4), (OVERLOADED, 1)])
async def test_attempts_are_bounded_and_other_errors_are_final(
    start, servicer, call, free_address, code, calls
):
    seen = []

    async def answer(request, _context):
        seen.append(request)
        raise code.error()

    servicer.get_names = answer
    await start(address=free_address)
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call(free_address)
    assert failed.value.code() is code.status
    assert len(seen) == calls


async def test_all_attempts_together_keep_the_deadline_and_nobody_there_is_unavailable(call, free_address):
    async with asyncio.timeout(30):
        with pytest.raises(ServiceError) as failed:
            await call(free_address, timeout_s=0.2)
    assert failed.value.code == "UNAVAILABLE"


async def test_an_only_replica_that_is_still_starting_is_waited_for(start, call, free_address):
    calling = asyncio.create_task(call(free_address))
    await asyncio.sleep(0.3)
    await start(address=free_address)
    assert await calling == pb.GetNamesResponse()


@pytest.mark.parametrize("order", [1, -1])
async def test_a_lost_replica_is_passed_over_at_once(start, call, free_address, other_free_address, order):
    await start(address=free_address)
    async with asyncio.timeout(30):
        assert await call(*(free_address, other_free_address)[::order]) == pb.GetNamesResponse()


async def test_a_replica_that_says_nothing_gets_its_share_of_the_time_alone(
    start, call, servicer, free_address
):
    silent = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    address = f"127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    await start(address=free_address)
    async with asyncio.timeout(30):
        assert await call(address, free_address, timeout_s=2.0) == pb.GetNamesResponse()
    silent.close()


async def test_a_channel_finds_a_server_that_starts_later(keys, start, credentials, free_address):
    async with channel(free_address) as early:
        stub = rpc.AccountsServiceStub(early)
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.GetNames(pb.GetNamesRequest(), timeout=1, metadata=credentials.metadata("accounts"))
        await start(address=free_address)
        await stub.GetNames(
            pb.GetNamesRequest(), timeout=30, wait_for_ready=True, metadata=credentials.metadata("accounts")
        )
