"""Callers find the same replica for a key, and try again only where that is safe and bounded."""

import asyncio
from collections import Counter

import grpc
import pytest

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.service.credentials import Credentials
from libs.service.errors import OVERLOADED, UNAVAILABLE
from libs.service.grpc_client import Channels, call_with_retry, channel

ADDRESSES = tuple(f"127.0.0.1:{port}" for port in (7001, 7002, 7003, 7004))


@pytest.fixture
def credentials(keys):
    return Credentials("gateway", keys)


def test_each_key_has_one_preferred_replica_and_keys_are_spread(credentials):
    channels = Channels({"table": ADDRESSES}, credentials)
    again = Channels({"table": tuple(reversed(ADDRESSES))}, credentials)
    keys = [f"table-{number}" for number in range(400)]
    preferred = [channels.ranked("table", key)[0] for key in keys]
    assert preferred == [again.ranked("table", key)[0] for key in keys]
    assert all(count > 50 for count in Counter(preferred).values())
    assert set(preferred) == set(ADDRESSES)


def test_a_lost_replica_moves_its_own_keys_only(credentials):
    before = Channels({"table": ADDRESSES}, credentials)
    after = Channels({"table": ADDRESSES[1:]}, credentials)
    for number in range(200):
        ranked = before.ranked("table", str(number))
        expected = [address for address in ranked if address != ADDRESSES[0]]
        assert after.ranked("table", str(number)) == expected


async def test_one_channel_per_replica(credentials):
    channels = Channels({"table": ADDRESSES}, credentials)
    assert channels.pick("table", "x") is channels.channel(channels.ranked("table", "x")[0])
    await channels.close()


def test_a_service_without_an_address_is_a_lookup_error(credentials):
    with pytest.raises(LookupError, match="league"):
        Channels({}, credentials).pick("league", "x")


async def test_unavailable_is_tried_again(start, servicer, credentials):
    answers = iter([UNAVAILABLE, UNAVAILABLE, None])

    async def answer(_request, _context):
        if (code := next(answers)) is not None:
            raise code.error()
        return pb.GetNamesResponse(names=[pb.PlayerName(name="third")])

    servicer.get_names = answer
    _, opened = await start()
    stub = rpc.AccountsServiceStub(opened)
    response = await call_with_retry(
        stub.GetNames, pb.GetNamesRequest(), metadata=credentials.metadata("accounts")
    )
    assert response.names[0].name == "third"


@pytest.mark.parametrize(("code", "calls"), [(UNAVAILABLE, 4), (OVERLOADED, 1)])
async def test_attempts_are_bounded_and_other_errors_are_final(start, servicer, credentials, code, calls):
    seen = []

    async def answer(request, _context):
        seen.append(request)
        raise code.error()

    servicer.get_names = answer
    _, opened = await start()
    stub = rpc.AccountsServiceStub(opened)
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call_with_retry(stub.GetNames, pb.GetNamesRequest(), metadata=credentials.metadata("accounts"))
    assert failed.value.code() is code.status
    assert len(seen) == calls


async def test_all_attempts_together_keep_the_deadline(credentials):
    async with channel("127.0.0.1:1") as nobody:
        stub = rpc.AccountsServiceStub(nobody)
        async with asyncio.timeout(2):
            with pytest.raises(grpc.aio.AioRpcError):
                await call_with_retry(
                    stub.GetNames,
                    pb.GetNamesRequest(),
                    metadata=credentials.metadata("accounts"),
                    timeout_s=0.2,
                )


async def test_a_channel_finds_a_server_that_starts_later(keys, start, credentials, free_address):
    async with channel(free_address) as early:
        stub = rpc.AccountsServiceStub(early)
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.GetNames(pb.GetNamesRequest(), timeout=1, metadata=credentials.metadata("accounts"))
        await start(address=free_address)
        await stub.GetNames(
            pb.GetNamesRequest(), timeout=5, wait_for_ready=True, metadata=credentials.metadata("accounts")
        )
