"""Opens accounts, and buys, cancels and returns passports: the wishes of players and operators.

A wish is written down under its command's id before the provider is asked (`provider_calls`), so the same wish again is
answered as the first time, and of two that exclude each other one is refused before any money moves.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from libs.eventlog.decider import Rejection
from libs.eventlog.decision import hash_body
from services.billing.account import EraseAccount, OpenAccount
from services.billing.account_events import (
    MoneyReturned,
    PassportBought,
    PassportRevoked,
    PurchaseDeclined,
    ReturnCause,
    ReturnDue,
)
from services.billing.catalogue import CURRENT
from services.billing.doors import Accounts
from services.billing.errors import (
    ACCOUNT_ALREADY_OPEN,
    ACCOUNT_ERASED,
    ERRORS,
    NO_PASSPORT,
    PAYMENT_DECLINED,
    PROVIDER_AWAY,
    PURCHASE_UNDER_WAY,
    UNKNOWN_PLAN,
)
from services.billing.money import RecordFailure, RecordPayment
from services.billing.passport import Passport
from services.billing.provider_calls import MoneyMetrics, ProviderCalls
from services.billing.purchase import CancelPassport, StartPurchase
from services.billing.returns import RecordReturn, StartReturn
from services.billing.state import AccountState

_TRIES: Final = 3


class Passports:
    """Every method may run on every replica, and again. All raise ServiceError with a code of the catalogue."""

    def __init__(self, accounts: Accounts, calls: ProviderCalls, metrics: MoneyMetrics) -> None:
        self._accounts = accounts
        self._calls = calls
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
        if CURRENT.plan(plan_name) is None:
            raise UNKNOWN_PLAN.error(field="plan")
        await self._want(player_id, StartPurchase(command_id, plan_name, self._calls.provider_name))
        await self._calls.purchase(player_id, command_id)
        for command in reversed(await self._accounts.history(player_id)):
            for event in command.events:
                if isinstance(event, PassportBought) and event.passport_id == command_id:
                    return _passport(command.after)
                if isinstance(event, PurchaseDeclined) and event.passport_id == command_id:
                    raise PAYMENT_DECLINED.error()
        raise (ACCOUNT_ERASED if (await self.account(player_id)).is_erased else PROVIDER_AWAY).error()

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
        return await self._return(player_id, "", 0, "withdrawal", command_id, f"player:{player_id}")

    async def refund(
        self, player_id: str, payment_id: str, amount_centavos: int, command_id: str, actor: str
    ) -> Passport:
        """An operator gives money back; 0: all that is left. Gives the payment's passport."""
        return await self._return(player_id, payment_id, amount_centavos, "refund", command_id, actor)

    async def charge_back(self, player_id: str, payment_id: str, command_id: str, actor: str) -> Passport:
        """The payer's bank took the money back. Gives the payment's passport."""
        answer = await self._accounts.handle(
            player_id,
            RecordReturn(payment_id, command_id, 0, "chargeback"),
            command_id=command_id,
            body_hash=hash_body(("chargeback", payment_id)),
            actor=actor,
        )
        if isinstance(answer, Rejection):
            raise ERRORS[answer.code].error(facts=answer.facts)
        told = answer.command.events[0]
        assert isinstance(told, MoneyReturned | PassportRevoked)
        if not answer.duplicate:
            self._metrics.done("chargeback", told.amount_centavos)
        return _passport(answer.command.after, told.passport_id)

    async def record(
        self, player_id: str, body: RecordPayment | RecordFailure | RecordReturn, command_id: str
    ) -> str:
        """Writes a provider's notice down: "recorded", or the code that says why it changes nothing."""
        answer = await self._accounts.handle(
            player_id, body, command_id=command_id, actor=f"provider:{self._calls.provider_name}"
        )
        if isinstance(answer, Rejection):
            return answer.code
        return "known" if answer.duplicate else "recorded"

    async def _want(self, player_id: str, body: StartPurchase) -> None:
        """Writes a purchase down. One that is under way is brought to its end first: it decides about this one."""
        for _ in range(_TRIES):
            answer = await self._accounts.handle(
                player_id,
                body,
                command_id=body.passport_id,
                body_hash=hash_body(("buy", body.plan)),
                actor=f"player:{player_id}",
            )
            if not isinstance(answer, Rejection):
                return
            if answer.code != PURCHASE_UNDER_WAY.code:
                raise ERRORS[answer.code].error(facts=answer.facts)
            earlier = (await self.account(player_id)).purchase
            if earlier is not None:
                await self._calls.purchase(player_id, earlier.passport_id)
        raise PURCHASE_UNDER_WAY.error()

    async def _return(
        self,
        player_id: str,
        payment_id: str,
        amount_centavos: int,
        cause: ReturnCause,
        command_id: str,
        actor: str,
    ) -> Passport:
        answer = await self._accounts.handle(
            player_id,
            StartReturn(command_id, payment_id, amount_centavos, cause),
            command_id=command_id,
            body_hash=hash_body((cause, payment_id, amount_centavos)),
            actor=actor,
        )
        if isinstance(answer, Rejection):
            raise ERRORS[answer.code].error(facts=answer.facts)
        due = answer.command.events[0]
        assert isinstance(due, ReturnDue)
        await self._calls.give_back(player_id, due.return_key)
        return _passport(await self.account(player_id), due.passport_id)


def _accept(answer: object, *already: str) -> None:
    if isinstance(answer, Rejection) and answer.code not in already:
        raise ERRORS[answer.code].error(facts=answer.facts)


def _passport(state: AccountState, passport_id: str = "") -> Passport:
    """The last passport, or the one of this id."""
    passport = state.passport_of(passport_id) if passport_id else state.passport
    if passport is None:
        raise NO_PASSPORT.error()
    return passport
