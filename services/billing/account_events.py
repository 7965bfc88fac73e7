"""What stands in the log of an account: its trial, its passports, and the money. Never a card or whom a provider knows.

These structs are the storage format. What the plan catalogue decided is in the event, with the catalogue's name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

ReturnCause = Literal["refund", "chargeback", "withdrawal", "erasure"]
"""Why money goes back: an operator returned it, the payer's bank took it back, the player withdrew within the time, the
player was erased while it was being charged.
"""

EndReason = Literal["cancelled", "unpaid"]
"""Why a passport ended by itself: it was cancelled and its paid time is over, or its renewal was not paid in time."""

ReviewReason = Literal["passport_has_ended", "partial_return"]
"""Why an operator should look: paid for a passport that has ended, or a part of a payment went back."""


class AccountOpened(msgspec.Struct, frozen=True):
    """A player has registered; the one trial runs from then."""

    player_id: str
    registered_at: datetime
    trial_until: datetime
    catalogue: str


class PurchaseDue(msgspec.Struct, frozen=True):
    """The first period of a passport is to be paid; the provider is asked because this stands here, and by somebody else
    when its answer does not, at `ask_again_at`.
    """

    player_id: str
    passport_id: str
    plan: str
    months: int
    provider: str
    amount_centavos: int
    catalogue: str
    ask_again_at: datetime | None = None


class PurchaseDeclined(msgspec.Struct, frozen=True):
    """The provider did not get the money; nothing was bought."""

    player_id: str
    passport_id: str
    plan: str


class PassportBought(msgspec.Struct, frozen=True):
    """A passport begins, and its first period is paid."""

    player_id: str
    passport_id: str
    plan: str
    months: int
    provider: str
    payment_id: str
    amount_centavos: int
    bought_at: datetime
    paid_until: datetime
    withdraw_until: datetime
    catalogue: str


class RenewalDue(msgspec.Struct, frozen=True):
    """The next period is to be paid; access goes on until `grace_until`."""

    player_id: str
    passport_id: str
    period: int
    attempt: int
    provider: str
    amount_centavos: int
    next_attempt_at: datetime
    grace_until: datetime


class RenewalFailed(msgspec.Struct, frozen=True):
    """The provider did not get the money of a period."""

    player_id: str
    passport_id: str
    period: int
    attempt: int
    grace_until: datetime


class PassportRenewed(msgspec.Struct, frozen=True):
    """The next period is paid."""

    player_id: str
    passport_id: str
    period: int
    payment_id: str
    amount_centavos: int
    paid_until: datetime


class PassportCancelled(msgspec.Struct, frozen=True):
    """The player wants no renewal; access runs to the paid end."""

    player_id: str
    passport_id: str
    paid_until: datetime


class PassportEnded(msgspec.Struct, frozen=True):
    """The passport's time is over."""

    player_id: str
    passport_id: str
    reason: EndReason


class ReturnDue(msgspec.Struct, frozen=True):
    """Money of a payment is to go back under this key; the provider is asked because this stands here.

    `ends_passport`: nothing is left of what the passport was paid with, so it has ended at once. `ask_again_at` is as that
    of a purchase.
    """

    player_id: str
    passport_id: str
    payment_id: str
    return_key: str
    amount_centavos: int
    cause: ReturnCause
    ends_passport: bool
    ask_again_at: datetime | None = None


class AnswerOverdue(msgspec.Struct, frozen=True):
    """Whoever asked the provider has not written its answer down: whoever hears of this asks again, under the same key.

    `key` is the passport's id, or the return's key.
    """

    player_id: str
    due: Literal["purchase", "return"]
    key: str


class PassportRevoked(msgspec.Struct, frozen=True):
    """A payment was taken back in full by others: the passport has ended at once."""

    player_id: str
    passport_id: str
    payment_id: str
    return_id: str
    amount_centavos: int
    cause: ReturnCause


class MoneyReturned(msgspec.Struct, frozen=True):
    """Money of a payment went back: access is as it was. `return_key` names the `ReturnDue` that this answers, if any."""

    player_id: str
    passport_id: str
    payment_id: str
    return_id: str
    amount_centavos: int
    cause: ReturnCause
    return_key: str = ""


class ReviewNeeded(msgspec.Struct, frozen=True):
    """An operator should look at a payment."""

    player_id: str
    passport_id: str
    payment_id: str
    amount_centavos: int
    reason: ReviewReason


class AccountErased(msgspec.Struct, frozen=True):
    """The player is gone; nothing is charged any more."""

    player_id: str


AccountEvent = (
    AccountOpened
    | PurchaseDue
    | PurchaseDeclined
    | PassportBought
    | RenewalDue
    | RenewalFailed
    | PassportRenewed
    | PassportCancelled
    | PassportEnded
    | ReturnDue
    | AnswerOverdue
    | PassportRevoked
    | MoneyReturned
    | ReviewNeeded
    | AccountErased
)
