"""Money while something else happens: two wishes at once, a crash, an erasure in the middle of a charge.

Each step runs inside the provider's call, so the order is the test's and not the scheduler's. On real Postgres, with two
replicas of billing and one provider.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from carteado.billing.v1.passport_service_pb2 import GetAccountRequest
from libs.service.errors import ServiceError
from services.billing.account import ACCOUNT
from services.billing.account_events import (
    AccountErased,
    MoneyReturned,
    PassportBought,
    PassportRenewed,
    PurchaseDeclined,
    RenewalFailed,
    ReturnDue,
)
from services.billing.grpc import PassportServicer
from services.billing.money import RecordPayment
from tests.services.billing.conftest import BillingParts

pytestmark = pytest.mark.integration


class CrashError(Exception):
    """The process ends here."""


def crash() -> Callable[[], Awaitable[object]]:
    async def die() -> None:
        raise CrashError

    return die


async def code_of(work: Awaitable[Any]) -> str:
    with pytest.raises(ServiceError) as refused:
        await work
    return refused.value.code


async def test_one_command_id_for_two_plans_at_once_is_one_purchase_and_nothing_goes_back(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana, key = await one.register(), str(uuid4())
    codes: list[str] = []

    async def buy_the_other_plan() -> None:
        codes.append(await code_of(other.buy(ana, "vip", key)))

    one.till.in_charge = buy_the_other_plan
    bought = await one.buy(ana, "pro", key)
    assert codes == ["COMMAND_ID_REUSED"]
    assert (bought.plan, bought.is_valid(one.clock)) == ("pro", True)
    assert (one.till.taken_centavos, one.till.returned_centavos) == (2990, 0)
    assert await other.buy(ana, "pro", key) == bought


async def test_a_second_purchase_waits_for_the_first_one_and_is_never_charged(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana, second = await one.register(), ""

    async def buy_another() -> None:
        nonlocal second
        second = await code_of(other.buy(ana, "vip"))

    one.till.in_charge = buy_another
    bought = await one.buy(ana, "pro")
    # The other replica finished the purchase under its key, and then there was a passport.
    assert second == "PASSPORT_ALREADY_VALID"
    assert bought.plan == "pro"
    assert [charge.amount_centavos for charge in one.till.charged] == [2990]
    assert one.till.returned_centavos == 0
    assert [type(event) for event in await one.events(ana)].count(PassportBought) == 1


async def test_two_refunds_of_one_payment_at_once_give_its_money_back_once(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana = await one.register()
    payment_id = (await one.buy(ana)).payments[0].id
    codes: list[str] = []

    async def refund_too() -> None:
        refund = other.passports.refund(ana, payment_id, 0, str(uuid4()), "operator:rui")
        codes.append(await code_of(refund))
        codes.append(await code_of(other.passports.withdraw(ana, str(uuid4()))))

    one.till.in_return = refund_too
    passport = await one.passports.refund(ana, payment_id, 0, str(uuid4()), "operator:zica")
    assert codes == ["ALREADY_RETURNED", "ALREADY_RETURNED"]
    assert passport.payments[0].returned_centavos == 2990
    assert one.till.returned_centavos == 2990


async def test_two_parts_at_once_never_give_more_than_was_paid(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana = await one.register()
    payment_id = (await one.buy(ana)).payments[0].id

    async def refund_too_much() -> None:
        refund = other.passports.refund(ana, payment_id, 1500, str(uuid4()), "operator:rui")
        assert await code_of(refund) == "MORE_THAN_PAID"
        await other.passports.refund(ana, payment_id, 990, str(uuid4()), "operator:rui")

    one.till.in_return = refund_too_much
    passport = await one.passports.refund(ana, payment_id, 2000, str(uuid4()), "operator:zica")
    assert one.till.returned_centavos == passport.payments[0].returned_centavos == 2990
    assert not passport.is_valid(one.clock)


async def test_who_is_erased_while_a_renewal_is_charged_gets_that_money_back(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana = await one.register()
    paid_until = (await one.buy(ana)).paid_until

    async def erase() -> None:
        assert await other.passports.erase(ana, str(uuid4()))

    one.till.in_charge = erase
    await one.go_on(ana, paid_until + timedelta(days=90))
    kinds = [type(event) for event in await one.events(ana)]
    assert kinds[-3:] == [AccountErased, ReturnDue, MoneyReturned]
    assert PassportRenewed not in kinds
    assert len(one.till.charged) == 2
    assert one.till.taken_centavos - one.till.returned_centavos == 2990, "the first period alone"
    assert ACCOUNT.is_ended(await one.passports.account(ana))


async def test_who_is_erased_before_a_due_renewal_is_charged_is_not_charged(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, _ = replicas
    ana = await one.register()
    one.clock = (await one.buy(ana)).paid_until
    assert await one.accounts.fire_due(ana) is not None
    assert await one.passports.erase(ana, str(uuid4()))
    await one.pump(ana)
    assert len(one.till.charged) == 1
    assert [type(event) for event in await one.events(ana)][-2:] == [AccountErased, RenewalFailed]
    assert ACCOUNT.is_ended(await one.passports.account(ana))


async def test_a_crash_after_a_renewals_charge_and_then_an_erasure_lose_no_money(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana = await one.register()
    one.clock = (await one.buy(ana)).paid_until
    assert await one.accounts.fire_due(ana) is not None
    one.till.in_charge = crash()
    with pytest.raises(CrashError):
        await one.pump(ana)
    assert await other.passports.erase(ana, str(uuid4()))
    # The message comes again, to another replica: it asks what was taken, and takes nothing.
    other.clock, other.till.in_return = one.clock, crash()
    with pytest.raises(CrashError):
        await other.pump(ana)
    # That one dies in the return. Its money went back, which the log hears from whoever is told next.
    await other.wait_for_an_answer(ana)
    assert ACCOUNT.is_ended(await one.passports.account(ana))
    assert one.till.taken_centavos - one.till.returned_centavos == 2990


async def test_who_is_erased_in_the_middle_of_a_purchase_gets_the_money_back(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana = await one.register()

    async def erase() -> None:
        assert await other.passports.erase(ana, str(uuid4()))

    one.till.in_charge = erase
    assert await code_of(one.buy(ana)) == "ACCOUNT_ERASED"
    assert one.till.taken_centavos == one.till.returned_centavos == 2990
    assert ACCOUNT.is_ended(await one.passports.account(ana))


async def test_a_crash_after_a_purchases_charge_is_finished_by_whoever_takes_its_message(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana, key = await one.register(), str(uuid4())
    one.till.in_charge = crash()
    with pytest.raises(CrashError):
        await one.buy(ana, "pro", key)
    await other.pump(ana)
    assert (await other.check(ana)).reason == "trial", "others leave it to whoever took it, for a while"
    await other.wait_for_an_answer(ana)
    assert (await other.check(ana)).reason == "passport"
    assert (await other.buy(ana, "pro", key)).id == key
    assert [charge.amount_centavos for charge in one.till.charged] == [2990]


async def test_a_crash_after_a_refunds_payment_is_finished_and_access_had_ended_before(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana, key = await one.register(), str(uuid4())
    one.clock += timedelta(days=8)
    payment_id = (await one.buy(ana)).payments[0].id
    one.till.in_return = crash()
    with pytest.raises(CrashError):
        await one.passports.refund(ana, payment_id, 0, key, "operator:zica")
    assert (await one.check(ana)).reason == "passport_needed"
    assert (await one.passport(ana)).payments[0].returned_centavos == 0
    other.clock = one.clock
    await other.wait_for_an_answer(ana)
    again = await other.passports.refund(ana, payment_id, 0, key, "operator:zica")
    assert again.payments[0].returned_centavos == one.till.returned_centavos == 2990


async def test_a_declined_purchase_is_answered_as_declined_again_and_a_new_one_is_charged_anew(
    replicas: tuple[BillingParts, BillingParts],
) -> None:
    one, other = replicas
    ana, key = await one.register(), str(uuid4())
    one.till.declines = True
    assert await code_of(one.buy(ana, "pro", key)) == "PAYMENT_DECLINED"
    one.till.declines = False
    assert await code_of(other.buy(ana, "pro", key)) == "PAYMENT_DECLINED"
    assert one.till.taken_centavos == 0
    assert isinstance((await one.events(ana))[-1], PurchaseDeclined)
    assert (await other.buy(ana, "pro")).is_valid(other.clock)


async def test_a_provider_that_does_not_answer_is_said_and_the_purchase_goes_on_by_itself(
    replicas: tuple[BillingParts, BillingParts], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = replicas
    ana = await one.register()
    monkeypatch.setattr("services.billing.provider_calls.TIMEOUT_S", 0.01)
    one.till.in_charge = asyncio.Event().wait
    assert await code_of(one.buy(ana)) == "PROVIDER_AWAY"
    await other.wait_for_an_answer(ana)
    assert (await other.check(ana)).reason == "passport"


async def test_a_part_that_the_provider_has_not_given_back_yet_is_shown_as_gone(
    replicas: tuple[BillingParts, BillingParts], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is told that the provider is away looks, and does not return the same part again."""
    one, other = replicas
    ana = await one.register()
    payment_id = (await one.buy(ana)).payments[0].id
    monkeypatch.setattr("services.billing.provider_calls.TIMEOUT_S", 0.01)
    one.till.in_return = asyncio.Event().wait
    refund = one.passports.refund(ana, payment_id, 500, str(uuid4()), "operator:zica")
    assert await code_of(refund) == "PROVIDER_AWAY"
    face = PassportServicer(other.passports, other.doors, lambda: other.clock)
    for _ in range(2):
        shown: Any = await face.GetAccount(GetAccountRequest(player_id=ana), None)  # type: ignore[arg-type] -- no call, no context
        assert shown.passport.payments[0].returned_centavos == 500
        await other.wait_for_an_answer(ana)
    assert one.till.returned_centavos == 500


@pytest.mark.parametrize("cause", ["chargeback", "refund"])
async def test_money_of_an_earlier_passport_goes_back_and_the_one_that_runs_stays(
    replicas: tuple[BillingParts, BillingParts], cause: str
) -> None:
    one, _ = replicas
    ana = await one.register()
    first = await one.buy(ana, "vip")
    await one.passports.cancel(ana, str(uuid4()))
    await one.go_on(ana, first.paid_until + timedelta(days=1))
    running = await one.buy(ana, "pro")
    payment_id, key = first.payments[0].id, str(uuid4())
    for _ in range(2):
        if cause == "refund":
            answer = await one.passports.refund(ana, payment_id, 0, key, "operator:zica")
        else:
            answer = await one.passports.charge_back(ana, payment_id, key, "operator:zica")
        assert (answer.id, answer.payments[0].returned_centavos) == (first.id, 1990)
    assert await one.passport(ana) == running
    assert (await one.check(ana)).reason == "passport"
    assert one.till.returned_centavos == (1990 if cause == "refund" else 0)
    again = one.passports.charge_back(ana, payment_id, str(uuid4()), "operator:zica")
    assert await code_of(again) == "ALREADY_RETURNED"
    assert await code_of(one.passports.charge_back(ana, "none", key[::-1], "operator:zica")) == (
        "PAYMENT_NOT_FOUND"
    )
    # A notice of what an earlier passport has long counted is known, too.
    known = RecordPayment(first.id, 1, payment_id, 1990)
    assert await one.passports.record(ana, known, str(uuid4())) == "PERIOD_ALREADY_PAID"
