"""When a group commit waits a moment for more commands.

Waiting is almost always wrong: while a commit is under way the next group gathers by itself, and for a lone command any
wait is pure delay. Only when many streams are active and groups stay tiny all the same (commands trickle in one by one,
as from unary calls) does a millisecond buy a larger group and more throughput.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

_TINY: Final = 4
_MANY: Final = 32
_GROUPS: Final = 64
_WINDOW_S: Final = 0.1


class Linger:
    """Decides from the last groups: their sizes, their times, and how many streams they were for."""

    def __init__(self, linger_s: float = 0.0015) -> None:
        self._linger_s = linger_s
        self._groups: deque[tuple[float, frozenset[str]]] = deque(maxlen=_GROUPS)

    def note(self, streams: Iterable[str], at: float) -> None:
        """A group was committed: its streams, and the time in seconds of a monotonic clock."""
        self._groups.append((at, frozenset(streams)))

    def delay_s(self, at: float) -> float:
        """How long to wait before the next group is taken, in seconds: 0, or a little over a millisecond."""
        if len(self._groups) < _GROUPS or at - self._groups[0][0] > _WINDOW_S:
            return 0.0
        if sum(len(streams) for _, streams in self._groups) >= _TINY * _GROUPS:
            return 0.0
        active = frozenset[str]().union(*(streams for _, streams in self._groups))
        return self._linger_s if len(active) >= _MANY else 0.0
