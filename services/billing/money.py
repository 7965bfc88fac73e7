"""What a payment, a failed one, and money that goes back do to a passport. Pure; the account's decider asks it.

A notice may come twice, late, or after one that was made later. It names its period or its payment, and that decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from libs.eventlog.decider import Rejection
from services.billing.errors import (
    ALREADY_RETURNED,
    MORE_THAN_PAID,
    NOT_DUE,
    PAYMENT_NOT_FOUND,
    PERIOD_ALREADY_PAID,
    WITHDRAWAL_TOO_LATE,
)
from services.billing.events import (
    AccountEvent,
    MoneyReturned,
    PassportRenewed,
    PassportRevoked,
    RenewalFailed,
    ReturnCause,
    ReviewNeeded,
)
from services.billing.passport import Passport


class RecordPayment(msgspec.Struct, frozen=True):
    """A period of a passport was paid."""

    passport_id: str
    period: int
    payment_id: str
    amount_centavos: int


class RecordFailure(msgspec.Struct, frozen=True):
    """A period of a passport could not be paid."""

    passport_id: str
    period: int
    attempt: int


class RecordReturn(msgspec.Struct, frozen=True):
    """Money of a payment went back. `return_id` is the provider's."""

    payment_id: str
    return_id: str
    amount_centavos: int
    cause: ReturnCause


def decide_money(
    player_id: str,
    passport: Passport | None,
    reviewed: Sequence[str],
    body: RecordPayment | RecordFailure | RecordReturn,
    at: datetime,
) -> Sequence[AccountEvent] | Rejection:
    """The events of a notice for the account's last passport, or why it changes nothing."""
    match body:
        case RecordPayment():
            return _paid(player_id, passport, reviewed, body)
        case RecordFailure():
            return _failed(player_id, passport, body)
        case RecordReturn():
            return _returned(player_id, passport, body, at)


def _paid(
    player_id: str, passport: Passport | None, reviewed: Sequence[str], body: RecordPayment
) -> Sequence[AccountEvent] | Rejection:
    is_current = passport is not None and passport.id == body.passport_id
    if passport is not None and is_current and body.period <= passport.period:
        return Rejection(PERIOD_ALREADY_PAID.code)
    if passport is None or not is_current or passport.has_ended:
        if body.payment_id in reviewed:
            return Rejection(PERIOD_ALREADY_PAID.code)
        return (
            ReviewNeeded(
                player_id, body.passport_id, body.payment_id, body.amount_centavos, "passport_has_ended"
            ),
        )
    if body.period != passport.period + 1:
        return Rejection(NOT_DUE.code)
    return (
        PassportRenewed(
            player_id=player_id,
            passport_id=passport.id,
            period=body.period,
            payment_id=body.payment_id,
            amount_centavos=body.amount_centavos,
            paid_until=passport.end_of_period(body.period),
        ),
    )


def _failed(
    player_id: str, passport: Passport | None, body: RecordFailure
) -> Sequence[AccountEvent] | Rejection:
    if passport is None or passport.id != body.passport_id or passport.has_ended:
        return Rejection(NOT_DUE.code)
    if body.period <= passport.period:
        return Rejection(PERIOD_ALREADY_PAID.code)
    if passport.grace_until is None or body.period != passport.period + 1 or body.attempt > passport.attempt:
        return Rejection(NOT_DUE.code)
    return (RenewalFailed(player_id, passport.id, body.period, body.attempt, passport.grace_until),)


def _returned(
    player_id: str, passport: Passport | None, body: RecordReturn, at: datetime
) -> Sequence[AccountEvent] | Rejection:
    payment = None if passport is None else passport.payment(body.payment_id)
    if passport is None or payment is None:
        return Rejection(PAYMENT_NOT_FOUND.code)
    if body.return_id in payment.returns or payment.returned_centavos == payment.amount_centavos:
        return Rejection(ALREADY_RETURNED.code)
    left = payment.amount_centavos - payment.returned_centavos
    if not 0 < body.amount_centavos <= left:
        return Rejection(MORE_THAN_PAID.code, {"left_centavos": str(left)})
    if body.cause == "withdrawal" and (at >= passport.withdraw_until or payment.period != 1):
        return Rejection(WITHDRAWAL_TOO_LATE.code, {"until": passport.withdraw_until.isoformat()})
    told = (player_id, passport.id, payment.id, body.return_id, body.amount_centavos, body.cause)
    if body.amount_centavos < left:
        review = ReviewNeeded(player_id, passport.id, payment.id, body.amount_centavos, "partial_return")
        return (MoneyReturned(*told), review)
    is_past = payment.period < passport.period and at >= passport.end_of_period(payment.period)
    if passport.has_ended or is_past:
        return (MoneyReturned(*told),)
    return (PassportRevoked(*told),)
