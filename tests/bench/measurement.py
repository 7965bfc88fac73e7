"""What one measurement gives, in the form in which workers hand it to the bench."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Measurement(msgspec.Struct, frozen=True):
    """So many things within so many seconds, and how long each took.

    `facts` are further figures by name, units in the names.
    """

    count: int
    seconds: float
    p50_ms: float | None = None
    p99_ms: float | None = None
    facts: dict[str, float] = {}

    @property
    def rate(self) -> float:
        """Things a second."""
        return self.count / self.seconds


def measured(
    count: int, seconds: float, times_s: Sequence[float] = (), facts: dict[str, float] | None = None
) -> Measurement:
    """A measurement of `count` things, some or all of which took `times_s`."""
    ordered = sorted(times_s)
    return Measurement(count, seconds, _quantile_ms(ordered, 0.5), _quantile_ms(ordered, 0.99), facts or {})


def _quantile_ms(ordered: Sequence[float], share: float) -> float | None:
    """The smallest time that at least this share of all does not exceed."""
    if not ordered:
        return None
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000
