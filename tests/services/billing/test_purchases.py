"""Purchases and withdrawals: charged once, under one's own wish."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from libs.service.errors import ServiceError
from services.billing.catalogue import CURRENT
from tests.services.billing.conftest import BillingParts
from tests.services.billing.wallets import BOUGHT_AT, SECOND, is_allowed, who_bought


@pytest.mark.parametrize(
    ("after", "is_in_time"), [(CURRENT.withdrawal - SECOND, True), (CURRENT.withdrawal, False)]
)
async def test_within_seven_days_the_player_withdraws_and_all_of_the_money_goes_back(
    billing: BillingParts, after: timedelta, is_in_time: bool
) -> None:
    ana = await who_bought(billing)
    billing.clock = BOUGHT_AT + after
    key = str(uuid4())
    if not is_in_time:
        with pytest.raises(ServiceError) as refused:
            await billing.passports.withdraw(ana, key)
        assert refused.value.code == "WITHDRAWAL_TOO_LATE"
        assert await is_allowed(billing, ana)
        return
    for _ in range(2):
        passport = await billing.passports.withdraw(ana, key)
        assert passport.payments[0].returned_centavos == 2990
    assert not await is_allowed(billing, ana)


async def test_a_purchase_is_charged_once_under_its_id_and_a_second_one_is_refused(
    billing: BillingParts,
) -> None:
    ana = await billing.register()
    key = str(uuid4())
    first, again = await billing.buy(ana, "vip", key), await billing.buy(ana, "vip", key)
    assert (first.id, again, len(billing.charged)) == (key, first, 1)
    for plan, command_id, code in (
        ("pro", str(uuid4()), "PASSPORT_ALREADY_VALID"),
        ("pro", key, "COMMAND_ID_REUSED"),
        ("gold", str(uuid4()), "UNKNOWN_PLAN"),
    ):
        with pytest.raises(ServiceError) as refused:
            await billing.buy(ana, plan, command_id)
        assert refused.value.code == code
    assert len(billing.charged) == 1


async def test_two_purchases_at_once_are_one_passport_and_the_other_money_goes_back(
    billing: BillingParts,
) -> None:
    ana = await billing.register()
    answers = await asyncio.gather(*(billing.buy(ana) for _ in range(3)), return_exceptions=True)
    assert sum(not isinstance(answer, Exception) for answer in answers) == 1
    overtaken = {"kind": "purchase", "outcome": "overtaken"}
    returned = billing.registry.get_sample_value("carteado_billing_payments_total", overtaken) or 0
    assert len(billing.charged) == 1 + returned


async def test_a_declined_purchase_opens_nothing(billing: BillingParts) -> None:
    ana = await billing.register()
    billing.clock = BOUGHT_AT
    billing.till.declines = True
    with pytest.raises(ServiceError) as refused:
        await billing.buy(ana)
    assert refused.value.code == "PAYMENT_DECLINED"
    assert not await is_allowed(billing, ana)
