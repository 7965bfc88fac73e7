"""São Paulo's days, and periods of months: every question of a date is answered here, from a moment alone.

A period ends on the day of the month on which its passport began, at that time in São Paulo, or on the month's last day
if it is shorter (fault B109). Each end is counted from the beginning, so that a short month moves no later one.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

SAO_PAULO: Final = ZoneInfo("America/Sao_Paulo")


def day_of(moment: datetime) -> str:
    """The day in São Paulo, such as `2026-12-01`.

    >>> day_of(datetime(2026, 10, 1, 2, 59, 59, tzinfo=UTC)), day_of(datetime(2026, 10, 1, 3, tzinfo=UTC))
    ('2026-09-30', '2026-10-01')
    """
    return moment.astimezone(SAO_PAULO).date().isoformat()


def day_ends_at(day: str) -> datetime:
    """The first moment that belongs to the next day."""
    following = date.fromisoformat(day) + timedelta(days=1)
    return datetime.combine(following, time(0), SAO_PAULO).astimezone(UTC)


def months_after(began_at: datetime, months: int) -> datetime:
    """The same day and time in São Paulo so many months later.

    >>> months_after(datetime(2027, 1, 31, 13, tzinfo=UTC), 1).isoformat()
    '2027-02-28T13:00:00+00:00'
    """
    local = began_at.astimezone(SAO_PAULO)
    year, month = divmod(local.year * 12 + local.month - 1 + months, 12)
    day = min(local.day, monthrange(year, month + 1)[1])
    return local.replace(year=year, month=month + 1, day=day, fold=0).astimezone(UTC)
