"""The table service with a profiler in it: `python -m tests.bench.profiled FILE`.

SIGUSR1 begins a profile and SIGUSR2 ends it and writes it to the file.
"""

from __future__ import annotations

import cProfile
import signal
import sys
from pathlib import Path
from types import FrameType

from libs.service.app import run
from services.table.app import build


def main(into: Path) -> None:
    """Serves until SIGTERM."""
    profiler = cProfile.Profile()

    def begin(_number: int, _frame: FrameType | None) -> None:
        profiler.clear()
        profiler.enable()

    def finish(_number: int, _frame: FrameType | None) -> None:
        profiler.disable()
        partial = into.with_suffix(".partial")
        profiler.dump_stats(partial)
        partial.rename(into)

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, finish)
    run("table", build)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
