"""How a passport begins, is cancelled, comes to be renewed and ends. Pure; the account's decider asks it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from libs.eventlog.decider import Rejection
from services.billing.account_events import (
    AccountEvent,
    EndReason,
    PassportCancelled,
    PassportEnded,
    PurchaseDue,
    RenewalDue,
)
from services.billing.catalogue import CURRENT
from services.billing.errors import (
    NO_PASSPORT,
    NOT_DUE,
    PASSPORT_ALREADY_CANCELLED,
    PASSPORT_ALREADY_VALID,
    PURCHASE_UNDER_WAY,
    UNKNOWN_PLAN,
)
from services.billing.overdue import ASK_AGAIN
from services.billing.state import AccountState


class StartPurchase(msgspec.Struct, frozen=True):
    """The player wants a passport of this plan, which the provider is to charge."""

    passport_id: str
    plan: str
    provider: str


class CancelPassport(msgspec.Struct, frozen=True):
    """No renewal is wanted."""


class AskRenewal(msgspec.Struct, frozen=True):
    """The time of a renewal's attempt has come."""

    passport_id: str
    period: int
    attempt: int


class EndPassport(msgspec.Struct, frozen=True):
    """The passport's time is over."""

    passport_id: str


def start_purchase(
    state: AccountState, body: StartPurchase, at: datetime
) -> Sequence[AccountEvent] | Rejection:
    """One passport at a time: a second one would take money for time that is paid already, or about to be."""
    plan = CURRENT.plan(body.plan)
    if plan is None:
        return Rejection(UNKNOWN_PLAN.code)
    if state.purchase is not None:
        return Rejection(PURCHASE_UNDER_WAY.code)
    if state.passport is not None and state.passport.is_valid(at):
        return Rejection(PASSPORT_ALREADY_VALID.code, {"until": state.passport.opens_until.isoformat()})
    return (
        PurchaseDue(
            player_id=state.player_id,
            passport_id=body.passport_id,
            plan=plan.name,
            months=plan.months,
            provider=body.provider,
            amount_centavos=plan.price_centavos,
            catalogue=CURRENT.name,
            ask_again_at=at + ASK_AGAIN,
        ),
    )


def cancel(state: AccountState, at: datetime) -> Sequence[AccountEvent] | Rejection:
    """Access runs to the paid end."""
    passport = state.passport
    if passport is None or not passport.is_valid(at):
        return Rejection(NO_PASSPORT.code)
    if passport.is_cancelled:
        return Rejection(PASSPORT_ALREADY_CANCELLED.code)
    return (PassportCancelled(state.player_id, passport.id, passport.paid_until),)


def ask_renewal(state: AccountState, body: AskRenewal, at: datetime) -> Sequence[AccountEvent] | Rejection:
    """The next period is to be charged, unless the passport has moved on."""
    passport = state.passport
    if (
        passport is None
        or passport.id != body.passport_id
        or passport.has_ended
        or passport.is_cancelled
        or body.period != passport.period + 1
        or body.attempt != passport.attempt + 1
    ):
        return Rejection(NOT_DUE.code)
    # An outage of ours at the paid end costs the player nothing: the grace runs from the first attempt.
    grace_until = passport.grace_until or max(at, passport.paid_until) + passport.numbers.grace
    return (
        RenewalDue(
            player_id=state.player_id,
            passport_id=passport.id,
            period=body.period,
            attempt=body.attempt,
            provider=passport.provider,
            amount_centavos=passport.price_centavos,
            next_attempt_at=at + passport.numbers.renewal_every,
            grace_until=grace_until,
        ),
    )


def end(state: AccountState, body: EndPassport, at: datetime) -> Sequence[AccountEvent] | Rejection:
    """The passport's time is over, if it is."""
    passport = state.passport
    if passport is None or passport.id != body.passport_id or passport.has_ended or passport.is_valid(at):
        return Rejection(NOT_DUE.code)
    reason: EndReason = "cancelled" if passport.is_cancelled else "unpaid"
    return (PassportEnded(state.player_id, passport.id, reason),)
