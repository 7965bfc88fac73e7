"""Billing's reactions: a registration opens an account, an erasure ends it, a closed table settles or releases its
match, and the provider is asked for what is due.

Each command's id comes from the message's service, partition and position: doubled, late and shuffled delivery change
nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from prometheus_client import CollectorRegistry, Counter

from carteado.accounts.v1.events_pb2 import PlayerErased, PlayerRegistered
from carteado.billing.v1.events_pb2 import PurchaseDue, RenewalDue, ReservationExpired, ReturnDue
from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed
from libs.eventlog.reactions import Message
from services.billing.doors import Doors
from services.billing.passports import Passports
from services.billing.provider_calls import ProviderCalls, Renewal

REGISTERED_SUBJECT: Final = "carteado.accounts.registered.v1"
ERASED_SUBJECT: Final = "carteado.accounts.erased.v1"
CLOSED_SUBJECT: Final = "carteado.table.closed.v1"

_PLAYED: Final = frozenset(
    {view_pb2.END_REASON_FINISHED, view_pb2.END_REASON_ABANDONED, view_pb2.END_REASON_WALKOVER}
)
"""A match that everybody left is not void: the day's quota stays used (ruling G-06)."""


class MalformedMessageError(Exception):
    """A message cannot be read: it is put aside with this reason."""


class Reactions:
    """Every method may run on every replica, and again. All raise EventLogError when the log cannot answer."""

    def __init__(
        self, passports: Passports, calls: ProviderCalls, doors: Doors, registry: CollectorRegistry
    ) -> None:
        self._passports = passports
        self._calls = calls
        self._doors = doors
        self._outcomes = Counter(
            "carteado_billing_reactions",
            "Messages of other services, and what is due from the provider, by what became of them",
            ["message", "outcome"],
            registry=registry,
        )

    async def registered(self, message: Message) -> None:
        """Opens the account; its trial runs from the time at which accounts registered it."""
        player_id = PlayerRegistered.FromString(message.data).player_id
        is_new = await self._passports.open(
            _known_id(player_id), _told_at(message), message.command_id("billing-registered")
        )
        self._outcomes.labels("registered", "opened" if is_new else "known").inc()

    async def erased(self, message: Message) -> None:
        """Ends the account."""
        player_id = PlayerErased.FromString(message.data).player_id
        is_new = await self._passports.erase(_known_id(player_id), message.command_id("billing-erased"))
        self._outcomes.labels("erased", "erased" if is_new else "known").inc()

    async def closed(self, message: Message) -> None:
        """Gives the quota of a void match back; a played one keeps it."""
        table = TableClosed.FromString(message.data)
        match_id = _known_id(table.table_id)
        if table.result.reason in _PLAYED:
            is_done = await self._doors.settle(match_id, message.command_id("billing-closed"))
            outcome = "settled"
        else:
            is_done = await self._doors.give_back(match_id)
            outcome = "released"
        self._outcomes.labels("closed", outcome if is_done else "not_reserved").inc()

    async def reservation_expired(self, message: Message) -> None:
        """Gives the quota of a match back whose end nobody has told."""
        match_id = _known_id(ReservationExpired.FromString(message.data).match_id)
        is_done = await self._doors.give_back(match_id)
        self._outcomes.labels("reservation_expired", "released" if is_done else "over").inc()

    async def purchase_due(self, message: Message) -> None:
        """Charges a purchase, if the replica that took it has not."""
        due = PurchaseDue.FromString(message.data)
        outcome = await self._calls.purchase(_known_id(due.player_id), due.passport_id)
        self._outcomes.labels("purchase_due", outcome).inc()

    async def renewal_due(self, message: Message) -> None:
        """Charges the period."""
        due = RenewalDue.FromString(message.data)
        player_id = _known_id(due.player_id)
        renewal = Renewal(player_id, due.passport_id, due.period, due.attempt, due.amount_centavos)
        self._outcomes.labels("renewal_due", await self._calls.renew(renewal)).inc()

    async def return_due(self, message: Message) -> None:
        """Gives money back."""
        due = ReturnDue.FromString(message.data)
        outcome = await self._calls.give_back(_known_id(due.player_id), due.return_key)
        self._outcomes.labels("return_due", outcome).inc()


def _known_id(text: str) -> str:
    if not text:
        raise MalformedMessageError("the message names nobody")
    return text


def _told_at(message: Message) -> datetime:
    try:
        told_at = datetime.fromisoformat(message.headers.get("ce-time", ""))
    except ValueError:
        raise MalformedMessageError("the message does not say when it happened") from None
    if told_at.tzinfo is None:
        raise MalformedMessageError("the message's time has no zone")
    return told_at
