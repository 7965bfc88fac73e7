"""What the log says of an account, event by event. It holds no rule: `account` and what it asks decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Literal, assert_never

import msgspec

from services.billing.account_events import (
    AccountErased,
    AccountEvent,
    AccountOpened,
    AnswerOverdue,
    MoneyReturned,
    PassportBought,
    PassportCancelled,
    PassportEnded,
    PassportRenewed,
    PassportRevoked,
    PurchaseDeclined,
    PurchaseDue,
    RenewalDue,
    RenewalFailed,
    ReturnDue,
    ReviewNeeded,
)
from services.billing.passport import Passport, Payment

_MOST_REVIEWED = 64
_MOST_OVERDUE = 64


class AccountState(msgspec.Struct, frozen=True):
    """`trial_until` is None before the registration is known. The last passport stays after its end, until another one
    is bought; `earlier` ones follow it, the oldest first. `purchase` and `returns` wait for the provider; `declined` is the
    last purchase, if it was declined: a payment of it may yet come. `overdue` are the keys of which others were told.
    """

    player_id: str = ""
    trial_until: datetime | None = None
    is_erased: bool = False
    passport: Passport | None = None
    earlier: tuple[Passport, ...] = ()
    purchase: PurchaseDue | None = None
    declined: PurchaseDue | None = None
    returns: tuple[ReturnDue, ...] = ()
    overdue: tuple[str, ...] = ()
    reviewed: tuple[str, ...] = ()

    @property
    def passports(self) -> tuple[Passport, ...]:
        """All of them, the newest first."""
        return (*(() if self.passport is None else (self.passport,)), *reversed(self.earlier))

    @property
    def has_money_under_way(self) -> bool:
        """Whether the provider has yet to say what became of a charge or a return."""
        return self.purchase is not None or bool(self.returns) or any(one.is_asked for one in self.passports)

    def unanswered(self) -> Iterator[tuple[Literal["purchase", "return"], str, datetime]]:
        """What the provider was asked for and others were not told of yet: its key, and when they are."""
        purchase = self.purchase
        if purchase is not None and purchase.ask_again_at and purchase.passport_id not in self.overdue:
            yield "purchase", purchase.passport_id, purchase.ask_again_at
        for one in self.returns:
            if one.ask_again_at is not None and one.return_key not in self.overdue:
                yield "return", one.return_key, one.ask_again_at

    def passport_of(self, passport_id: str) -> Passport | None:
        """The passport of this id."""
        return next((one for one in self.passports if one.id == passport_id), None)

    def due_return(self, key: str) -> ReturnDue | None:
        """The return under this key that the provider has not made yet."""
        return next((one for one in self.returns if one.return_key == key), None)

    def left_centavos(self, payment: Payment) -> int:
        """What neither went back of a payment nor is about to."""
        due = sum(one.amount_centavos for one in self.returns if one.payment_id == payment.id)
        return payment.amount_centavos - payment.returned_centavos - due


def evolve_account(state: AccountState, event: AccountEvent) -> AccountState:
    """The account after an event."""
    replace = msgspec.structs.replace
    match event:
        case AccountOpened():
            return replace(state, player_id=event.player_id, trial_until=event.trial_until)
        case AccountErased():
            return replace(state, player_id=event.player_id, is_erased=True)
        case PurchaseDue():
            return replace(state, purchase=event, declined=None)
        case PurchaseDeclined():
            return replace(state, purchase=None, declined=state.purchase)
        case PassportBought():
            before = () if state.passport is None else (state.passport,)
            return replace(
                state, passport=bought(event), earlier=(*state.earlier, *before), purchase=None, declined=None
            )
        case ReturnDue():
            return _return_due(state, event)
        case AnswerOverdue():
            return replace(state, overdue=(*state.overdue, event.key)[-_MOST_OVERDUE:])
        case MoneyReturned():
            left = tuple(one for one in state.returns if one.return_key != event.return_key)
            return _with_passport(
                replace(state, returns=left), event.passport_id, lambda one: _returned(one, event)
            )
        case ReviewNeeded():
            reviewed = (*state.reviewed, event.payment_id)[-_MOST_REVIEWED:]
            is_answer = event.reason == "passport_has_ended"
            return _with_passport(
                replace(state, reviewed=reviewed),
                event.passport_id,
                lambda one: replace(one, is_asked=one.is_asked and not is_answer),
            )
    return _with_passport(state, event.passport_id, lambda one: _evolve_passport(one, event))


def bought(event: PassportBought) -> Passport:
    """A passport as it begins."""
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


def _return_due(state: AccountState, event: ReturnDue) -> AccountState:
    """What goes back because of an erasure is the answer to a charge, too."""
    replace = msgspec.structs.replace
    is_answer = event.cause == "erasure"
    is_purchase = state.purchase is not None and state.purchase.passport_id == event.passport_id
    due = replace(
        state,
        returns=(*state.returns, event),
        purchase=None if is_answer and is_purchase else state.purchase,
    )
    return _with_passport(
        due,
        event.passport_id,
        lambda one: replace(
            one,
            has_ended=one.has_ended or event.ends_passport,
            is_asked=one.is_asked and not is_answer,
        ),
    )


def _with_passport(
    state: AccountState, passport_id: str, change: Callable[[Passport], Passport]
) -> AccountState:
    """The account with one of its passports changed; money of one that never began changes none."""
    return msgspec.structs.replace(
        state,
        passport=None if state.passport is None else _changed(state.passport, passport_id, change),
        earlier=tuple(_changed(one, passport_id, change) for one in state.earlier),
    )


def _changed(passport: Passport, passport_id: str, change: Callable[[Passport], Passport]) -> Passport:
    return change(passport) if passport.id == passport_id else passport


def _evolve_passport(
    passport: Passport,
    event: RenewalDue | RenewalFailed | PassportRenewed | PassportCancelled | PassportEnded | PassportRevoked,
) -> Passport:
    replace = msgspec.structs.replace
    match event:
        case RenewalDue():
            return replace(
                passport,
                attempt=event.attempt,
                next_attempt_at=event.next_attempt_at,
                grace_until=event.grace_until,
                is_asked=True,
            )
        case RenewalFailed():
            return replace(passport, is_asked=False)
        case PassportRenewed():
            return replace(
                passport,
                paid_until=event.paid_until,
                payments=(*passport.payments, Payment(event.payment_id, event.period, event.amount_centavos)),
                attempt=0,
                next_attempt_at=None,
                grace_until=None,
                is_asked=False,
            )
        case PassportCancelled():
            return replace(passport, is_cancelled=True)
        case PassportEnded():
            return replace(passport, has_ended=True)
        case PassportRevoked():
            return replace(_returned(passport, event), has_ended=True)
        case _:
            assert_never(event)


def _returned(passport: Passport, event: PassportRevoked | MoneyReturned) -> Passport:
    payments = tuple(
        msgspec.structs.replace(
            payment,
            returned_centavos=payment.returned_centavos + event.amount_centavos,
            returns=(*payment.returns, event.return_id),
        )
        if payment.id == event.payment_id
        else payment
        for payment in passport.payments
    )
    return msgspec.structs.replace(passport, payments=payments)
