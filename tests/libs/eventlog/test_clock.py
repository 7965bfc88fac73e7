from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from libs.eventlog.clock import DatabaseClock

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Times:
    """A database and a process whose clocks a test moves; an answer takes `travel_s` there and as long back."""

    def __init__(self) -> None:
        self.passed_s = 0.0
        self.travels_s = [0.01]
        self.database_ahead = timedelta(0)

    def monotonic(self) -> float:
        return 5000 + self.passed_s

    async def ask(self) -> datetime:
        travel_s = self.travels_s[0] if len(self.travels_s) == 1 else self.travels_s.pop(0)
        self.passed_s += travel_s
        told = NOON + timedelta(seconds=self.passed_s) + self.database_ahead
        self.passed_s += travel_s
        return told

    @property
    def true(self) -> datetime:
        return NOON + timedelta(seconds=self.passed_s) + self.database_ahead


def clock(times: Times) -> DatabaseClock:
    return DatabaseClock(times.ask, monotonic=times.monotonic)


async def test_it_shows_the_databases_time():
    times = Times()
    shown = clock(times)
    await shown.refresh()
    for _ in range(3):
        assert abs(shown.now() - times.true) < timedelta(milliseconds=1)
        times.passed_s += 7


async def test_b082_the_process_wall_clock_means_nothing(monkeypatch):
    times = Times()
    shown = clock(times)
    await shown.refresh()
    monkeypatch.setattr("time.time", lambda: 0.0)
    times.passed_s += 1
    assert abs(shown.now() - times.true) < timedelta(milliseconds=1)


async def test_the_quickest_answer_is_believed():
    times = Times()
    times.travels_s = [0.4, 0.3, 0.001, 0.5, 0.2]
    shown = clock(times)
    await shown.refresh()
    assert shown.uncertainty_s == pytest.approx(0.001)
    assert abs(shown.now() - times.true) <= timedelta(milliseconds=1)


async def test_a_difference_within_the_uncertainty_moves_nothing():
    times = Times()
    shown = clock(times)
    await shown.refresh()
    times.database_ahead = timedelta(milliseconds=5)
    before = shown.now()
    passed_s = times.passed_s
    await shown.refresh()
    assert (shown.now() - before).total_seconds() == pytest.approx(times.passed_s - passed_s, abs=1e-5)


async def test_it_follows_the_database():
    times = Times()
    shown = clock(times)
    await shown.refresh()
    times.database_ahead = timedelta(seconds=-90)
    await shown.refresh()
    assert abs(shown.now() - times.true) < timedelta(milliseconds=1)


def test_it_shows_nothing_before_it_was_set():
    with pytest.raises(RuntimeError):
        clock(Times()).now()


async def test_on_postgres_it_agrees_with_the_database(postgres_store):
    shown = DatabaseClock(postgres_store.now)
    await shown.start()
    told = await postgres_store.now()
    assert abs(shown.now() - told) < timedelta(milliseconds=200)
    await shown.stop()
