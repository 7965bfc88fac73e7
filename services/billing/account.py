"""An account's access: its one trial, its passport, and the money that opens and closes it.

Access follows the money, and money is told in any order and any number of times: a period counts once, whoever tells of
it (fault B103), what is paid is not undone by an older failure (B102), what went back is not restored by an older
payment (B107).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.billing.catalogue import CURRENT
from services.billing.errors import (
    ACCOUNT_ALREADY_OPEN,
    ACCOUNT_ERASED,
    ACCOUNT_NOT_FOUND,
    NO_PASSPORT,
    NOT_DUE,
    PASSPORT_ALREADY_CANCELLED,
    PASSPORT_ALREADY_VALID,
    UNKNOWN_PLAN,
)
from services.billing.events import (
    AccountErased,
    AccountEvent,
    AccountOpened,
    EndReason,
    MoneyReturned,
    PassportBought,
    PassportCancelled,
    PassportEnded,
    PassportRenewed,
    PassportRevoked,
    RenewalDue,
    RenewalFailed,
    ReviewNeeded,
)
from services.billing.money import RecordFailure, RecordPayment, RecordReturn, decide_money
from services.billing.passport import Passport, Payment
from services.billing.public import public_message


class OpenAccount(msgspec.Struct, frozen=True):
    """A player has registered."""

    player_id: str
    registered_at: datetime


class BuyPassport(msgspec.Struct, frozen=True):
    """The first period of a passport was paid."""

    passport_id: str
    plan: str
    provider: str
    payment_id: str
    amount_centavos: int


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


class EraseAccount(msgspec.Struct, frozen=True):
    """The player is erased."""

    player_id: str


AccountCommand = (
    OpenAccount
    | BuyPassport
    | CancelPassport
    | AskRenewal
    | EndPassport
    | RecordPayment
    | RecordFailure
    | RecordReturn
    | EraseAccount
)


class AccountState(msgspec.Struct, frozen=True):
    """`trial_until` is None before the registration is known. The last passport stays after its end."""

    player_id: str = ""
    trial_until: datetime | None = None
    is_erased: bool = False
    passport: Passport | None = None
    reviewed: tuple[str, ...] = ()


_MOST_REVIEWED = 64


class AccountDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "account"

    def initial(self) -> AccountState:
        """Nobody yet."""
        return AccountState()

    def decide(
        self, state: AccountState, command: Command[AccountCommand]
    ) -> Sequence[AccountEvent] | Rejection:
        """What a command does to the account."""
        body = command.body
        if state.is_erased:
            return Rejection(ACCOUNT_ERASED.code)
        match body:
            case OpenAccount():
                if state.trial_until is not None:
                    return Rejection(ACCOUNT_ALREADY_OPEN.code)
                until = body.registered_at + CURRENT.trial
                return (AccountOpened(body.player_id, body.registered_at, until, CURRENT.name),)
            case EraseAccount():
                return (AccountErased(body.player_id),)
        if state.trial_until is None:
            return Rejection(ACCOUNT_NOT_FOUND.code)
        match body:
            case BuyPassport():
                return _buy(state, body, command.at)
            case CancelPassport():
                return _cancel(state, command.at)
            case AskRenewal():
                return _ask_renewal(state, body, command.at)
            case EndPassport():
                return _end(state, body, command.at)
            case RecordPayment() | RecordFailure() | RecordReturn():
                return decide_money(state.player_id, state.passport, state.reviewed, body, command.at)
            case _:
                assert_never(body)

    def evolve(self, state: AccountState, event: AccountEvent) -> AccountState:
        """The account after an event."""
        replace = msgspec.structs.replace
        match event:
            case AccountOpened():
                return replace(state, player_id=event.player_id, trial_until=event.trial_until)
            case AccountErased():
                return replace(state, player_id=event.player_id, is_erased=True)
            case PassportBought():
                return replace(state, passport=_bought(event))
            case ReviewNeeded():
                return replace(state, reviewed=(*state.reviewed, event.payment_id)[-_MOST_REVIEWED:])
        assert state.passport is not None
        return replace(state, passport=_evolve_passport(state.passport, event))

    def deadlines(self, state: AccountState) -> Sequence[Deadline]:
        """A passport is renewed, or ends."""
        passport = state.passport
        if state.is_erased or passport is None or passport.has_ended:
            return ()
        if passport.is_cancelled:
            return (Deadline(passport.paid_until, EndPassport(passport.id)),)
        due_at = passport.next_attempt_at or passport.paid_until
        if passport.grace_until is not None and due_at >= passport.grace_until:
            return (Deadline(passport.grace_until, EndPassport(passport.id)),)
        return (Deadline(due_at, AskRenewal(passport.id, passport.period + 1, passport.attempt + 1)),)

    def is_ended(self, state: AccountState) -> bool:
        """An account's stream goes on until its player is erased."""
        return state.is_erased

    def state_hash(self, _state: AccountState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: AccountState, _viewer: None) -> AccountState:
        """All that the log knows; it holds no personal data."""
        return state

    def observe(
        self, event: AccountEvent, _before: AccountState, _after: AccountState, _viewer: None
    ) -> AccountEvent:
        """The event itself."""
        return event

    def publish(
        self, event: AccountEvent, _before: AccountState, _after: AccountState
    ) -> PublicMessage | None:
        """Renewals that are due, which billing's own replicas charge."""
        return public_message(event)


ACCOUNT = AccountDecider()


def _buy(state: AccountState, body: BuyPassport, at: datetime) -> Sequence[AccountEvent] | Rejection:
    """One passport at a time: a second one would take money for time that is paid already."""
    plan = CURRENT.plan(body.plan)
    if plan is None:
        return Rejection(UNKNOWN_PLAN.code)
    if state.passport is not None and state.passport.is_valid(at):
        return Rejection(PASSPORT_ALREADY_VALID.code, {"until": state.passport.opens_until.isoformat()})
    bought = PassportBought(
        player_id=state.player_id,
        passport_id=body.passport_id,
        plan=plan.name,
        months=plan.months,
        provider=body.provider,
        payment_id=body.payment_id,
        amount_centavos=body.amount_centavos,
        bought_at=at,
        paid_until=at,
        withdraw_until=at + CURRENT.withdrawal,
        catalogue=CURRENT.name,
    )
    return (msgspec.structs.replace(bought, paid_until=_bought(bought).end_of_period(1)),)


def _cancel(state: AccountState, at: datetime) -> Sequence[AccountEvent] | Rejection:
    passport = state.passport
    if passport is None or not passport.is_valid(at):
        return Rejection(NO_PASSPORT.code)
    if passport.is_cancelled:
        return Rejection(PASSPORT_ALREADY_CANCELLED.code)
    return (PassportCancelled(state.player_id, passport.id, passport.paid_until),)


def _ask_renewal(state: AccountState, body: AskRenewal, at: datetime) -> Sequence[AccountEvent] | Rejection:
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


def _end(state: AccountState, body: EndPassport, at: datetime) -> Sequence[AccountEvent] | Rejection:
    passport = state.passport
    if passport is None or passport.id != body.passport_id or passport.has_ended or passport.is_valid(at):
        return Rejection(NOT_DUE.code)
    reason: EndReason = "cancelled" if passport.is_cancelled else "unpaid"
    return (PassportEnded(state.player_id, passport.id, reason),)


def _bought(event: PassportBought) -> Passport:
    return Passport(
        id=event.passport_id,
        plan=event.plan,
        months=event.months,
        provider=event.provider,
        price_centavos=event.amount_centavos,
        bought_at=event.bought_at,
        paid_until=event.paid_until,
        withdraw_until=event.withdraw_until,
        catalogue=event.catalogue,
        payments=(Payment(event.payment_id, 1, event.amount_centavos),),
    )


def _evolve_passport(
    passport: Passport,
    event: RenewalDue
    | RenewalFailed
    | PassportRenewed
    | PassportCancelled
    | PassportEnded
    | PassportRevoked
    | MoneyReturned,
) -> Passport:
    replace = msgspec.structs.replace
    match event:
        case RenewalDue():
            return replace(
                passport,
                attempt=event.attempt,
                next_attempt_at=event.next_attempt_at,
                grace_until=event.grace_until,
            )
        case RenewalFailed():
            return passport
        case PassportRenewed():
            return replace(
                passport,
                paid_until=event.paid_until,
                payments=(*passport.payments, Payment(event.payment_id, event.period, event.amount_centavos)),
                attempt=0,
                next_attempt_at=None,
                grace_until=None,
            )
        case PassportCancelled():
            return replace(passport, is_cancelled=True)
        case PassportEnded():
            return replace(passport, has_ended=True)
        case PassportRevoked():
            return replace(passport, has_ended=True, payments=_returned(passport, event))
        case MoneyReturned():
            return replace(passport, payments=_returned(passport, event))
        case _:
            assert_never(event)


def _returned(passport: Passport, event: PassportRevoked | MoneyReturned) -> tuple[Payment, ...]:
    return tuple(
        msgspec.structs.replace(
            payment,
            returned_centavos=payment.returned_centavos + event.amount_centavos,
            returns=(*payment.returns, event.return_id),
        )
        if payment.id == event.payment_id
        else payment
        for payment in passport.payments
    )
