"""What the person at the terminal reads: progress and warnings on stderr, the one `ready` line on stdout.

A terminal that has gone away must not stop the stack from stopping, so what cannot be written is dropped.
"""

import os
import sys
import time
from collections.abc import Sequence

_RED, _YELLOW, _GREEN, _DIM, _PLAIN = "\033[31m", "\033[33m", "\033[32m", "\033[2m", "\033[0m"


class Console:
    """Lines with the name of whom they are about in front, coloured if stderr is a terminal."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._is_coloured = sys.stderr.isatty() and "NO_COLOR" not in os.environ

    def progress(self, about: str, line: str) -> None:
        """Something goes as it should."""
        self._write(about, line, _DIM)

    def warn(self, about: str, line: str, detail: Sequence[str] = ()) -> None:
        """Something died or waits; the stack goes on. `detail` are lines of its log."""
        self._write(about, line, _YELLOW)
        for quoted in detail:
            self._write(about, f"  {quoted}", _RED)

    def ready(self, url: str) -> None:
        """Everything serves."""
        try:
            print(f"ready {url}", flush=True)
        except OSError:
            return

    def _write(self, about: str, line: str, colour: str) -> None:
        text = f"{time.monotonic() - self._started:6.1f} s  "
        text += f"{colour}{about:<9}{_PLAIN} {line}" if self._is_coloured else f"{about:<9} {line}"
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:
            return
