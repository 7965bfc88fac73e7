"""São Paulo's days and weeks: every question of "which week?" is answered here, from a moment alone.

A week is named by its Monday, such as `2026-11-30`; a match counts for the week, and the day, in which it ended.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

SAO_PAULO: Final = ZoneInfo("America/Sao_Paulo")

_CLOSING: Final = time(0, 10)
"""When the week before is closed, on a Monday."""

_SEALED_AFTER: Final = timedelta(days=15)
"""Longer than the message bus keeps a result, so that nothing that can still come is refused."""


def day_of(moment: datetime) -> str:
    """The day in São Paulo, such as `2026-12-01`.

    >>> day_of(datetime(2026, 11, 2, 2, 59, 59, 999_999, tzinfo=UTC))
    '2026-11-01'
    """
    return moment.astimezone(SAO_PAULO).date().isoformat()


def week_of(moment: datetime) -> str:
    """The week in São Paulo, by its Monday.

    >>> week_of(datetime(2026, 11, 2, 2, 59, 59, 999_999, tzinfo=UTC)), week_of(datetime(2026, 11, 2, 3, tzinfo=UTC))
    ('2026-10-26', '2026-11-02')
    """
    day = moment.astimezone(SAO_PAULO).date()
    return (day - timedelta(days=day.weekday())).isoformat()


def is_week(text: str) -> bool:
    """Whether it names a week: a Monday in its one spelling.

    >>> is_week("2026-11-30"), is_week("2026-12-01"), is_week("20261130")
    (True, False, False)
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    # Far enough from both ends of the calendar that every date derived from it exists.
    return day.isoformat() == text and day.weekday() == 0 and 2000 <= day.year < 9000


def ends_at(week: str) -> datetime:
    """The first moment that belongs to the next week."""
    return _on_next_monday(week, time(0))


def closes_at(week: str) -> datetime:
    """When the week is closed by itself: the Monday after it, 00:10."""
    return _on_next_monday(week, _CLOSING)


def sealed_at(week: str) -> datetime:
    """From when on the week takes no correction any more."""
    return closes_at(week) + _SEALED_AFTER


def year_of(moment: datetime) -> int:
    """The year in São Paulo.

    >>> year_of(datetime(2027, 1, 1, 2, 59, tzinfo=UTC)), year_of(datetime(2027, 1, 1, 3, tzinfo=UTC))
    (2026, 2027)
    """
    return moment.astimezone(SAO_PAULO).year


def year_ends_at(year: int) -> datetime:
    """The first moment that belongs to the next year."""
    return datetime(year + 1, 1, 1, tzinfo=SAO_PAULO).astimezone(UTC)


def _on_next_monday(week: str, at: time) -> datetime:
    monday = date.fromisoformat(week) + timedelta(days=7)
    return datetime.combine(monday, at, SAO_PAULO).astimezone(UTC)
