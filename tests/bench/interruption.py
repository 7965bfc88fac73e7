"""Ctrl-C and its like."""

from __future__ import annotations

import signal
from types import FrameType


class Interruption:
    """What Python runs around a fork may swallow the exception of a signal, so it is also remembered."""

    def __init__(self) -> None:
        self._was_asked = False

    def listen(self) -> None:
        """From now on these signals end the bench."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup stays nohup
                signal.signal(number, self._ask)

    def check(self) -> None:
        """Raises KeyboardInterrupt if one of them has come."""
        if self._was_asked:
            raise KeyboardInterrupt

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        if self._was_asked:
            return  # what was started is being stopped, which is bounded; stopping that would leave it behind
        self._was_asked = True
        raise KeyboardInterrupt
