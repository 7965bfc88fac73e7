"""An account's access: its one trial, its passport, and the money that opens and closes it.

Access follows the money, and money is told in any order and any number of times: a period counts once, whoever tells of
it (fault B103), what is paid is not undone by an older failure (B102), what went back is not restored by an older
payment (B107). The provider is asked only for what stands here as due.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.billing.account_events import AccountErased, AccountEvent, AccountOpened
from services.billing.catalogue import CURRENT
from services.billing.errors import ACCOUNT_ALREADY_OPEN, ACCOUNT_ERASED, ACCOUNT_NOT_FOUND
from services.billing.money import (
    RecordFailure,
    RecordPayment,
    decide_money,
    decide_money_after_erasure,
)
from services.billing.overdue import TellOverdue, overdue_deadlines, tell_overdue
from services.billing.public import public_message
from services.billing.purchase import (
    AskRenewal,
    CancelPassport,
    EndPassport,
    StartPurchase,
    ask_renewal,
    cancel,
    end,
    start_purchase,
)
from services.billing.returns import (
    RecordReturn,
    StartReturn,
    decide_return,
    finish_return,
    record_return,
)
from services.billing.state import AccountState, evolve_account


class OpenAccount(msgspec.Struct, frozen=True):
    """A player has registered."""

    player_id: str
    registered_at: datetime


class EraseAccount(msgspec.Struct, frozen=True):
    """The player is erased."""

    player_id: str


AccountCommand = (
    OpenAccount
    | StartPurchase
    | CancelPassport
    | AskRenewal
    | EndPassport
    | RecordPayment
    | RecordFailure
    | StartReturn
    | RecordReturn
    | TellOverdue
    | EraseAccount
)


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
            return _after_erasure(state, body, command.at)
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
            case StartPurchase():
                return start_purchase(state, body, command.at)
            case CancelPassport():
                return cancel(state, command.at)
            case AskRenewal():
                return ask_renewal(state, body, command.at)
            case EndPassport():
                return end(state, body, command.at)
            case RecordPayment() | RecordFailure():
                return decide_money(state, body, command.at)
            case StartReturn():
                return decide_return(state, body, command.at)
            case RecordReturn():
                return record_return(state, body, command.at)
            case TellOverdue():
                return tell_overdue(state, body, command.at)
            case _:
                assert_never(body)

    def evolve(self, state: AccountState, event: AccountEvent) -> AccountState:
        """The account after an event."""
        return evolve_account(state, event)

    def deadlines(self, state: AccountState) -> Sequence[Deadline]:
        """A passport is renewed, or ends; and others are told of what the provider has not answered."""
        passport = state.passport
        overdue = overdue_deadlines(state)
        if state.is_erased or passport is None or passport.has_ended:
            return overdue
        if passport.is_cancelled:
            return (*overdue, Deadline(passport.paid_until, EndPassport(passport.id)))
        due_at = passport.next_attempt_at or passport.paid_until
        if passport.grace_until is not None and due_at >= passport.grace_until:
            return (*overdue, Deadline(passport.grace_until, EndPassport(passport.id)))
        ask = AskRenewal(passport.id, passport.period + 1, passport.attempt + 1)
        return (*overdue, Deadline(due_at, ask))

    def is_ended(self, state: AccountState) -> bool:
        """An account's stream goes on until its player is erased and the provider owes no answer."""
        return state.is_erased and not state.has_money_under_way

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
        """What is due from the provider: billing's own replicas ask it."""
        return public_message(event)


ACCOUNT = AccountDecider()


def _after_erasure(
    state: AccountState, body: AccountCommand, at: datetime
) -> Sequence[AccountEvent] | Rejection:
    """Nothing begins any more; what the provider was asked for before is brought to its end."""
    match body:
        case RecordPayment() | RecordFailure():
            return decide_money_after_erasure(state, body, at)
        case TellOverdue():
            return tell_overdue(state, body, at)
        case RecordReturn() if state.due_return(body.return_key) is not None:
            return finish_return(state, body)
        case _:
            return Rejection(ACCOUNT_ERASED.code)
