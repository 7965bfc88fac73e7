"""Billing in memory for its rules, and on real Postgres and NATS for how it lives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import nats
import pytest
import structlog
from prometheus_client import CollectorRegistry

from deploy.local.ports import free_ports
from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.memory import MemoryStore
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.reactions import Message
from libs.eventlog.runtime import Runtime
from libs.eventlog.together import Together
from libs.service.app import Context
from libs.service.config import load_config
from libs.service.credentials import Credentials, create_key_pair
from libs.service.database import ensure_database
from libs.service.grpc_client import channel
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from services.billing.access import Access
from services.billing.account import ACCOUNT
from services.billing.admission import decide_admission
from services.billing.app import ACCOUNTS_STREAM, TABLES_STREAM, compose
from services.billing.doors import DoorMetrics, Doors
from services.billing.events import REGISTRY, Room
from services.billing.overdue import ASK_AGAIN
from services.billing.passports import Passports
from services.billing.payments import Charge, Sandbox
from services.billing.player_day import PLAYER_DAY
from services.billing.provider_calls import MoneyMetrics, ProviderCalls
from services.billing.public import (
    PURCHASE_DUE_SUBJECT,
    RENEWAL_DUE_SUBJECT,
    RETURN_DUE_SUBJECT,
    public_message,
)
from services.billing.react import CLOSED_SUBJECT, ERASED_SUBJECT, REGISTERED_SUBJECT, Reactions
from services.billing.reservation import RESERVATION
from tests.services.billing.running import Billing
from tests.services.billing.till import Till

REGISTERED_AT = datetime(2026, 9, 1, 15, tzinfo=UTC)
TRIAL_OVER = REGISTERED_AT + timedelta(days=7)


class BillingParts:
    """Billing's aggregates, doors and passports on a log, in memory unless one is given; `clock` is the time."""

    def __init__(self, store: Any = None, till: Till | None = None) -> None:
        self.clock = REGISTERED_AT
        self.till = till or Till()
        self.store = store or MemoryStore()
        self.registry = CollectorRegistry()
        self._pumped: set[str] = set()

        def runtime(decider: Any) -> Runtime[Any, Any, Any]:
            return Runtime(decider, REGISTRY, self.store, now=lambda: self.clock)

        self.accounts, self.days, self.reservations = map(runtime, (ACCOUNT, PLAYER_DAY, RESERVATION))
        admissions: Any = Together(decide_admission, self.days, self.reservations)
        self.doors = Doors(
            self.accounts,
            self.days,
            self.reservations,
            admissions,
            lambda: self.clock,
            DoorMetrics(self.registry),
        )
        metrics = MoneyMetrics(self.registry)
        self.calls = ProviderCalls(self.accounts, self.till, metrics)
        self.passports = Passports(self.accounts, self.calls, metrics)
        self.reactions = Reactions(self.passports, self.calls, self.doors, self.registry)

    @property
    def charged(self) -> list[Charge]:
        """What the provider was asked to take, each attempt once."""
        return self.till.charged

    async def register(self, at: datetime = REGISTERED_AT) -> str:
        player_id = str(uuid4())
        assert await self.passports.open(player_id, at, str(uuid4()))
        return player_id

    async def buy(self, player_id: str, plan: str = "pro", command_id: str | None = None) -> Any:
        return await self.passports.buy(player_id, plan, command_id or str(uuid4()))

    async def check(
        self, player_id: str, preset: str = "tranca", room: Room = "ranqueada", at: Any = None
    ) -> Access:
        return await self.doors.check(player_id, preset, room, at)

    async def reserve(
        self,
        player_ids: Sequence[str],
        preset: str = "tranca",
        room: Room = "livre",
        match_id: str | None = None,
    ) -> Any:
        return await self.doors.reserve(match_id or str(uuid4()), player_ids, preset, room)

    async def passport(self, player_id: str) -> Any:
        return (await self.passports.account(player_id)).passport

    async def events(self, player_id: str) -> list[Any]:
        return [event for command in await self.accounts.history(player_id) for event in command.events]

    async def pump(self, player_id: str) -> None:
        """Delivers the account's messages, each until it is handled."""
        delivered = True
        while delivered:
            delivered = False
            for command in await self.accounts.history(player_id):
                for number, event in enumerate(command.events):
                    told, told_as = public_message(event), f"{player_id}-{command.command_id}-{number}"
                    if told is None or told_as in self._pumped:
                        continue
                    await self._handlers[told.subject](message(told.data, told_as))
                    self._pumped.add(told_as)
                    delivered = True

    @property
    def _handlers(self) -> dict[str, Any]:
        return {
            PURCHASE_DUE_SUBJECT: self.reactions.purchase_due,
            RENEWAL_DUE_SUBJECT: self.reactions.renewal_due,
            RETURN_DUE_SUBJECT: self.reactions.return_due,
        }

    async def wait_for_an_answer(self, player_id: str) -> None:
        """Lets the time pass after which others are told of what the provider has not answered."""
        await self.go_on(player_id, self.clock + ASK_AGAIN)

    async def go_on(self, player_id: str, until: datetime) -> None:
        """Lets time pass: fires what is due, and delivers what that tells."""
        await self.pump(player_id)
        while True:
            due = min(
                (one.due_at for one in ACCOUNT.deadlines(await self.passports.account(player_id))),
                default=None,
            )
            if due is None or due > until:
                self.clock = until
                return
            self.clock = max(self.clock, due)
            assert await self.accounts.fire_due(player_id) is not None
            await self.pump(player_id)


def message(data: bytes, id: str | None = None, at: datetime | None = REGISTERED_AT) -> Message:
    headers = {} if at is None else {"ce-time": at.isoformat()}
    return Message(id or str(uuid4()), "", data, headers, 1)


@pytest.fixture
def billing() -> BillingParts:
    return BillingParts()


@pytest.fixture
async def replicas(clean_postgres: str) -> AsyncIterator[tuple[BillingParts, BillingParts]]:
    """Two replicas on one Postgres and one provider."""
    await ensure_database(clean_postgres, "billing")
    stores = [await PostgresStore.open(f"{clean_postgres} dbname=carteado_billing") for _ in range(2)]
    till = Till()
    one, other = (BillingParts(store, till) for store in stores)
    yield one, other
    for parts in (one, other):
        await parts.calls.close()
        for runtime in (parts.accounts, parts.days, parts.reservations):
            await runtime.close()
    for store in stores:
        await store.close()


@pytest.fixture
def environ(clean_postgres: str, nats_url: str, tmp_path: Path) -> dict[str, str]:
    """The environment of billing in the local stack."""
    keys = tmp_path / "keys"
    keys.mkdir()
    for service in ("billing", "gateway", "cli", "matchmaking"):
        create_key_pair(service, keys)
    http, port = free_ports(2)
    return {
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_POSTGRES": clean_postgres,
        "CARTEADO_NATS": nats_url,
        "CARTEADO_BILLING_GRPC": f"127.0.0.1:{port}",
        "CARTEADO_BILLING_HTTP": f"127.0.0.1:{http}",
        "CARTEADO_KEYS": str(keys),
    }


@pytest.fixture
async def jetstream(nats_url: str) -> AsyncIterator[Any]:
    """The message bus with the streams of accounts and of closed tables, as their services make them."""
    client = await nats.connect(nats_url)
    await ensure_streams(
        client.jetstream(),
        [
            StreamSpec(ACCOUNTS_STREAM, (REGISTERED_SUBJECT, ERASED_SUBJECT)),
            StreamSpec(TABLES_STREAM, (CLOSED_SUBJECT,)),
        ],
    )
    yield client.jetstream()
    await client.close()


@pytest.fixture
async def running_billing(environ: dict[str, str], jetstream: Any) -> AsyncIterator[Billing]:
    keys = Path(environ["CARTEADO_KEYS"])
    config, credentials = load_config("billing", environ), Credentials("billing", keys)
    log, registry = structlog.get_logger(), CollectorRegistry()
    running: list[Billing] = []
    parts = await compose(
        Context(config, credentials, log, registry),
        Sandbox(),
        lambda now: now + (running[0].ahead if running else timedelta()),
    )
    server = GrpcServer(credentials, parts.allow, GrpcServerMetrics(registry), log)
    server.register(parts.grpc)
    port = await server.start("127.0.0.1:0")
    background = [asyncio.create_task(work) for work in parts.background]
    address = f"127.0.0.1:{port}"
    async with channel(address) as opened:
        running.append(Billing(opened, keys, jetstream, address))
        assert await parts.ready()
        yield running[0]
    await server.drain(0)
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    await parts.close()
