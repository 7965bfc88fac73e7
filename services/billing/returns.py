"""Money that goes back: because it is wanted here, or because others took it back. Pure; the account's decider asks it.

What is wanted here is written down before the provider is asked, so that two who want the same money back at once
(fault: both were given it) are told apart by the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from libs.eventlog.decider import Rejection
from services.billing.account_events import (
    AccountEvent,
    MoneyReturned,
    PassportRevoked,
    ReturnCause,
    ReturnDue,
    ReviewNeeded,
)
from services.billing.errors import (
    ALREADY_RETURNED,
    MORE_THAN_PAID,
    NO_PASSPORT,
    PAYMENT_NOT_FOUND,
    WITHDRAWAL_TOO_LATE,
)
from services.billing.overdue import ASK_AGAIN
from services.billing.passport import Passport, Payment
from services.billing.state import AccountState


class StartReturn(msgspec.Struct, frozen=True):
    """Money is to go back. `amount_centavos` 0: all that is left; a withdrawal names no payment, and means the first."""

    return_key: str
    payment_id: str
    amount_centavos: int
    cause: ReturnCause


class RecordReturn(msgspec.Struct, frozen=True):
    """Money of a payment went back. `return_id` is the provider's; `return_key` is that of a return wanted here, or empty.

    `amount_centavos` 0: all that is left.
    """

    payment_id: str
    return_id: str
    amount_centavos: int
    cause: ReturnCause
    return_key: str = ""


def decide_return(state: AccountState, body: StartReturn, at: datetime) -> Sequence[AccountEvent] | Rejection:
    """The return that is due from here on. All that is left of the running period ends the passport at once."""
    if body.cause == "withdrawal" and state.passport is None:
        return Rejection(NO_PASSPORT.code)
    found = _withdrawn(state) if body.cause == "withdrawal" else _find(state, body.payment_id)
    if found is None:
        return Rejection(PAYMENT_NOT_FOUND.code)
    passport, payment = found
    amount = _amount(state, payment, body.amount_centavos)
    if isinstance(amount, Rejection):
        return amount
    if body.cause == "withdrawal" and at >= passport.withdraw_until:
        return Rejection(WITHDRAWAL_TOO_LATE.code, {"until": passport.withdraw_until.isoformat()})
    is_all = amount == state.left_centavos(payment)
    return (
        ReturnDue(
            player_id=state.player_id,
            passport_id=passport.id,
            payment_id=payment.id,
            return_key=body.return_key,
            amount_centavos=amount,
            cause=body.cause,
            ends_passport=is_all and _carries(state, passport, payment, at),
            ask_again_at=at + ASK_AGAIN,
        ),
    )


def record_return(
    state: AccountState, body: RecordReturn, at: datetime
) -> Sequence[AccountEvent] | Rejection:
    """A return was made: one that is due here, or one that others made."""
    if body.return_key:
        return finish_return(state, body)
    found = _find(state, body.payment_id)
    if found is None:
        return Rejection(PAYMENT_NOT_FOUND.code)
    passport, payment = found
    if body.return_id in payment.returns:
        return Rejection(ALREADY_RETURNED.code)
    amount = _amount(state, payment, body.amount_centavos)
    if isinstance(amount, Rejection):
        return amount
    told = (state.player_id, passport.id, payment.id, body.return_id, amount, body.cause)
    if amount < state.left_centavos(payment):
        review = ReviewNeeded(state.player_id, passport.id, payment.id, amount, "partial_return")
        return (MoneyReturned(*told), review)
    if _carries(state, passport, payment, at):
        return (PassportRevoked(*told),)
    return (MoneyReturned(*told),)


def finish_return(state: AccountState, body: RecordReturn) -> Sequence[AccountEvent] | Rejection:
    """The provider has made a return that was due."""
    due = state.due_return(body.return_key)
    if due is None:
        return Rejection(ALREADY_RETURNED.code)
    returned = MoneyReturned(
        player_id=state.player_id,
        passport_id=due.passport_id,
        payment_id=due.payment_id,
        return_id=body.return_id,
        amount_centavos=due.amount_centavos,
        cause=due.cause,
        return_key=due.return_key,
    )
    found = _find(state, due.payment_id)
    if found is None or not state.left_centavos(found[1]):
        return (returned,)
    review = ReviewNeeded(
        state.player_id, due.passport_id, due.payment_id, due.amount_centavos, "partial_return"
    )
    return (returned, review)


def _find(state: AccountState, payment_id: str) -> tuple[Passport, Payment] | None:
    """The payment and its passport, which may be an earlier one."""
    for passport in state.passports:
        payment = passport.payment(payment_id)
        if payment is not None:
            return passport, payment
    return None


def _withdrawn(state: AccountState) -> tuple[Passport, Payment] | None:
    return None if state.passport is None else (state.passport, state.passport.payments[0])


def _amount(state: AccountState, payment: Payment, asked_centavos: int) -> int | Rejection:
    left = state.left_centavos(payment)
    if not left:
        return Rejection(ALREADY_RETURNED.code)
    amount = asked_centavos or left
    if not 0 < amount <= left:
        return Rejection(MORE_THAN_PAID.code, {"left_centavos": str(left)})
    return amount


def _carries(state: AccountState, passport: Passport, payment: Payment, at: datetime) -> bool:
    """Whether access rests on this payment: of the passport that runs, and of no period that is over."""
    is_past = payment.period < passport.period and at >= passport.end_of_period(payment.period)
    return passport == state.passport and not passport.has_ended and not is_past
