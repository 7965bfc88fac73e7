"""Billing as a process: killed while matches are reserved, started again, stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest

from carteado.accounts.v1.events_pb2 import PlayerRegistered
from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.billing.v1.access_service_pb2_grpc import AccessServiceStub
from carteado.billing.v1.passport_service_pb2_grpc import PassportServiceStub
from libs.service.credentials import Credentials
from libs.service.errors import ServiceError
from libs.service.grpc_client import Channels
from services.billing.react import REGISTERED_SUBJECT
from tests.services.process import ServiceProcess

pytestmark = [pytest.mark.e2e, pytest.mark.fault]


@pytest.fixture
async def process(environ: dict[str, str]) -> AsyncIterator[ServiceProcess]:
    launched = ServiceProcess("billing", environ)
    yield launched
    await launched.end(signal.SIGKILL)


async def again(work: Any) -> Any:
    """Asks until billing answers: the caller's ids make that harmless."""
    for _ in range(200):
        try:
            return await work()
        except ServiceError:
            pass
        except grpc.aio.AioRpcError as error:
            if error.code() not in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
                raise
        await asyncio.sleep(0.05)
    raise AssertionError("billing did not answer in time")


async def test_killed_in_the_middle_no_match_takes_twice_and_none_is_forgotten(
    process: ServiceProcess, environ: dict[str, str], jetstream: Any
) -> None:
    keys, addresses = Path(environ["CARTEADO_KEYS"]), {"billing": (environ["CARTEADO_BILLING_GRPC"],)}
    matchmaking = Channels(addresses, Credentials("matchmaking", keys))
    gateway = Channels(addresses, Credentials("gateway", keys))
    await process.start()
    players = [str(uuid4()) for _ in range(40)]
    long_ago = (datetime.now(UTC) - timedelta(days=8)).isoformat()
    for number, player_id in enumerate(players):
        headers = {"ce-id": f"accounts-1-{number}", "ce-time": long_ago}
        told = PlayerRegistered(player_id=player_id).SerializeToString()
        await jetstream.publish(REGISTERED_SUBJECT, told, headers=headers)

    async def left(player_id: str) -> int | None:
        request = money_pb.GetAccountRequest(player_id=player_id)
        try:
            account = await gateway.call(
                "billing", player_id, lambda one: PassportServiceStub(one).GetAccount, request, 2.0
            )
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            raise
        return account.matches_left

    for player_id in players:
        for _ in range(200):
            if await again(lambda one=player_id: left(one)) is not None:
                break
            await asyncio.sleep(0.02)

    answered, at_most = 0, asyncio.Semaphore(2)
    deaths = {3: asyncio.Event(), 10: asyncio.Event()}

    async def reserve(number: int) -> pb.ReserveMatchResponse:
        nonlocal answered
        four = [players[(number * 4 + seat) % len(players)] for seat in range(4)]
        request = pb.ReserveMatchRequest(
            match_id=str(uuid4()), player_ids=four, preset="tranca", room=pb.ROOM_LIVRE
        )

        async def ask() -> pb.ReserveMatchResponse:
            return await matchmaking.call(
                "billing", request.match_id, lambda one: AccessServiceStub(one).ReserveMatch, request, 2.0
            )

        async with at_most:
            first = await again(ask)
            answered += 1
            if answered in deaths:
                deaths[answered].set()
            assert await again(ask) == first
        return first

    # Two matches for each player, while billing is killed twice.
    reserving = asyncio.gather(*(reserve(number) for number in range(20)))
    for death in deaths.values():
        await death.wait()
        await process.end(signal.SIGKILL)
        await process.start()
    assert all(answer.is_reserved for answer in await reserving)
    assert {await again(lambda one=player_id: left(one)) for player_id in players} == {1}
    await matchmaking.close()
    await gateway.close()
    assert await process.end(signal.SIGTERM) == 0
