"""Players with a passport, and what tests of money ask of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from tests.services.billing.conftest import BillingParts

BOUGHT_AT = datetime(2026, 9, 30, 12, tzinfo=UTC)
PAID_UNTIL = datetime(2026, 10, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


async def who_bought(billing: BillingParts, plan: str = "pro", at: datetime = BOUGHT_AT) -> str:
    ana = await billing.register()
    billing.clock = at
    await billing.buy(ana, plan)
    return ana


async def is_allowed(billing: BillingParts, player_id: str, at: datetime | None = None) -> bool:
    return (await billing.check(player_id, "tranca", "ranqueada", at)).is_allowed


async def record(billing: BillingParts, player_id: str, body: Any) -> str:
    return await billing.passports.record(player_id, body, str(uuid4()))
