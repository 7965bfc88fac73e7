"""Periods of months in São Paulo (fault B109), wherever the server stands."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from services.billing.calendar import SAO_PAULO, months_after
from tests.services.billing.conftest import BillingParts
from tests.services.billing.wallets import SECOND, is_allowed, who_bought


@pytest.fixture(params=["America/Sao_Paulo", "Asia/Tokyo"])
def server_zone(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def sao_paulo(year: int, month: int, day: int, hour: int = 10) -> datetime:
    return datetime(year, month, day, hour, tzinfo=SAO_PAULO).astimezone(UTC)


@pytest.mark.usefixtures("server_zone")
async def test_b109_periods_end_on_the_day_they_began_wherever_the_server_stands(
    billing: BillingParts,
) -> None:
    ana = await who_bought(billing, at=sao_paulo(2027, 1, 31))
    ends = []
    for _ in range(4):
        paid_until = (await billing.passport(ana)).paid_until
        ends.append(paid_until)
        await billing.go_on(ana, paid_until)
    assert ends == [sao_paulo(2027, *end) for end in ((2, 28), (3, 31), (4, 30), (5, 31))]
    leap = await who_bought(billing, "pro-anual", sao_paulo(2028, 2, 29))
    for end in ((2029, 2, 28), (2030, 2, 28), (2031, 2, 28), (2032, 2, 29)):
        paid_until = (await billing.passport(leap)).paid_until
        assert paid_until == sao_paulo(*end)
        await billing.go_on(leap, paid_until)


@pytest.mark.usefixtures("server_zone")
async def test_b109_a_period_ends_in_its_very_moment(billing: BillingParts) -> None:
    end = datetime(2026, 10, 1, 2, 59, 59, tzinfo=UTC)
    ana = await who_bought(billing, at=months_after(end, -1))
    await billing.passports.cancel(ana, str(uuid4()))
    passport = await billing.passport(ana)
    assert passport.paid_until == end
    assert passport.paid_until.astimezone(SAO_PAULO).date().isoformat() == "2026-09-30"
    assert await is_allowed(billing, ana, end - SECOND)
    assert not await is_allowed(billing, ana, end)
