"""The time in which a load counts: after a warm-up, for so many seconds, all loops running before and after."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Mapping

from tests.bench.machine import busy_s, cpu_s_by_pid
from tests.bench.measurement import Measurement, measured

_WARM_UP_SHARE = 0.5
_MOST_WARM_UP_S = 1.0
_SETTLED_SHARE = 0.05


class Window:
    """Opens for `seconds` after a warm-up; what ends within it is counted.

    To read everybody's CPU time at the start holds the load up for some milliseconds, and what has queued then says nothing of the
    platform: times are those of what begins a twentieth of the window later.

    `watched` gives process ids by name: their CPU time within the window is measured beside the load's own. `profiled`
    is a process that is told by signals when to profile itself (see `profiled`), or None.
    """

    def __init__(self, seconds: float, watched: Mapping[str, int], profiled: int | None = None) -> None:
        self.seconds = seconds
        self.warm_up_s = min(_MOST_WARM_UP_S, seconds * _WARM_UP_SHARE)
        self._is_over = False
        self._watched = watched
        self._profiled = profiled
        self._count = 0
        self._times_s: list[float] = []
        self._frames = 0
        self._is_counting = False
        self._began_at = self._settled_at = 0.0
        self._measured_s = 0.0
        self._cpu_s: dict[str, float] = {}
        self._busy_s = 0.0

    def open(self) -> None:
        """The warm-up begins now."""
        asyncio.get_running_loop().call_later(self.warm_up_s, self._begin)

    def is_over(self) -> bool:
        """Whether nothing counts any more, so that the loops may end."""
        return self._is_over

    def note(self, sent_at: float) -> None:
        """Something that began at `sent_at` (by `time.perf_counter`) has been acknowledged."""
        if self._is_counting:
            self._count += 1
            if sent_at >= self._settled_at:
                self._times_s.append(time.perf_counter() - sent_at)

    def note_frame(self) -> None:
        """A frame for a viewer has come."""
        if self._is_counting:
            self._frames += 1

    def result(self) -> Measurement:
        """What was counted, with the frames a second and the CPU microseconds for each thing that was counted.

        `other_cores` is how many cores worked on average for processes that are not watched.
        """
        facts = {
            f"{name}_cpu_us": spent_s / max(1, self._count) * 1e6 for name, spent_s in self._cpu_s.items()
        }
        facts["frames_s"] = self._frames / self._measured_s
        facts["other_cores"] = max(0.0, self._busy_s - sum(self._cpu_s.values())) / self._measured_s
        return measured(self._count, self._measured_s, self._times_s, facts)

    def _begin(self) -> None:
        self._tell(signal.SIGUSR1)
        self._cpu_s, self._busy_s = self._spent(), busy_s()
        asyncio.get_running_loop().call_later(self.seconds, self._finish)
        self._is_counting, self._began_at = True, time.perf_counter()
        self._settled_at = self._began_at + self.seconds * _SETTLED_SHARE

    def _finish(self) -> None:
        # The loop is busy, so its timers are late: what counts is the time that has passed.
        self._is_counting, self._measured_s = False, time.perf_counter() - self._began_at
        self._busy_s = busy_s() - self._busy_s
        self._cpu_s = {name: spent_s - self._cpu_s[name] for name, spent_s in self._spent().items()}
        self._tell(signal.SIGUSR2)
        self._is_over = True

    def _tell(self, number: signal.Signals) -> None:
        if self._profiled is not None:
            os.kill(self._profiled, number)

    def _spent(self) -> dict[str, float]:
        spent_s = cpu_s_by_pid(self._watched.values())
        return {"load": time.process_time(), **{name: spent_s[pid] for name, pid in self._watched.items()}}
