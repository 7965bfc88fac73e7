"""Where the table service's time goes under load, as cProfile saw it.

The profiler counts small functions too dear and slows everything down: shares are to be read, not seconds, and no rate
of a profiled run is one of the platform. Shares are of the time spent in Python functions and what they call in C; the
event loop, gRPC's core and waiting are not in it. On a busy machine a function that sends something to another process
looks dear, because that process then takes the core.
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
    figures: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = vars(stats)["stats"]
    entries = [
        (_name(file, function), calls, (own_s, total_s))
        for (file, _, function), (_, calls, own_s, total_s, _) in figures.items()
    ]
    whole_s = sum(own_s for _, _, (own_s, _) in entries)
    lines = [f"{title}: {whole_s:.1f} s in the table service's functions"]
    for place, heading in enumerate(("by itself", "with what it calls")):
        lines += ["", f"  share       calls  function, {heading}"]
        for name, calls, times_s in sorted(entries, key=lambda entry: -entry[2][place])[:_MOST]:
            lines.append(f"{times_s[place] / whole_s:7.1%} {calls:11,}  {name}")
    return "\n".join(lines)


def _name(file: str, function: str) -> str:
    path = Path(file)
    if "site-packages" in path.parts:
        path = Path(*path.parts[path.parts.index("site-packages") + 1 :])
    elif path.is_relative_to(_ROOT):
        path = path.relative_to(_ROOT)
    elif path.is_absolute():
        path = Path(*path.parts[-2:])
    return function if file == "~" else f"{path} {function}"
