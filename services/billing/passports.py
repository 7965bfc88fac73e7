"""Buys, renews and ends passports: asks the payment provider, and writes down what it says.

The provider is asked under a key that the command or the period gives, before the log is written: a crash in between
costs nothing, since the same command again finds the money taken and writes it down.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import assert_never

import msgspec
from prometheus_client import CollectorRegistry, Counter

from libs.eventlog.decider import Command, Rejection
from libs.eventlog.decision import hash_body
from services.billing.account import (
    ACCOUNT,
    AccountCommand,
    AccountState,
    BuyPassport,
    CancelPassport,
    EraseAccount,
    OpenAccount,
)
from services.billing.catalogue import CURRENT
from services.billing.doors import Accounts
from services.billing.errors import (
    ACCOUNT_ALREADY_OPEN,
    ACCOUNT_ERASED,
    ERRORS,
    NO_PASSPORT,
    PAYMENT_DECLINED,
    PAYMENT_NOT_FOUND,
    REUSED,
    UNKNOWN_PLAN,
)
from services.billing.events import ReturnCause
from services.billing.money import RecordFailure, RecordPayment, RecordReturn
from services.billing.passport import Passport
from services.billing.payments import Charge, Declined, Paid, PaymentProvider


class Renewal(msgspec.Struct, frozen=True):
    """A period that is due, as the log told it."""

    player_id: str
    passport_id: str
    period: int
    attempt: int
    amount_centavos: int


class MoneyMetrics:
    """What became of money."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.payments = Counter(
            "carteado_billing_payments",
            "Charges and returns, by kind (purchase, renewal, refund, chargeback, withdrawal) and outcome",
            ["kind", "outcome"],
            registry=registry,
        )
        self.centavos = Counter(
            "carteado_billing_centavos",
            "Centavos of BRL that came in (purchase, renewal) or went back (refund, chargeback, withdrawal)",
            ["kind"],
            registry=registry,
        )


class Passports:
    """Every method may run on every replica, and again. All raise ServiceError with a code of the catalogue."""

    def __init__(
        self,
        accounts: Accounts,
        provider: PaymentProvider,
        now: Callable[[], datetime],
        metrics: MoneyMetrics,
    ) -> None:
        self._accounts = accounts
        self._provider = provider
        self._now = now
        self._metrics = metrics

    async def account(self, player_id: str) -> AccountState:
        """The account as the log has it."""
        return (await self._accounts.load(player_id)).state

    async def open(self, player_id: str, registered_at: datetime, command_id: str) -> bool:
        """A player has registered. Whether the account is new."""
        body = OpenAccount(player_id, registered_at)
        answer = await self._accounts.handle(player_id, body, command_id=command_id, actor="service:accounts")
        _accept(answer, ACCOUNT_ALREADY_OPEN.code, ACCOUNT_ERASED.code)
        return not isinstance(answer, Rejection) and not answer.duplicate

    async def erase(self, player_id: str, command_id: str) -> bool:
        """A player is erased: nothing is charged any more. Whether that is new."""
        answer = await self._accounts.handle(
            player_id, EraseAccount(player_id), command_id=command_id, actor="service:accounts"
        )
        _accept(answer, ACCOUNT_ERASED.code)
        return not isinstance(answer, Rejection) and not answer.duplicate

    async def buy(self, player_id: str, plan_name: str, command_id: str) -> Passport:
        """Charges the first period and begins a passport, which has the command's id."""
        plan = CURRENT.plan(plan_name)
        if plan is None:
            raise UNKNOWN_PLAN.error(field="plan")
        bought = BuyPassport(command_id, plan.name, self._provider.name, "", plan.price_centavos)
        known = await self._first(player_id, command_id, bought)
        if known is not None:
            if known.plan != plan.name:
                raise REUSED.error(field="command_id")
            return known
        charged = await self._provider.charge(
            Charge(f"{player_id}/{command_id}", player_id, plan.price_centavos)
        )
        match charged:
            case Declined():
                self._metrics.payments.labels("purchase", "declined").inc()
                raise PAYMENT_DECLINED.error()
            case Paid():
                pass
            case _:
                assert_never(charged)
        answer = await self._accounts.handle(
            player_id,
            msgspec.structs.replace(bought, payment_id=charged.payment_id),
            command_id=command_id,
            body_hash=hash_body(("buy", plan.name)),
            actor=f"player:{player_id}",
        )
        if isinstance(answer, Rejection):
            # Another purchase was faster: what was taken for this one goes back.
            await self._provider.give_back(charged.payment_id, plan.price_centavos, command_id)
            self._metrics.payments.labels("purchase", "overtaken").inc()
            raise ERRORS[answer.code].error(facts=answer.facts)
        if not answer.duplicate:
            self._count("purchase", plan.price_centavos)
        return _passport(answer.command.after)

    async def cancel(self, player_id: str, command_id: str) -> Passport:
        """No renewal: access runs to the paid end."""
        answer = await self._accounts.handle(
            player_id, CancelPassport(), command_id=command_id, actor=f"player:{player_id}"
        )
        if isinstance(answer, Rejection):
            raise ERRORS[answer.code].error(facts=answer.facts)
        return _passport(answer.command.after)

    async def withdraw(self, player_id: str, command_id: str) -> Passport:
        """The player withdraws from the purchase: all of the money goes back, and access ends."""
        state = await self.account(player_id)
        if state.passport is None:
            raise NO_PASSPORT.error()
        first = state.passport.payments[0]
        left = first.amount_centavos - first.returned_centavos
        actor = f"player:{player_id}"
        return await self._return(player_id, first.id, left, "withdrawal", command_id, actor)

    async def refund(
        self, player_id: str, payment_id: str, amount_centavos: int, command_id: str, actor: str
    ) -> Passport:
        """An operator gives money back; 0: all that is left."""
        amount = amount_centavos or await self._left(player_id, payment_id)
        return await self._return(player_id, payment_id, amount, "refund", command_id, actor)

    async def charge_back(self, player_id: str, payment_id: str, command_id: str, actor: str) -> Passport:
        """The payer's bank took the money back."""
        left = await self._left(player_id, payment_id)
        return await self._return(player_id, payment_id, left, "chargeback", command_id, actor)

    async def renew(self, renewal: Renewal, command_id: str) -> str:
        """Charges a period that is due, unless the passport has moved on; says what became of it."""
        passport = (await self.account(renewal.player_id)).passport
        is_due = (
            passport is not None
            and passport.id == renewal.passport_id
            and not (passport.is_cancelled or passport.has_ended)
            and passport.period + 1 == renewal.period
        )
        if not is_due:
            return "not_due"
        key = f"{renewal.player_id}/{renewal.passport_id}/{renewal.period}"
        charged = await self._provider.charge(
            Charge(key, renewal.player_id, renewal.amount_centavos, renewal.attempt)
        )
        body: RecordPayment | RecordFailure
        if isinstance(charged, Paid):
            body = RecordPayment(
                renewal.passport_id, renewal.period, charged.payment_id, renewal.amount_centavos
            )
        else:
            body = RecordFailure(renewal.passport_id, renewal.period, renewal.attempt)
        outcome = await self.record(renewal.player_id, body, command_id)
        if isinstance(charged, Paid) and outcome == "recorded":
            self._count("renewal", renewal.amount_centavos)
        elif isinstance(charged, Declined):
            self._metrics.payments.labels("renewal", "declined").inc()
        return "paid" if isinstance(charged, Paid) else "declined"

    async def record(
        self, player_id: str, body: RecordPayment | RecordFailure | RecordReturn, command_id: str
    ) -> str:
        """Writes a provider's notice down: "recorded", or the code that says why it changes nothing."""
        answer = await self._accounts.handle(
            player_id, body, command_id=command_id, actor=f"provider:{self._provider.name}"
        )
        if isinstance(answer, Rejection):
            return answer.code
        return "known" if answer.duplicate else "recorded"

    async def _return(
        self,
        player_id: str,
        payment_id: str,
        amount_centavos: int,
        cause: ReturnCause,
        command_id: str,
        actor: str,
    ) -> Passport:
        body = RecordReturn(payment_id, command_id, amount_centavos, cause)
        known = await self._first(player_id, command_id, body)
        if known is not None:
            return known
        if cause != "chargeback":
            returned = await self._provider.give_back(payment_id, amount_centavos, command_id)
            body = msgspec.structs.replace(body, return_id=returned.return_id)
        answer = await self._accounts.handle(
            player_id,
            body,
            command_id=command_id,
            body_hash=hash_body((cause, payment_id)),
            actor=actor,
        )
        if isinstance(answer, Rejection):
            raise ERRORS[answer.code].error(facts=answer.facts)
        if not answer.duplicate:
            self._count(cause, amount_centavos)
        return _passport(answer.command.after)

    async def _first(self, player_id: str, command_id: str, body: AccountCommand) -> Passport | None:
        """The outcome of a known command id; None: it is new, and nothing speaks against it. A refusal is raised before
        the provider is asked.
        """
        decided = ACCOUNT.decide(await self.account(player_id), Command(command_id, "", self._now(), body))
        # Read after the state: a refusal because of this very command, in another call's hands, is found to be that.
        for command in await self._accounts.history(player_id):
            if command.command_id == command_id:
                return _passport(command.after)
        if isinstance(decided, Rejection):
            raise ERRORS[decided.code].error(facts=decided.facts)
        return None

    async def _left(self, player_id: str, payment_id: str) -> int:
        passport = (await self.account(player_id)).passport
        payment = None if passport is None else passport.payment(payment_id)
        if payment is None:
            raise PAYMENT_NOT_FOUND.error(field="payment_id")
        # Of one that went back in full the whole is asked again: the answer is that it went back, or the first outcome.
        return payment.amount_centavos - payment.returned_centavos or payment.amount_centavos

    def _count(self, kind: str, amount_centavos: int) -> None:
        self._metrics.payments.labels(kind, "done").inc()
        self._metrics.centavos.labels(kind).inc(amount_centavos)


def _accept(answer: object, *already: str) -> None:
    if isinstance(answer, Rejection) and answer.code not in already:
        raise ERRORS[answer.code].error(facts=answer.facts)


def _passport(state: AccountState) -> Passport:
    if state.passport is None:
        raise NO_PASSPORT.error()
    return state.passport
