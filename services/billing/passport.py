"""A passport as the log knows it: what is paid, until when it opens doors, and what happens to it next."""

from __future__ import annotations

from datetime import datetime

import msgspec

from services.billing.calendar import months_after
from services.billing.catalogue import CATALOGUES, Catalogue


class Payment(msgspec.Struct, frozen=True):
    """A period's money, and how much of it went back."""

    id: str
    period: int
    amount_centavos: int
    returned_centavos: int = 0
    returns: tuple[str, ...] = ()


class Passport(msgspec.Struct, frozen=True):
    """Periods are counted from 1. `attempt` is the number of the next period's last attempt, or 0; `is_asked` while the
    provider may be charging it.
    """

    id: str
    plan: str
    months: int
    provider: str
    price_centavos: int
    bought_at: datetime
    paid_until: datetime
    withdraw_until: datetime
    catalogue: str
    payments: tuple[Payment, ...]
    attempt: int = 0
    next_attempt_at: datetime | None = None
    grace_until: datetime | None = None
    is_asked: bool = False
    is_cancelled: bool = False
    has_ended: bool = False

    @property
    def period(self) -> int:
        """The last period that is paid."""
        return self.payments[-1].period

    @property
    def numbers(self) -> Catalogue:
        """The catalogue by which it was sold."""
        return CATALOGUES[self.catalogue]

    @property
    def opens_until(self) -> datetime:
        """The first moment at which it opens no door. One that renews by itself has its grace on top."""
        if self.is_cancelled:
            return self.paid_until
        return self.grace_until or self.paid_until + self.numbers.grace

    def is_valid(self, at: datetime) -> bool:
        """Whether it opens doors at this moment."""
        return not self.has_ended and at < self.opens_until

    def is_in_grace(self, at: datetime) -> bool:
        """Whether it is valid though its paid time is over."""
        return self.is_valid(at) and at >= self.paid_until

    def end_of_period(self, period: int) -> datetime:
        """Until when a period runs, counted from the purchase (fault B109)."""
        return months_after(self.bought_at, self.months * period)

    def payment(self, payment_id: str) -> Payment | None:
        """One of its payments."""
        return next((one for one in self.payments if one.id == payment_id), None)
