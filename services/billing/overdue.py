"""When the provider's answer is overdue: whoever asked may be gone, so others are told. Pure; the account's decider asks it.

As long as the replica that took a wish is there, nobody else asks the provider for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec

from libs.eventlog.decider import Deadline, Rejection
from services.billing.account_events import AnswerOverdue
from services.billing.errors import NOT_DUE
from services.billing.state import AccountState

ASK_AGAIN: Final = timedelta(seconds=10)
"""Longer than one who asks waits for the provider and the log."""


class TellOverdue(msgspec.Struct, frozen=True):
    """The time has come at which an answer should stand here."""

    due: Literal["purchase", "return"]
    key: str


def tell_overdue(state: AccountState, body: TellOverdue, at: datetime) -> Sequence[AnswerOverdue] | Rejection:
    """Others are told, once, of what has no answer."""
    for due, key, ask_again_at in state.unanswered():
        if (due, key) == (body.due, body.key) and at >= ask_again_at:
            return (AnswerOverdue(state.player_id, due, key),)
    return Rejection(NOT_DUE.code)


def overdue_deadlines(state: AccountState) -> Sequence[Deadline]:
    """When others are told, of each call without an answer."""
    return [Deadline(ask_again_at, TellOverdue(due, key)) for due, key, ask_again_at in state.unanswered()]
