"""What stands in the log of billing: ids, times and centavos. Never a name, a card or whom a provider knows.

These structs are the storage format. What the plan catalogue decided is in the event, with the catalogue's name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from libs.eventlog.registry import EventRegistry

Room = Literal["livre", "treino", "ranqueada", "torneio"]

Reason = Literal[
    "free_game",
    "trial",
    "passport",
    "within_daily_limit",
    "daily_limit_reached",
    "passport_needed",
    "house_preset",
    "unknown_game",
    "unknown_player",
]
"""Why access is given or refused."""

ReturnCause = Literal["refund", "chargeback", "withdrawal"]
"""Why money goes back: an operator returned it, the payer's bank took it back, the player withdrew within the time."""

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


class PassportRevoked(msgspec.Struct, frozen=True):
    """A payment went back in full: the passport has ended at once."""

    player_id: str
    passport_id: str
    payment_id: str
    return_id: str
    amount_centavos: int
    cause: ReturnCause


class MoneyReturned(msgspec.Struct, frozen=True):
    """A part of a payment went back, or all of one whose period is over: access is as it was."""

    player_id: str
    passport_id: str
    payment_id: str
    return_id: str
    amount_centavos: int
    cause: ReturnCause


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
    | PassportBought
    | RenewalDue
    | RenewalFailed
    | PassportRenewed
    | PassportCancelled
    | PassportEnded
    | PassportRevoked
    | MoneyReturned
    | ReviewNeeded
    | AccountErased
)


class QuotaTaken(msgspec.Struct, frozen=True):
    """A match took one of the player's matches of a day; `used` counts it."""

    player_id: str
    day: str
    match_id: str
    used: int
    matches_a_day: int
    catalogue: str


class QuotaGivenBack(msgspec.Struct, frozen=True):
    """The match came to nothing."""

    player_id: str
    day: str
    match_id: str
    used: int


class PlayerDayEnded(msgspec.Struct, frozen=True):
    """The day is long over: nothing is given back any more."""

    player_id: str
    day: str
    used: int


PlayerDayEvent = QuotaTaken | QuotaGivenBack | PlayerDayEnded


class Admitted(msgspec.Struct, frozen=True):
    """Why a player may play a match. `matches_left` is None where no daily limit applies."""

    player_id: str
    reason: Reason
    rule: str
    valid_until: datetime
    matches_left: int | None = None


class MatchReserved(msgspec.Struct, frozen=True):
    """A match may begin: all of its players have access, and their quota of `day` is taken."""

    match_id: str
    preset: str
    room: Room
    day: str
    players: tuple[Admitted, ...]
    catalogue: str


class MatchReleased(msgspec.Struct, frozen=True):
    """The match came to nothing for these players."""

    match_id: str
    player_ids: tuple[str, ...]


class MatchSettled(msgspec.Struct, frozen=True):
    """The match was played: what was taken stays taken."""

    match_id: str


ReservationEvent = MatchReserved | MatchReleased | MatchSettled

BillingEvent = AccountEvent | PlayerDayEvent | ReservationEvent

EVENT_TYPES: dict[str, type[BillingEvent]] = {
    "billing.account_opened": AccountOpened,
    "billing.passport_bought": PassportBought,
    "billing.renewal_due": RenewalDue,
    "billing.renewal_failed": RenewalFailed,
    "billing.passport_renewed": PassportRenewed,
    "billing.passport_cancelled": PassportCancelled,
    "billing.passport_ended": PassportEnded,
    "billing.passport_revoked": PassportRevoked,
    "billing.money_returned": MoneyReturned,
    "billing.review_needed": ReviewNeeded,
    "billing.account_erased": AccountErased,
    "billing.quota_taken": QuotaTaken,
    "billing.quota_given_back": QuotaGivenBack,
    "billing.player_day_ended": PlayerDayEnded,
    "billing.match_reserved": MatchReserved,
    "billing.match_released": MatchReleased,
    "billing.match_settled": MatchSettled,
}
"""The registered names, as stored."""


def billing_events() -> EventRegistry[BillingEvent]:
    """The registry of all streams of billing."""
    registry: EventRegistry[BillingEvent] = EventRegistry()
    for name, event_type in EVENT_TYPES.items():
        registry.register(name, event_type)
    return registry


REGISTRY = billing_events()
