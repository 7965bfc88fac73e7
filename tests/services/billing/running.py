"""A running billing on real Postgres and NATS, as its neighbours reach it."""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc

from carteado.accounts.v1.events_pb2 import PlayerRegistered
from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import access_service_pb2_grpc as rpc
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.billing.v1 import passport_service_pb2_grpc as money_rpc
from libs.service.credentials import Credentials
from services.billing.react import REGISTERED_SUBJECT

SENT = count(1)
NOW = datetime.now(UTC).replace(microsecond=0)


class Billing:
    """A running billing, its neighbours' ways to it, and its time."""

    def __init__(self, opened: grpc.aio.Channel, keys: Path, jetstream: Any, address: str) -> None:
        self.address = address
        self.access = rpc.AccessServiceStub(opened)
        self.money = money_rpc.PassportServiceStub(opened)
        self.jetstream = jetstream
        self.ahead = timedelta()
        self._keys = keys

    async def call(self, stub: Any, method: str, request: Any, caller: str = "gateway") -> Any:
        metadata = Credentials(caller, self._keys).metadata("billing")
        return await getattr(stub, method)(request, timeout=30, metadata=metadata)

    async def check(self, player_id: str, room: int = pb.ROOM_RANQUEADA, preset: str = "tranca") -> pb.Access:
        request = pb.CheckAccessRequest(player_id=player_id, preset=preset, room=room)  # type: ignore[arg-type]  # an enum's number
        answer: pb.CheckAccessResponse = await self.call(self.access, "CheckAccess", request)
        return answer.access

    async def reserve(self, player_ids: list[str], match_id: str) -> pb.ReserveMatchResponse:
        request = pb.ReserveMatchRequest(
            match_id=match_id, player_ids=player_ids, preset="tranca", room=pb.ROOM_LIVRE
        )
        answer: pb.ReserveMatchResponse = await self.call(
            self.access, "ReserveMatch", request, caller="matchmaking"
        )
        return answer

    async def account(self, player_id: str) -> money_pb.GetAccountResponse:
        answer: money_pb.GetAccountResponse = await self.call(
            self.money, "GetAccount", money_pb.GetAccountRequest(player_id=player_id)
        )
        return answer

    async def operate(self, *words: str) -> tuple[int | None, str, str]:
        """`carteado billing` with these words: exit code, stdout, stderr."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from libs.cli.main import main; main()", "billing", *words),
            env={
                **os.environ,
                "CARTEADO_BILLING_REPLICAS": self.address,
                "CARTEADO_KEYS": str(self._keys),
                "CARTEADO_OPERATOR": "zica",
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()

    async def tell(self, subject: str, message: Any, at: datetime = NOW, id: str | None = None) -> None:
        headers = {"ce-id": id or f"told-0-{next(SENT)}", "ce-time": at.isoformat()}
        await self.jetstream.publish(subject, message.SerializeToString(), headers=headers)

    async def register(self, days_ago: int = 0) -> str:
        player_id = str(uuid4())
        await self.tell(
            REGISTERED_SUBJECT, PlayerRegistered(player_id=player_id), NOW - timedelta(days=days_ago)
        )

        async def is_known() -> bool:
            return (await self.check(player_id)).reason != pb.ACCESS_REASON_UNKNOWN_PLAYER

        await until(is_known)
        return player_id


async def until(condition: Any) -> None:
    for _ in range(500):
        if await condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not become so in time")
