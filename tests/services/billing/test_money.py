"""Access follows the money: what notices do to a passport, in any order and any number of times."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from uuid import uuid4

import pytest

from libs.service.errors import ServiceError
from services.billing.account_events import PassportRenewed, RenewalDue, RenewalFailed, ReviewNeeded
from services.billing.calendar import months_after
from services.billing.catalogue import CURRENT
from services.billing.money import RecordFailure, RecordPayment
from services.billing.purchase import StartPurchase
from services.billing.returns import RecordReturn
from tests.services.billing.conftest import REGISTERED_AT, BillingParts
from tests.services.billing.wallets import BOUGHT_AT, PAID_UNTIL, SECOND, is_allowed, record, who_bought


async def test_b102_a_failure_older_than_the_payment_takes_nothing_away(billing: BillingParts) -> None:
    outcomes = []
    for order in permutations(("failed", "paid")):
        ana = await who_bought(billing)
        passport = await billing.passport(ana)
        billing.till.declines = True
        await billing.go_on(ana, PAID_UNTIL)
        notices = {
            "failed": RecordFailure(passport.id, 2, 1),
            "paid": RecordPayment(passport.id, 2, "invoice-2", 2990),
        }
        for name in order:
            await record(billing, ana, notices[name])
        renewed = await billing.passport(ana)
        outcomes.append((renewed.paid_until, renewed.opens_until, renewed.period, renewed.grace_until))
        assert await is_allowed(billing, ana, renewed.paid_until - SECOND)
        billing.till.declines = False
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][2:] == (2, None)


async def test_b102_a_purchase_that_is_told_as_failed_and_as_paid_is_paid_in_either_order(
    billing: BillingParts,
) -> None:
    for order in permutations(("failed", "paid")):
        ana, key = await billing.register(), str(uuid4())
        await billing.accounts.handle(ana, StartPurchase(key, "vip", "till"), command_id=key, actor="ana")
        notices = {"failed": RecordFailure(key, 1, 1), "paid": RecordPayment(key, 1, "invoice-1", 1990)}
        for name in order:
            await record(billing, ana, notices[name])
        assert (await billing.check(ana)).reason == "passport"
        assert (await billing.passport(ana)).payments[0].id == "invoice-1"
    assert billing.charged == []


async def test_b103_one_period_counts_once_whoever_and_however_often_tells(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    passport = await billing.passport(ana)
    first, second = str(uuid4()), str(uuid4())
    paid = RecordPayment(passport.id, 2, "invoice-2", 2990)
    told = [first] * 3 + [second] + [str(uuid4()) for _ in range(10)]
    outcomes = await asyncio.gather(*(billing.passports.record(ana, paid, one) for one in told))
    assert outcomes.count("recorded") == 1
    assert set(outcomes) == {"recorded", "known", "PERIOD_ALREADY_PAID"}
    assert (await billing.passport(ana)).paid_until == months_after(BOUGHT_AT, 2)
    assert sum(isinstance(event, PassportRenewed) for event in await billing.events(ana)) == 1


async def test_b105_a_cancelled_passport_runs_to_its_paid_end_and_is_not_charged_again(
    billing: BillingParts,
) -> None:
    ana = await who_bought(billing)
    billing.clock = datetime(2026, 10, 5, tzinfo=UTC)
    cancelled = await billing.passports.cancel(ana, str(uuid4()))
    assert cancelled.opens_until == PAID_UNTIL
    assert (await billing.check(ana)).valid_until == PAID_UNTIL
    assert await is_allowed(billing, ana, PAID_UNTIL - SECOND)
    assert not await is_allowed(billing, ana, PAID_UNTIL)
    await billing.go_on(ana, PAID_UNTIL + timedelta(days=40))
    assert [charge.attempt for charge in billing.charged] == [1]
    assert (await billing.passport(ana)).has_ended


@pytest.mark.parametrize("cause", ["refund", "chargeback"])
async def test_b107_money_that_went_back_ends_access_at_once_and_a_new_purchase_restores_it(
    billing: BillingParts, cause: str
) -> None:
    ana = await who_bought(billing)
    passport = await billing.passport(ana)
    billing.clock = datetime(2026, 10, 10, 15, tzinfo=UTC)
    assert await is_allowed(billing, ana)
    payment_id = passport.payments[0].id
    if cause == "refund":
        await billing.passports.refund(ana, payment_id, 0, str(uuid4()), "operator:zica")
    else:
        await billing.passports.charge_back(ana, payment_id, str(uuid4()), "operator:zica")
    assert not await is_allowed(billing, ana)
    # A notice of what is known comes again: there is nothing to look at.
    first = RecordPayment(passport.id, 1, payment_id, 2990)
    assert await record(billing, ana, first) == "PERIOD_ALREADY_PAID"
    # A payment from before the refund comes late: it restores nothing, and somebody looks at it.
    late = RecordPayment(passport.id, 2, "invoice-2", 2990)
    assert await record(billing, ana, late) == "recorded"
    assert await record(billing, ana, late) == "PERIOD_ALREADY_PAID"
    assert not await is_allowed(billing, ana)
    assert isinstance((await billing.events(ana))[-1], ReviewNeeded)
    await billing.go_on(ana, billing.clock + timedelta(days=60))
    assert len(billing.charged) == 1
    await billing.buy(ana, "vip")
    assert await is_allowed(billing, ana)


async def test_b107_a_part_that_went_back_leaves_access_and_is_looked_at(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    payment_id = (await billing.passport(ana)).payments[0].id
    key = str(uuid4())
    for _ in range(3):
        await billing.passports.refund(ana, payment_id, 500, key, "operator:zica")
    assert await is_allowed(billing, ana)
    assert isinstance((await billing.events(ana))[-1], ReviewNeeded)
    with pytest.raises(ServiceError) as refused:
        await billing.passports.refund(ana, payment_id, 2491, str(uuid4()), "operator:zica")
    assert (refused.value.code, refused.value.facts) == ("MORE_THAN_PAID", {"left_centavos": "2490"})
    await billing.passports.refund(ana, payment_id, 2490, str(uuid4()), "operator:zica")
    assert not await is_allowed(billing, ana)


async def test_a_failed_renewal_opens_three_days_in_which_it_is_tried_again(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    billing.till.declines = True
    await billing.go_on(ana, PAID_UNTIL + CURRENT.grace - SECOND)
    assert await is_allowed(billing, ana)
    assert (await billing.check(ana)).valid_until == PAID_UNTIL + CURRENT.grace
    assert [charge.attempt for charge in billing.charged] == [1, 1, 2, 3]
    assert len({charge.key for charge in billing.charged[1:]}) == 1
    await billing.go_on(ana, PAID_UNTIL + CURRENT.grace)
    assert not await is_allowed(billing, ana)
    assert (await billing.passport(ana)).has_ended


async def test_a_renewal_paid_within_the_grace_goes_on_from_the_paid_end(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    billing.till.declines = True
    await billing.go_on(ana, PAID_UNTIL + timedelta(hours=30))
    billing.till.declines = False
    await billing.go_on(ana, PAID_UNTIL + timedelta(hours=50))
    passport = await billing.passport(ana)
    assert (passport.period, passport.paid_until) == (2, months_after(BOUGHT_AT, 2))
    kinds = [type(event) for event in await billing.events(ana)]
    assert (kinds.count(RenewalDue), kinds.count(RenewalFailed)) == (3, 2)


async def test_an_outage_of_ours_at_the_paid_end_costs_no_grace(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    billing.till.declines = True
    billing.clock = PAID_UNTIL + timedelta(days=5)
    await billing.go_on(ana, billing.clock)
    assert await is_allowed(billing, ana)
    assert (await billing.passport(ana)).opens_until == PAID_UNTIL + timedelta(days=5) + CURRENT.grace


async def test_cancelled_in_its_grace_it_ends_at_once(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    billing.till.declines = True
    await billing.go_on(ana, PAID_UNTIL + timedelta(days=1))
    await billing.passports.cancel(ana, str(uuid4()))
    assert not await is_allowed(billing, ana)


async def test_who_is_erased_is_charged_no_more_and_does_not_come_back(billing: BillingParts) -> None:
    ana = await who_bought(billing)
    assert await billing.passports.erase(ana, str(uuid4()))
    await billing.go_on(ana, PAID_UNTIL + timedelta(days=60))
    assert len(billing.charged) == 1
    assert not await billing.passports.open(ana, REGISTERED_AT, str(uuid4()))
    # The erasure may be heard of before the registration.
    bia = str(uuid4())
    assert await billing.passports.erase(bia, str(uuid4()))
    assert not await billing.passports.open(bia, REGISTERED_AT, str(uuid4()))


async def test_no_access_outlives_the_money_whatever_happens(billing: BillingParts) -> None:
    """A naive ledger beside it: valid is what some unreturned payment covers, and three days where it renews."""
    chance = random.Random(5)
    for _ in range(40):
        ana = await who_bought(billing, chance.choice(["vip", "pro"]))
        for _ in range(chance.randrange(1, 8)):
            passport = await billing.passport(ana)
            action = chance.choice(["wait", "decline", "cancel", "part", "all"])
            billing.till.declines = action == "decline"
            if action in {"wait", "decline"}:
                await billing.go_on(ana, billing.clock + timedelta(days=chance.randrange(1, 35)))
            elif action == "cancel":
                await outcome(billing.passports.cancel(ana, str(uuid4())))
            else:
                last = passport.payments[-1]
                amount = 1 if action == "part" else last.amount_centavos - last.returned_centavos
                await record(billing, ana, RecordReturn(last.id, str(uuid4()), amount, "refund"))
            passport = await billing.passport(ana)
            last = passport.payments[-1]
            is_paid = last.returned_centavos < last.amount_centavos
            end = months_after(BOUGHT_AT, last.period)
            covered = is_paid and billing.clock < end
            assert not covered or await is_allowed(billing, ana)
            if not is_paid or billing.clock >= end + CURRENT.grace:
                assert not await is_allowed(billing, ana)
        billing.till.declines = False


async def outcome(work: Any) -> Any:
    try:
        return await work
    except ServiceError as error:
        return error.code
