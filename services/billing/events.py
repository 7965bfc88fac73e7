"""What stands in the log of billing: of days and reservations here, of accounts in `account_events`. Ids and times.

These structs are the storage format. What the plan catalogue decided is in the event, with the catalogue's name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from libs.eventlog.registry import EventRegistry
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
    """A match may begin: all of its players have access, and their quota of `day` is taken, until `held_until` unless
    the match is heard to have ended.
    """

    match_id: str
    preset: str
    room: Room
    day: str
    players: tuple[Admitted, ...]
    catalogue: str
    held_until: datetime | None = None


class MatchReleased(msgspec.Struct, frozen=True):
    """The match came to nothing for these players."""

    match_id: str
    player_ids: tuple[str, ...]


class MatchBarred(msgspec.Struct, frozen=True):
    """The match came to nothing before its reservation came: that one is refused from here on."""

    match_id: str


class ReservationExpired(msgspec.Struct, frozen=True):
    """Nobody has said for hours how the match ended: what it took is to be given back."""

    match_id: str


class MatchSettled(msgspec.Struct, frozen=True):
    """The match was played: what was taken stays taken."""

    match_id: str


ReservationEvent = MatchReserved | MatchBarred | MatchReleased | ReservationExpired | MatchSettled

BillingEvent = AccountEvent | PlayerDayEvent | ReservationEvent

EVENT_TYPES: dict[str, type[BillingEvent]] = {
    "billing.account_opened": AccountOpened,
    "billing.purchase_due": PurchaseDue,
    "billing.purchase_declined": PurchaseDeclined,
    "billing.passport_bought": PassportBought,
    "billing.renewal_due": RenewalDue,
    "billing.renewal_failed": RenewalFailed,
    "billing.passport_renewed": PassportRenewed,
    "billing.passport_cancelled": PassportCancelled,
    "billing.passport_ended": PassportEnded,
    "billing.return_due": ReturnDue,
    "billing.answer_overdue": AnswerOverdue,
    "billing.passport_revoked": PassportRevoked,
    "billing.money_returned": MoneyReturned,
    "billing.review_needed": ReviewNeeded,
    "billing.account_erased": AccountErased,
    "billing.quota_taken": QuotaTaken,
    "billing.quota_given_back": QuotaGivenBack,
    "billing.player_day_ended": PlayerDayEnded,
    "billing.match_reserved": MatchReserved,
    "billing.match_barred": MatchBarred,
    "billing.match_released": MatchReleased,
    "billing.reservation_expired": ReservationExpired,
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
