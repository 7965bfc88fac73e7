"""Where the table service's time goes under load, as cProfile saw it.

The profiler itself costs about as much again and counts small functions too dear: shares are to be read, not seconds,
and no rate of a profiled run is one of the platform. What runs in C without a Python function of its own (gRPC's core,
the event loop) stands under the function that runs the loop.
"""

from __future__ import annotations

import pstats
import time
from pathlib import Path

from tests.bench.worker import BenchError

_ROOT = Path(__file__).parents[2]
_MOST = 40
_WRITTEN_WITHIN_S = 10.0
_POLL_S = 0.02


def read(profile: Path, title: str) -> str:
    """The dearest functions, first by their own time and then with what they call; the file is removed.

    Raises BenchError if it is not written soon.
    """
    deadline = time.monotonic() + _WRITTEN_WITHIN_S
    while not profile.exists():
        if time.monotonic() > deadline:
            raise BenchError("the table service wrote no profile")
        time.sleep(_POLL_S)
    stats = pstats.Stats(str(profile))
    profile.unlink()
    # pstats has no typed way to its figures: (file, line, function) -> (_, calls, own, total, callers).
    entries = [
        (_name(*place), calls, own_s, total_s)
        for place, (_, calls, own_s, total_s, _) in vars(stats)["stats"].items()
    ]
    whole_s = sum(own_s for _, _, own_s, _ in entries)
    lines = [f"{title}: the table service's CPU time, {whole_s:.1f} s with the profiler's own"]
    for heading, figure in (("by itself", 2), ("with what it calls", 3)):
        lines += ["", f"  share       calls  function, {heading}"]
        for entry in sorted(entries, key=lambda entry: -entry[figure])[:_MOST]:
            lines.append(f"{entry[figure] / whole_s:7.1%} {entry[1]:11,}  {entry[0]}")
    return "\n".join(lines)


def _name(file: str, line: int, function: str) -> str:
    path = Path(file)
    if "site-packages" in path.parts:
        path = Path(*path.parts[path.parts.index("site-packages") + 1 :])
    elif path.is_relative_to(_ROOT):
        path = path.relative_to(_ROOT)
    elif path.is_absolute():
        path = Path(*path.parts[-2:])
    return function if file == "~" else f"{path}:{line} {function}"
