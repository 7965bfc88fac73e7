"""Asks the payment provider for what the log says is due, and writes down what it answers. Nothing else asks it.

The key of each call stands in the log before the call is made. So a crash before, in or after it costs nothing: whoever
is told of the same thing asks under the same key, and the provider has done it once. Two in one process share a call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, TypeVar
from uuid import UUID, uuid5

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Counter

from libs.eventlog.decider import Rejection
from libs.eventlog.decision import hash_body
from services.billing.account_events import AccountEvent, ReturnDue
from services.billing.doors import Accounts
from services.billing.errors import PROVIDER_AWAY
from services.billing.money import RecordFailure, RecordPayment
from services.billing.passport import Passport
from services.billing.payments import Charge, Declined, Paid, PaymentProvider, ProviderError
from services.billing.returns import RecordReturn
from services.billing.state import AccountState

TIMEOUT_S: Final = 3.5
"""How long the provider may take to answer: less than callers and messages wait for us, so that they are told."""

_IDS: Final = UUID("b1a7f0de-3c55-5a0c-8f44-2f1f0b7c9d10")
_Answered = TypeVar("_Answered")


class MoneyMetrics:
    """What became of money."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.payments = Counter(
            "carteado_billing_payments",
            "Charges and returns, by kind (purchase, renewal, refund, chargeback, withdrawal, erasure) and outcome",
            ["kind", "outcome"],
            registry=registry,
        )
        self.centavos = Counter(
            "carteado_billing_centavos",
            "Centavos of BRL that came in (purchase, renewal) or went back (the other kinds)",
            ["kind"],
            registry=registry,
        )

    def done(self, kind: str, amount_centavos: int) -> None:
        """Money has moved, and stands in the log."""
        self.payments.labels(kind, "done").inc()
        self.centavos.labels(kind).inc(amount_centavos)


class Renewal(msgspec.Struct, frozen=True):
    """A period that is due, as the log told it."""

    player_id: str
    passport_id: str
    period: int
    attempt: int
    amount_centavos: int


class ProviderCalls:
    """Every method may run on every replica, and again; each says what became of it. All raise EventLogError, and
    ServiceError PROVIDER_AWAY.
    """

    def __init__(self, accounts: Accounts, provider: PaymentProvider, metrics: MoneyMetrics) -> None:
        self._accounts = accounts
        self._provider = provider
        self._metrics = metrics
        self._under_way: dict[str, asyncio.Task[str]] = {}

    @property
    def provider_name(self) -> str:
        """As events name it."""
        return self._provider.name

    async def purchase(self, player_id: str, passport_id: str) -> str:
        """Charges the purchase that waits for it."""
        return await self._once(f"{player_id}/{passport_id}", partial(self._purchase, player_id, passport_id))

    async def renew(self, renewal: Renewal) -> str:
        """Charges a period that is due, unless the passport has moved on."""
        key = f"{renewal.player_id}/{renewal.passport_id}/{renewal.period}/{renewal.attempt}"
        return await self._once(key, partial(self._renew, renewal))

    async def give_back(self, player_id: str, return_key: str) -> str:
        """Gives back what is to go back under this key."""
        return await self._once(f"{player_id} {return_key}", partial(self._give_back, player_id, return_key))

    async def close(self) -> None:
        """Waits for nothing: what is under way is told again to whoever is there."""
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _purchase(self, player_id: str, passport_id: str) -> str:
        state = await self._state(player_id)
        due = state.purchase
        if due is None or due.passport_id != passport_id:
            return "not_due"
        key = f"{player_id}/{passport_id}"
        charged = await self._charge(
            Charge(key, player_id, due.amount_centavos), is_wanted=not state.is_erased
        )
        body = _notice(passport_id, 1, 1, due.amount_centavos, charged)
        return await self._write_charge("purchase", player_id, key, body)

    async def _renew(self, renewal: Renewal) -> str:
        state = await self._state(renewal.player_id)
        passport = state.passport_of(renewal.passport_id)
        if (
            passport is None
            or not passport.is_asked
            or (passport.period + 1, passport.attempt) != (renewal.period, renewal.attempt)
        ):
            return "not_due"
        key = f"{renewal.player_id}/{renewal.passport_id}/{renewal.period}"
        charged = await self._charge(
            Charge(key, renewal.player_id, renewal.amount_centavos, renewal.attempt),
            is_wanted=_is_renewing(state, passport),
        )
        body = _notice(renewal.passport_id, renewal.period, renewal.attempt, renewal.amount_centavos, charged)
        return await self._write_charge("renewal", renewal.player_id, f"{key}/{renewal.attempt}", body)

    async def _give_back(self, player_id: str, return_key: str) -> str:
        due = (await self._state(player_id)).due_return(return_key)
        if due is None:
            return "not_due"
        returned = await _in_time(
            self._provider.give_back(due.payment_id, due.amount_centavos, f"{player_id}/{return_key}")
        )
        body = RecordReturn(
            due.payment_id, returned.return_id, due.amount_centavos, due.cause, due.return_key
        )
        if await self._write(player_id, f"return {return_key}", body) is not None:
            self._metrics.done(due.cause, due.amount_centavos)
        return "returned"

    async def _charge(self, charge: Charge, *, is_wanted: bool) -> Paid | Declined:
        """Takes the money; of what is wanted no more, says whether it was taken by a replica that died."""
        if is_wanted:
            return await _in_time(self._provider.charge(charge))
        return await _in_time(self._provider.give_up(charge.key))

    async def _write_charge(
        self, kind: str, player_id: str, key: str, body: RecordPayment | RecordFailure
    ) -> str:
        events = await self._write(player_id, f"{kind} {key}", body)
        outcome = "declined" if isinstance(body, RecordFailure) else "paid"
        if events is not None and isinstance(body, RecordPayment):
            self._metrics.done(kind, body.amount_centavos)
        elif events is not None:
            self._metrics.payments.labels(kind, "declined").inc()
        for event in events or ():
            if isinstance(event, ReturnDue):
                await self.give_back(player_id, event.return_key)
        return outcome

    async def _write(
        self, player_id: str, what: str, body: RecordPayment | RecordFailure | RecordReturn
    ) -> list[AccountEvent] | None:
        """The events of an answer; None: it is known, or changes nothing."""
        answer = await self._accounts.handle(
            player_id,
            body,
            command_id=str(uuid5(_IDS, f"{player_id} {what}")),
            # Whoever asked first has the provider's answer: it is the same one for all.
            body_hash=hash_body(what),
            actor=f"provider:{self._provider.name}",
        )
        if isinstance(answer, Rejection):
            structlog.get_logger().warning("a provider's answer changes nothing", what=what, code=answer.code)
            return None
        return None if answer.duplicate else list(answer.command.events)

    async def _state(self, player_id: str) -> AccountState:
        return (await self._accounts.load(player_id)).state

    async def _once(self, key: str, work: Callable[[], Coroutine[Any, Any, str]]) -> str:
        """Joins the call under this key, or makes it. It goes on when who waits for it is gone."""
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(work())
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: str, task: asyncio.Task[str]) -> None:
        del self._under_way[key]
        if not task.cancelled() and task.exception() is not None:
            structlog.get_logger().warning("a provider's call failed", error=repr(task.exception()))


def _is_renewing(state: AccountState, passport: Passport) -> bool:
    return not (state.is_erased or passport.is_cancelled or passport.has_ended) and passport == state.passport


def _notice(
    passport_id: str, period: int, attempt: int, amount_centavos: int, charged: Paid | Declined
) -> RecordPayment | RecordFailure:
    if isinstance(charged, Declined):
        return RecordFailure(passport_id, period, attempt)
    return RecordPayment(passport_id, period, charged.payment_id, amount_centavos)


async def _in_time(call: Coroutine[Any, Any, _Answered]) -> _Answered:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            return await call
    except (TimeoutError, ProviderError) as error:
        raise PROVIDER_AWAY.error() from error
