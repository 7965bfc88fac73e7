"""What the provider's notices of a payment, and of a failed one, do to an account. Pure; its decider asks it.

A notice may come twice, late, or after one that was made later. It names its passport and period, and that decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from libs.eventlog.decider import Rejection
from services.billing.account_events import (
    AccountEvent,
    PassportBought,
    PassportRenewed,
    PurchaseDeclined,
    PurchaseDue,
    RenewalFailed,
    ReturnDue,
    ReviewNeeded,
)
from services.billing.catalogue import CATALOGUES
from services.billing.errors import ACCOUNT_ERASED, NOT_DUE, PERIOD_ALREADY_PAID
from services.billing.overdue import ASK_AGAIN
from services.billing.passport import Passport
from services.billing.state import AccountState, bought


class RecordPayment(msgspec.Struct, frozen=True):
    """A period of a passport was paid; the first one begins it."""

    passport_id: str
    period: int
    payment_id: str
    amount_centavos: int


class RecordFailure(msgspec.Struct, frozen=True):
    """A period of a passport could not be paid."""

    passport_id: str
    period: int
    attempt: int


def decide_money(
    state: AccountState, body: RecordPayment | RecordFailure, at: datetime
) -> Sequence[AccountEvent] | Rejection:
    """The events of a notice, or why it changes nothing."""
    purchase = _purchase(state, body)
    if purchase is not None:
        if isinstance(body, RecordPayment):
            return (_begin(purchase, body, at),)
        return (PurchaseDeclined(state.player_id, purchase.passport_id, purchase.plan),)
    return _paid(state, body) if isinstance(body, RecordPayment) else _failed(state, body)


def decide_money_after_erasure(
    state: AccountState, body: RecordPayment | RecordFailure, at: datetime
) -> Sequence[AccountEvent] | Rejection:
    """The answer to a charge that was under way when the player was erased: what was taken goes back."""
    purchase, passport = _purchase(state, body), state.passport_of(body.passport_id)
    is_renewal = passport is not None and passport.is_asked and body.period == passport.period + 1
    if isinstance(body, RecordPayment) and (purchase is not None or is_renewal):
        return (
            ReturnDue(
                player_id=state.player_id,
                passport_id=body.passport_id,
                payment_id=body.payment_id,
                return_key=f"erasure/{body.payment_id}",
                amount_centavos=body.amount_centavos,
                cause="erasure",
                ends_passport=False,
                ask_again_at=at + ASK_AGAIN,
            ),
        )
    if purchase is not None:
        return (PurchaseDeclined(state.player_id, purchase.passport_id, purchase.plan),)
    return _failed(state, body) if is_renewal and isinstance(body, RecordFailure) else _gone()


def _gone() -> Rejection:
    return Rejection(ACCOUNT_ERASED.code)


def _purchase(state: AccountState, body: RecordPayment | RecordFailure) -> PurchaseDue | None:
    """The purchase that a notice is about. A payment may come after a failure that was told first (fault B102)."""
    may_come_late = isinstance(body, RecordPayment) and not state.is_erased
    told = (state.purchase, state.declined) if may_come_late else (state.purchase,)
    return next(
        (one for one in told if one and one.passport_id == body.passport_id and body.period == 1), None
    )


def _begin(purchase: PurchaseDue, body: RecordPayment, at: datetime) -> PassportBought:
    begun = PassportBought(
        player_id=purchase.player_id,
        passport_id=purchase.passport_id,
        plan=purchase.plan,
        months=purchase.months,
        provider=purchase.provider,
        payment_id=body.payment_id,
        amount_centavos=body.amount_centavos,
        bought_at=at,
        paid_until=at,
        withdraw_until=at + CATALOGUES[purchase.catalogue].withdrawal,
        catalogue=purchase.catalogue,
    )
    return msgspec.structs.replace(begun, paid_until=bought(begun).end_of_period(1))


def _paid(state: AccountState, body: RecordPayment) -> Sequence[AccountEvent] | Rejection:
    passport = state.passport_of(body.passport_id)
    if passport is not None and body.period <= passport.period:
        return Rejection(PERIOD_ALREADY_PAID.code)
    if passport is None or not _runs(state, passport):
        if body.payment_id in state.reviewed:
            return Rejection(PERIOD_ALREADY_PAID.code)
        return (
            ReviewNeeded(
                state.player_id, body.passport_id, body.payment_id, body.amount_centavos, "passport_has_ended"
            ),
        )
    if body.period != passport.period + 1:
        return Rejection(NOT_DUE.code)
    return (
        PassportRenewed(
            player_id=state.player_id,
            passport_id=passport.id,
            period=body.period,
            payment_id=body.payment_id,
            amount_centavos=body.amount_centavos,
            paid_until=passport.end_of_period(body.period),
        ),
    )


def _failed(state: AccountState, body: RecordFailure) -> Sequence[AccountEvent] | Rejection:
    passport = state.passport_of(body.passport_id)
    if passport is not None and body.period <= passport.period:
        return Rejection(PERIOD_ALREADY_PAID.code)
    if (
        passport is None
        or passport.grace_until is None
        or not passport.is_asked
        or body.period != passport.period + 1
        or body.attempt > passport.attempt
    ):
        return Rejection(NOT_DUE.code)
    return (RenewalFailed(state.player_id, passport.id, body.period, body.attempt, passport.grace_until),)


def _runs(state: AccountState, passport: Passport) -> bool:
    return passport == state.passport and not passport.has_ended
